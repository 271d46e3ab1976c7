//! The clocks of a game: what is left, and when a flag falls.
//!
//! A clock is told how long a move took; it never looks at the time itself, so that every reader of a
//! real clock, and every test, decides what "now" is. Increments are Bobby Fischer's (1988),
//! byoyomi is that of professional shogi and go.

#[cfg(test)]
mod tests;

use crate::control::TimeControl;
use std::time::Duration;
use tesuji_shogi::{ByColor, Color};

/// Both clocks of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameClock {
    controls: ByColor<TimeControl>,
    /// The increment of the next move is in it.
    left: ByColor<Duration>,
    margin: Duration,
}

impl GameClock {
    /// Both clocks at the start.
    pub fn new(controls: ByColor<TimeControl>) -> Self {
        let left = controls.0.map(|it| it.main.saturating_add(it.increment));
        Self::resumed(controls, ByColor(left))
    }

    /// Clocks that stand somewhere: `left` includes the increment of the next move.
    pub fn resumed(controls: ByColor<TimeControl>, left: ByColor<Duration>) -> Self {
        Self {
            controls,
            left,
            margin: Duration::ZERO,
        }
    }

    /// Flags fall so much later, for what a program or a wire needs besides the players. The time
    /// counts all the same.
    #[must_use]
    pub fn with_margin(self, margin: Duration) -> Self {
        Self { margin, ..self }
    }

    /// How much time a side has, and how it is counted.
    pub fn control(&self, color: Color) -> &TimeControl {
        &self.controls[color]
    }

    /// What is left of a side's main time, without the increment of its next move.
    pub fn left(&self, color: Color) -> Duration {
        self.left[color].saturating_sub(self.controls[color].increment)
    }

    /// What is left of a side's main time, with the increment of its next move.
    pub fn left_with_increment(&self, color: Color) -> Duration {
        self.left[color]
    }

    /// The time control of the rest of the game: its main time is what is left.
    pub fn remaining(&self, color: Color) -> TimeControl {
        TimeControl {
            main: self.left(color),
            ..self.controls[color]
        }
    }

    /// What the next move of a side may cost, margin not included; exactly so much is too much.
    /// `None` if no clock runs.
    pub fn allows(&self, color: Color) -> Option<Duration> {
        let control = &self.controls[color];
        let extra = control.byoyomi.saturating_add(control.delay);
        (!control.is_unlimited()).then(|| self.left[color].saturating_add(extra))
    }

    /// After how long a side's flag falls if no move comes; `None` if it never does.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tesuji_game::GameClock;
    /// use tesuji_shogi::{ByColor, Color};
    /// let clock = GameClock::new(ByColor(["1+1".parse()?, "5b10".parse()?]));
    /// assert_eq!(clock.flag(Color::Black), Some(Duration::from_secs(2)));
    /// assert_eq!(clock.flag(Color::White), Some(Duration::from_secs(15)));
    /// # Ok::<(), tesuji_game::TimeControlError>(())
    /// ```
    pub fn flag(&self, color: Color) -> Option<Duration> {
        let allowed = self.allows(color)?;
        let falls = self.controls[color].reached(allowed);
        Some(falls.saturating_add(self.margin))
    }

    /// A side has moved after `elapsed`: what that costs, or `None` if its flag fell.
    #[must_use]
    pub fn spend(&mut self, color: Color, elapsed: Duration) -> Option<Duration> {
        let cost = self.controls[color].cost(elapsed);
        let in_time = self.flag(color).is_none_or(|falls| elapsed < falls)
            && self
                .allows(color)
                .is_none_or(|allowed| cost < allowed.saturating_add(self.margin));
        self.charge(color, cost);
        in_time.then_some(cost)
    }

    /// A side has moved, and somebody else has counted what that costs.
    pub fn charge(&mut self, color: Color, cost: Duration) {
        let control = &self.controls[color];
        let counted = cost.saturating_sub(control.delay);
        let left = self.left[color].saturating_sub(counted);
        self.left[color] = left.saturating_add(control.increment);
    }

    /// The clock of a side ran and was stopped without a move: its main time is less by that.
    pub fn interrupt(&mut self, color: Color, elapsed: Duration) {
        self.left[color] = self.left[color].saturating_sub(elapsed);
    }
}
