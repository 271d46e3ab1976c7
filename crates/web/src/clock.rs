//! Two clocks: sudden death, byoyomi, Fischer.

use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tesuji_search::{TimeBudget, TimeSettings};
use tesuji_shogi::{ByColor, Color};

/// How much time each side has; all in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TimeControl {
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

impl TimeControl {
    /// Whether a game can be played with it.
    pub(crate) fn is_sound(&self) -> bool {
        let times = [self.main, self.byoyomi, self.increment];
        times.iter().all(|&time| time <= LONGEST) && times.iter().sum::<u64>() >= 1000
    }
}

/// The clocks of a game.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    pub(crate) control: TimeControl,
    /// What is left of the main time, the increment of the next move included.
    left: ByColor<Duration>,
    /// The side whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl Clock {
    /// Both clocks at the start, neither running.
    pub(crate) fn new(control: TimeControl) -> Self {
        let left = Duration::from_millis(control.main + control.increment);
        Self::with(control, ByColor([left; 2]))
    }

    /// Clocks that stand somewhere, neither running.
    pub(crate) fn with(control: TimeControl, left: ByColor<Duration>) -> Self {
        Self {
            control,
            left,
            running: None,
        }
    }

    /// Lets the clock of a side run, unless it already does.
    pub(crate) fn start(&mut self, color: Color) {
        if self.running.map(|(side, _)| side) != Some(color) {
            self.running = Some((color, Instant::now()));
        }
    }

    /// Stops it; what was spent of the main time is gone.
    pub(crate) fn pause(&mut self) {
        if let Some((color, since)) = self.running.take() {
            self.left[color] = self.left[color].saturating_sub(since.elapsed());
        }
    }

    /// A move was made: its time, and the clock of the other side runs.
    pub(crate) fn press(&mut self, color: Color) -> Duration {
        let spent = match self.running {
            Some((side, since)) if side == color => since.elapsed(),
            _ => Duration::ZERO,
        };
        let increment = Duration::from_millis(self.control.increment);
        self.left[color] = self.left[color].saturating_sub(spent) + increment;
        self.running = Some((color.foe(), Instant::now()));
        spent
    }

    /// The side whose clock runs.
    pub(crate) fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// How long until the flag of the side that thinks falls; zero if it has.
    pub(crate) fn until_flag(&self) -> Option<Duration> {
        let (color, since) = self.running?;
        let all = self.left[color] + Duration::from_millis(self.control.byoyomi);
        Some(all.saturating_sub(since.elapsed()))
    }

    /// Main time and byoyomi left at this moment, in milliseconds.
    pub(crate) fn left(&self, color: Color) -> (u64, u64) {
        let spent = match self.running {
            Some((side, since)) if side == color => since.elapsed(),
            _ => Duration::ZERO,
        };
        let over = spent.saturating_sub(self.left[color]);
        let byoyomi = Duration::from_millis(self.control.byoyomi).saturating_sub(over);
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        (
            millis(self.left[color].saturating_sub(spent)),
            millis(byoyomi),
        )
    }

    /// How long an engine may think.
    pub(crate) fn budget(&self, color: Color, ply: u32) -> TimeBudget {
        let increment = Duration::from_millis(self.control.increment);
        let clock = tesuji_game::TimeControl {
            main: Duration::from_millis(self.left(color).0).saturating_sub(increment),
            increment,
            byoyomi: Duration::from_millis(self.control.byoyomi),
            ..tesuji_game::TimeControl::default()
        };
        TimeSettings::default().budget(&clock, ply, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_increment_is_there_before_the_first_move_and_byoyomi_is_not_used_up() {
        let fischer = Clock::new(TimeControl {
            main: 1000,
            increment: 500,
            ..TimeControl::default()
        });
        assert_eq!(fischer.left(Color::Black), (1500, 0));
        let mut byoyomi = Clock::new(TimeControl {
            byoyomi: 3000,
            ..TimeControl::default()
        });
        byoyomi.start(Color::Black);
        assert!(byoyomi.until_flag().unwrap() > Duration::from_secs(2));
        byoyomi.press(Color::Black);
        assert_eq!(byoyomi.left(Color::Black), (0, 3000));
        assert_eq!(byoyomi.running(), Some(Color::White));
    }

    #[test]
    fn a_paused_clock_keeps_what_is_left_and_has_no_flag() {
        let mut clock = Clock::new(TimeControl {
            main: 60_000,
            ..TimeControl::default()
        });
        clock.start(Color::White);
        clock.pause();
        assert_eq!(clock.until_flag(), None);
        assert!(clock.left(Color::White).0 > 50_000);
        assert!(!TimeControl::default().is_sound());
        let absurd = TimeControl {
            main: u64::MAX,
            ..TimeControl::default()
        };
        assert!(!absurd.is_sound());
    }
}
