//! The clocks of servers: whole units, of which begun ones are cut off or counted.

use std::fmt::Write;
use std::time::Duration;
use tesuji_shogi::{ByColor, Color};
use tesuji_usi::Times;

/// How a server counts one side's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeRules {
    /// What is counted: usually seconds.
    pub unit: Duration,
    /// For the whole game.
    pub total: Duration,
    /// For every move once the rest is used up.
    pub byoyomi: Duration,
    /// Added for every move (Fischer).
    pub increment: Duration,
    /// Not counted at the beginning of every move.
    pub delay: Duration,
    /// What a move costs at least.
    pub least: Duration,
    /// Whether a begun unit counts as a whole one.
    pub round_up: bool,
}

impl Default for TimeRules {
    /// Seconds, and none of them.
    fn default() -> Self {
        Self {
            unit: Duration::from_secs(1),
            total: Duration::ZERO,
            byoyomi: Duration::ZERO,
            increment: Duration::ZERO,
            delay: Duration::ZERO,
            least: Duration::ZERO,
            round_up: false,
        }
    }
}

/// Longer than any game, short enough to be added and multiplied.
const LONGEST: u64 = 1_000_000_000;

/// What an engine is told to take for a move where no clock runs.
const LEISURE: Duration = Duration::from_secs(10);

impl TimeRules {
    /// What a move costs that took so long.
    pub fn cost(&self, elapsed: Duration) -> Duration {
        let unit = self.unit.as_nanos().max(1);
        let units = match self.round_up {
            true => elapsed.as_nanos().div_ceil(unit),
            false => elapsed.as_nanos() / unit,
        };
        let nanos = u64::try_from(units * unit).unwrap_or(u64::MAX);
        Duration::from_nanos(nanos).max(self.least)
    }

    /// Whether no clock runs: nothing was said about time.
    pub fn is_endless(&self) -> bool {
        let times = [self.total, self.byoyomi, self.increment, self.delay];
        times.iter().all(Duration::is_zero)
    }

    /// What a move may cost if so much is left; exactly so much is too much.
    fn allows(&self, left: Duration) -> Duration {
        match self.is_endless() {
            true => Duration::from_secs(LONGEST),
            false => left + self.byoyomi + self.increment + self.delay,
        }
    }

    /// Sets what a line of a time block says; `false` if it says nothing known.
    pub(super) fn set(&mut self, key: &str, value: &str) -> bool {
        let number = |text: &str| text.parse().ok().filter(|&number: &u64| number <= LONGEST);
        match key {
            "Time_Unit" => {
                let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                let name = &value[digits.len()..];
                let count = if digits.is_empty() {
                    Some(1)
                } else {
                    number(digits)
                };
                let millis = match name {
                    "msec" => 1,
                    "sec" => 1000,
                    "min" => 60_000,
                    _ => return false,
                };
                match count.filter(|&count| count > 0) {
                    Some(count) => self.unit = Duration::from_millis(count * millis),
                    None => return false,
                }
            }
            "Time_Roundup" => self.round_up = value == "YES",
            _ => {
                let place = match key {
                    "Total_Time" => &mut self.total,
                    "Byoyomi" => &mut self.byoyomi,
                    "Increment" => &mut self.increment,
                    "Delay" => &mut self.delay,
                    "Least_Time_Per_Move" => &mut self.least,
                    _ => return false,
                };
                let Some(units) = number(value) else {
                    return false;
                };
                // Units are applied when the block is complete: their line may come last.
                *place = Duration::from_secs(units);
            }
        }
        true
    }

    /// Turns numbers of units, read as seconds, into times.
    pub(super) fn scaled(mut self) -> Self {
        let unit = self.unit;
        for time in [
            &mut self.total,
            &mut self.byoyomi,
            &mut self.increment,
            &mut self.delay,
            &mut self.least,
        ] {
            let units = u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
            let longest = Duration::from_secs(LONGEST);
            *time = unit.checked_mul(units).unwrap_or(longest).min(longest);
        }
        self
    }

