//! Time controls: how much time a side has, and how it is counted.
//!
//! Sudden death, byoyomi (秒読み) and increments (Fischer, 1988) are times; the unit, the least cost of
//! a move and whether begun units count are the ways of CSA servers. Byoyomi is one period that begins
//! anew with every move: several periods and Canadian overtime belong to go.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How much time one side has; by default nobody counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeControl {
    /// 持ち時間: for the whole game, or what is left of it.
    pub main: Duration,
    /// 秒読み: for every move once the main time is used up.
    pub byoyomi: Duration,
    /// Added for every move, before it is made (Fischer).
    pub increment: Duration,
    /// Not counted at the beginning of every move.
    pub delay: Duration,
    /// What is counted: usually seconds on servers; zero if every moment is.
    pub unit: Duration,
    /// Whether a begun unit counts as a whole one.
    pub round_up: bool,
    /// What a move costs at least.
    pub least: Duration,
}

impl TimeControl {
    /// Whether no clock runs: there is no time of any kind.
    pub fn is_unlimited(&self) -> bool {
        let times = [self.main, self.byoyomi, self.increment, self.delay];
        times.iter().all(Duration::is_zero)
    }

    /// What a move costs that took so long.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tesuji_game::TimeControl;
    /// let exact = TimeControl::default();
    /// let server = TimeControl { unit: Duration::from_secs(1), ..exact };
    /// let elapsed = Duration::from_millis(1999);
    /// assert_eq!(exact.cost(elapsed), elapsed);
    /// assert_eq!(server.cost(elapsed), Duration::from_secs(1));
    /// ```
    pub fn cost(&self, elapsed: Duration) -> Duration {
        let cost = match self.unit.as_nanos() {
            0 => elapsed,
            unit if self.round_up => nanos(elapsed.as_nanos().div_ceil(unit) * unit),
            unit => nanos(elapsed.as_nanos() / unit * unit),
        };
        cost.max(self.least)
    }

    /// After how long a cost of `allowed` is reached, if no move comes.
    pub(crate) fn reached(&self, allowed: Duration) -> Duration {
        match self.unit.as_nanos() {
            0 => allowed,
            unit => {
                let units = allowed.as_nanos().div_ceil(unit);
                // A begun unit that counts is already too much.
                nanos(units.saturating_sub(u128::from(self.round_up)) * unit)
            }
        }
    }
}

fn nanos(nanos: u128) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no time control: expected 60 (seconds for the game), 60+0.5 (and for each move) or \
     60b10 (and byoyomi)"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `60`, `60+0.5`, `60b10`: seconds, and not none.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (main, increment, byoyomi) = if let Some((main, increment)) = text.split_once('+') {
            (main, increment, "0")
        } else if let Some((main, byoyomi)) = text.split_once('b') {
            (main, "0", byoyomi)
        } else {
            (text, "0", "0")
        };
        let read = || {
            Some(Self {
                main: seconds(main)?,
                increment: seconds(increment)?,
                byoyomi: seconds(byoyomi)?,
                ..Self::default()
            })
        };
        let limited = read().filter(|control| !control.is_unlimited());
        limited.ok_or_else(|| TimeControlError(text.chars().take(40).collect()))
    }
}

/// The longest time that makes sense, in seconds: a week.
const LONGEST: f64 = 604_800.0;

/// Reads a time as people write it: seconds with decimals, a week at most.
pub fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    let millis = (seconds * 1000.0).round();
    (0.0..=LONGEST)
        .contains(&seconds)
        .then(|| Duration::from_millis(millis as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.main.as_secs_f64())?;
        if !self.byoyomi.is_zero() {
            write!(f, "b{}", self.byoyomi.as_secs_f64())
        } else if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TimeControl;

    #[test]
    fn controls_read_back_and_nonsense_is_refused() {
        for text in ["60", "60+0.5", "0b1", "1.5b10"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        for text in [
            "", "x", "0", "0+0", "-5", "1e99", "60b", "nan", "move=1", "1+",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
