//! How pages write a time control.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use tesuji_game::TimeControl;

/// How much time each side has; all in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TimeControl"))]
pub(crate) struct GameTimes {
    /// For the whole game.
    pub(crate) main: u64,
    /// For every move once the main time is used up.
    #[serde(default)]
    pub(crate) byoyomi: u64,
    /// Added for every move.
    #[serde(default)]
    pub(crate) increment: u64,
}

/// The longest time that makes sense: a day.
const LONGEST: u64 = 24 * 3600 * 1000;

impl GameTimes {
    /// Whether a game can be played with it.
    pub(crate) fn is_sound(&self) -> bool {
        let times = [self.main, self.byoyomi, self.increment];
        times.iter().all(|&time| time <= LONGEST) && times.iter().sum::<u64>() >= 1000
    }
}

impl From<GameTimes> for TimeControl {
    fn from(times: GameTimes) -> Self {
        Self {
            main: Duration::from_millis(times.main),
            byoyomi: Duration::from_millis(times.byoyomi),
            increment: Duration::from_millis(times.increment),
            ..Self::default()
        }
    }
}

impl From<TimeControl> for GameTimes {
    fn from(control: TimeControl) -> Self {
        Self {
            main: to_millis(control.main),
            byoyomi: to_millis(control.byoyomi),
            increment: to_millis(control.increment),
        }
    }
}

/// A time as pages have it.
pub(crate) fn to_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_back_and_absurd_ones_are_refused() {
        let times = GameTimes {
            main: 60_000,
            byoyomi: 3000,
            increment: 5,
        };
        assert_eq!(GameTimes::from(TimeControl::from(times)), times);
        assert!(times.is_sound() && !GameTimes::default().is_sound());
        let absurd = GameTimes {
            main: u64::MAX,
            ..times
        };
        assert!(!absurd.is_sound());
    }
}