    /// The lines of a time block, without BEGIN and END.
    pub(super) fn lines(&self) -> String {
        let millis = self.unit.as_millis().max(1);
        let unit = match millis {
            _ if millis.is_multiple_of(60_000) => format!("{}min", millis / 60_000),
            _ if millis.is_multiple_of(1000) => format!("{}sec", millis / 1000),
            _ => format!("{millis}msec"),
        };
        let mut text = format!("Time_Unit:{unit}\n");
        let units = |time: Duration| time.as_millis() / millis;
        let mut line = |key: &str, time: Duration, always: bool| {
            if always || !time.is_zero() {
                let _ = writeln!(text, "{key}:{}", units(time));
            }
        };
        line("Total_Time", self.total, true);
        line("Byoyomi", self.byoyomi, true);
        line("Increment", self.increment, false);
        line("Delay", self.delay, false);
        line("Least_Time_Per_Move", self.least, true);
        if self.round_up {
            text += "Time_Roundup:YES\n";
        }
        text
    }

    /// As a record keeps it.
    pub fn to_record(self) -> tesuji_record::TimeControl {
        tesuji_record::TimeControl {
            main: self.total,
            byoyomi: self.byoyomi,
            increment: self.increment,
        }
    }
}

/// Both clocks of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    rules: ByColor<TimeRules>,
    left: ByColor<Duration>,
}

impl Clocks {
    /// Both at the start.
    pub fn new(rules: ByColor<TimeRules>) -> Self {
        Self {
            rules,
            left: ByColor(rules.0.map(|rules| rules.total)),
        }
    }

    /// How a side's time is counted.
    pub fn rules(&self, color: Color) -> &TimeRules {
        &self.rules[color]
    }

    /// What is left to a side, without what the next move adds.
    pub fn left(&self, color: Color) -> Duration {
        self.left[color]
    }

    /// What the next move may cost; exactly so much is too much.
    pub fn allows(&self, color: Color) -> Duration {
        self.rules[color].allows(self.left[color])
    }

    /// After how long a flag falls, if no move comes.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tesuji_csa::{Clocks, TimeRules};
    /// use tesuji_shogi::{ByColor, Color};
    /// let rules = TimeRules { total: Duration::from_secs(1), increment: Duration::from_secs(1), ..TimeRules::default() };
    /// let clocks = Clocks::new(ByColor([rules; 2]));
    /// assert_eq!(clocks.flag(Color::Black), Duration::from_secs(2));
    /// ```
    pub fn flag(&self, color: Color) -> Duration {
        let rules = &self.rules[color];
        let unit = rules.unit.as_nanos().max(1);
        let units = self.allows(color).as_nanos().div_ceil(unit);
        // A begun unit that counts is already too much.
        let units = if rules.round_up {
            units.saturating_sub(1)
        } else {
            units
        };
        Duration::from_nanos(u64::try_from(units * unit).unwrap_or(u64::MAX))
    }

    /// Takes what a move cost; `false` if the flag fell.
    #[must_use]
    pub fn spend(&mut self, color: Color, cost: Duration) -> bool {
        let in_time = cost < self.allows(color);
        let rules = &self.rules[color];
        let counted = cost.saturating_sub(rules.delay);
        self.left[color] = (self.left[color] + rules.increment).saturating_sub(counted);
        in_time
    }

    /// What an engine is told that plays `color`, with a margin kept back.
    pub fn times(&self, color: Color, margin: Duration) -> Times {
        let rules = &self.rules[color];
        // Who rounds up takes a unit for a moment.
        let kept = margin
            + if rules.round_up {
                rules.unit
            } else {
                Duration::ZERO
            };
        let left = self.left[color].saturating_sub(kept);
        let rest = kept.saturating_sub(self.left[color]);
        let mut times = Times::default();
        for side in Color::ALL {
            times.left[side] = Some(if side == color { left } else { self.left[side] });
        }
        if rules.is_endless() {
            times.byoyomi = Some(LEISURE);
        } else if rules.byoyomi > Duration::ZERO {
            let byoyomi = rules.byoyomi + rules.increment + rules.delay;
            times.byoyomi = Some(byoyomi.saturating_sub(rest));
        } else {
            for side in Color::ALL {
                let increment = self.rules[side].increment + self.rules[side].delay;
                let rest = if side == color { rest } else { Duration::ZERO };
                times.increment[side] = Some(increment.saturating_sub(rest));
            }
        }
        times
    }
}
