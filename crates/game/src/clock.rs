//! Time: how much a player has, and when its flag falls.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tesuji_shogi::{ByColor, Color};

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A clock: main time, and what each move adds or may take.
    Clock {
        /// For the whole game.
        main: Duration,
        /// Added before every move (Fischer).
        increment: Duration,
        /// For every move once the main time is used up.
        byoyomi: Duration,
    },
    /// A time for every move.
    Move(Duration),
    /// A number of positions for every move.
    Nodes(u64),
    /// A number of iterations for every move.
    Depth(u32),
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no time control: expected 60 (seconds for the game), 60+0.5 (and for each move), 60b10 \
     (and byoyomi), move=0.1 (seconds), nodes=N or depth=N"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let error = || TimeControlError(text.chars().take(40).collect());
        let limit = match text.split_once('=') {
            Some(("move", time)) => seconds(time).map(Self::Move),
            Some(("nodes", nodes)) => nodes.parse().ok().map(Self::Nodes),
            Some(("depth", depth)) => depth.parse().ok().map(Self::Depth),
            Some(_) => None,
            None => clock(text),
        };
        let is_something = |limit: &Self| match limit {
            Self::Clock {
                main,
                increment,
                byoyomi,
            } => [main, increment, byoyomi]
                .iter()
                .any(|time| !time.is_zero()),
            Self::Move(time) => !time.is_zero(),
            Self::Nodes(nodes) => *nodes > 0,
            Self::Depth(depth) => *depth > 0,
        };
        limit.filter(is_something).ok_or_else(error)
    }
}

fn clock(text: &str) -> Option<TimeControl> {
    let (main, increment, byoyomi) = if let Some((main, increment)) = text.split_once('+') {
        (main, increment, "0")
    } else if let Some((main, byoyomi)) = text.split_once('b') {
        (main, "0", byoyomi)
    } else {
        (text, "0", "0")
    };
    Some(TimeControl::Clock {
        main: seconds(main)?,
        increment: seconds(increment)?,
        byoyomi: seconds(byoyomi)?,
    })
}

/// The longest time that makes sense, in seconds: a week.
const LONGEST: f64 = 604_800.0;

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    let millis = (seconds * 1000.0).round();
    (0.0..=LONGEST)
        .contains(&seconds)
        .then(|| Duration::from_millis(millis as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock {
                main,
                increment,
                byoyomi,
            } => {
                write!(f, "{}", main.as_secs_f64())?;
                if !byoyomi.is_zero() {
                    write!(f, "b{}", byoyomi.as_secs_f64())
                } else if !increment.is_zero() {
                    write!(f, "+{}", increment.as_secs_f64())
                } else {
                    Ok(())
                }
            }
            Self::Move(time) => write!(f, "move={}", time.as_secs_f64()),
            Self::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

/// The clocks of a game.
#[derive(Clone, Debug)]
pub struct GameClock {
    controls: ByColor<TimeControl>,
    left: ByColor<Duration>,
    margin: Duration,
}

impl GameClock {
    /// Both clocks at the start; an answer may be later than they allow by a margin.
    pub fn new(controls: ByColor<TimeControl>, margin: Duration) -> Self {
        let main = |control: TimeControl| match control {
            TimeControl::Clock { main, .. } => main,
            _ => Duration::ZERO,
        };
        Self {
            controls,
            left: ByColor(controls.0.map(main)),
            margin,
        }
    }

    /// How long a player may think.
    pub fn control(&self, color: Color) -> TimeControl {
        self.controls[color]
    }

    /// What is left of a player's main time.
    pub fn left(&self, color: Color) -> Duration {
        self.left[color]
    }

    /// What the clock allows for the next move, margin not included; `None` if it does not count.
    pub fn allows(&self, turn: Color) -> Option<Duration> {
        match self.controls[turn] {
            TimeControl::Clock {
                increment, byoyomi, ..
            } => Some(self.left[turn] + increment + byoyomi),
            TimeControl::Move(time) => Some(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        }
    }

    /// When an answer is too late.
    pub fn deadline(&self, turn: Color) -> Option<Duration> {
        self.allows(turn).map(|time| time + self.margin)
    }

    /// Takes what a move took; `false` if the flag fell.
    #[must_use]
    pub fn spend(&mut self, turn: Color, time: Duration) -> bool {
        if self.deadline(turn).is_some_and(|deadline| time > deadline) {
            return false;
        }
        if let TimeControl::Clock { increment, .. } = self.controls[turn] {
            self.left[turn] = (self.left[turn] + increment).saturating_sub(time);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    fn clock(text: &str) -> GameClock {
        GameClock::new(ByColor([control(text); 2]), Duration::from_millis(50))
    }

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn controls_read_back_and_nonsense_is_refused() {
        for text in [
            "60",
            "60+0.5",
            "0b1",
            "1.5b10",
            "move=0.01",
            "nodes=1000",
            "depth=8",
        ] {
            assert_eq!(control(text).to_string(), text);
        }
        for text in [
            "", "x", "0", "0+0", "nodes=0", "-5", "1e99", "move=", "60b", "nan", "ply=3",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_increment_comes_before_the_move_and_byoyomi_does_not_add_up() {
        let mut fischer = clock("1+0.5");
        assert_eq!(fischer.allows(Color::Black), Some(millis(1500)));
        assert!(fischer.spend(Color::Black, millis(200)));
        assert_eq!(fischer.allows(Color::Black), Some(millis(1800)));
        assert_eq!(fischer.allows(Color::White), Some(millis(1500)));
        let mut byoyomi = clock("1b0.5");
        assert!(byoyomi.spend(Color::Black, millis(300)));
        assert_eq!(byoyomi.allows(Color::Black), Some(millis(1200)));
        assert!(byoyomi.spend(Color::Black, millis(1200)));
        assert_eq!(byoyomi.allows(Color::Black), Some(millis(500)));
    }

    #[test]
    fn the_flag_falls_after_the_margin() {
        let mut clock = clock("1");
        assert!(clock.clone().spend(Color::Black, millis(1050)));
        assert!(!clock.spend(Color::Black, millis(1051)));
        assert!(clock.spend(Color::Black, millis(1020)));
        assert_eq!(clock.allows(Color::Black), Some(Duration::ZERO));
        let mut nodes = super::tests::clock("nodes=1");
        assert!(nodes.spend(Color::Black, Duration::MAX));
    }
}
