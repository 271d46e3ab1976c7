//! How long to think.
//!
//! A clock and the number of the move go in, a budget comes out: the time one would like to spend,
//! and the time that must not be exceeded.

use std::time::Duration;

/// How much may be spent on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// What one would like to spend; the search stretches or cuts it by what it sees.
    pub optimum: Duration,
    /// What must not be exceeded.
    pub maximum: Duration,
}

impl Budget {
    /// Exactly so long.
    pub const fn exactly(time: Duration) -> Self {
        Self {
            optimum: time,
            maximum: time,
        }
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left, without the increment of this move.
    pub left: Duration,
    /// What every move adds, this one included (Fischer).
    pub increment: Duration,
    /// What every move may take once nothing is left (秒読み).
    pub byoyomi: Duration,
}

/// What the user says about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeSettings {
    /// What the way to the server costs on average.
    pub delay: Duration,
    /// What it costs at worst; kept back from what must not be exceeded.
    pub worst_delay: Duration,
    /// What is always spent, if there is time for it.
    pub minimum: Duration,
    /// How much of the time to spend, in percent.
    pub slow_mover: u32,
    /// Whether the server counts whole seconds, cutting off what is begun: then a begun second costs
    /// nothing and is used up.
    pub whole_seconds: bool,
}

impl Default for TimeSettings {
    fn default() -> Self {
        Self {
            delay: Duration::from_millis(10),
            worst_delay: Duration::from_millis(30),
            minimum: Duration::ZERO,
            slow_mover: 100,
            whole_seconds: false,
        }
    }
}
