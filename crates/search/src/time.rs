//! Time management before a search begins: how long to think.
//!
//! The time control of the rest of the game and the number of the move go in, a budget comes out:
//! the time one would like to spend, and the time that must not be exceeded. Optimum, maximum, slow mover, network delays and full
//! seconds are the terms of Stockfish and YaneuraOu; the formulas are ours.

use crate::params::TimeParams;
use std::time::Duration;
use tesuji_game::TimeControl;

/// How much may be spent on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// What one would like to spend; the search stretches or cuts it by what it sees.
    pub optimum: Duration,
    /// What must not be exceeded.
    pub maximum: Duration,
}

impl TimeBudget {
    /// Exactly so long.
    pub const fn exactly(time: Duration) -> Self {
        Self {
            optimum: time,
            maximum: time,
        }
    }
}

/// What the user says about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeSettings {
    /// What the way to the server costs on average.
    pub network_delay: Duration,
    /// What it costs at worst; kept back from what must not be exceeded. Where there is less than a
    /// second to spend beside it, less is kept back: an eighth and two milliseconds.
    pub worst_network_delay: Duration,
    /// What is always spent, if there is time for it.
    pub minimum: Duration,
    /// How much of the time to spend, in percent.
    pub slow_mover: u32,
    /// Whether the server counts whole seconds, cutting off what is begun: then a begun second costs
    /// nothing and is used up.
    pub whole_seconds: bool,
    /// The numbers by which a clock is shared out.
    pub params: TimeParams,
}

impl Default for TimeSettings {
    fn default() -> Self {
        Self {
            network_delay: Duration::from_millis(20),
            worst_network_delay: Duration::from_millis(60),
            minimum: Duration::ZERO,
            slow_mover: 100,
            whole_seconds: false,
            params: TimeParams::default(),
        }
    }
}

/// Longer than any game, short enough to be added and multiplied.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl TimeSettings {
    /// What may be spent on the move with this number (from 1), if a game ends after `move_limit`.
    /// The main time of `rest` is what is left, without the increment of this move.
    ///
    /// Of main time every move gets its share, be there an increment or not; byoyomi is lost if it
    /// is not spent, so it is spent, and so is a main time that is hardly longer than the byoyomi.
    /// Then both times are equal: there is nothing to be gained by thinking less.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tesuji_game::TimeControl;
    /// use tesuji_search::TimeSettings;
    /// let rest = TimeControl { byoyomi: Duration::from_millis(10), ..TimeControl::default() };
    /// let budget = TimeSettings::default().budget(&rest, 30, None);
    /// assert_eq!(budget.maximum, Duration::from_micros(6750));
    /// assert_eq!(budget.optimum, budget.maximum);
    /// ```
    pub fn budget(&self, rest: &TimeControl, ply: u32, move_limit: Option<u32>) -> TimeBudget {
        let [left, increment, byoyomi] =
            [rest.main, rest.increment, rest.byoyomi].map(|time| time.min(LONGEST));
        let limit = self.without_delay(left + increment + byoyomi);
        let moves = self.params.moves_to_go(ply, move_limit);
        let free = left - self.reserve(left, byoyomi);
        let share = free / moves + increment;
        let fair = share - self.network_delay.min(share / 8) + byoyomi;

        let part = (free * self.params.largest_share / 100).max(free / moves);
        let last_drops = left.min(byoyomi * 6 / 5);
        let stretched = byoyomi + increment + part.max(last_drops);
        let maximum = limit.min(stretched).min(fair * self.params.stretch);

        let spends_it_all = byoyomi > Duration::ZERO && left == last_drops;
        let target = if spends_it_all {
            maximum
        } else {
            fair * self.slow_mover.min(1000) / 100
        };
        TimeBudget {
            optimum: self.rounded(target).max(self.minimum).min(maximum),
            maximum,
        }
    }

    /// What is left untouched of the main time for the case that the machine or the way to the server
    /// is busy more than once. Byoyomi is such a reserve by itself.
    fn reserve(&self, left: Duration, byoyomi: Duration) -> Duration {
        let delays = self.worst_network_delay.min(SECOND) * self.params.reserved_delays;
        delays.min(left / 2).saturating_sub(byoyomi)
    }

    /// What remains of a time when the worst delay is kept back.
    fn without_delay(&self, time: Duration) -> Duration {
        let little = (time / 8 + Duration::from_millis(2)).max(time.saturating_sub(SECOND));
        time.saturating_sub(self.worst_network_delay.min(little))
    }

    /// Up to the end of a second that costs nothing once it is begun.
    fn rounded(&self, target: Duration) -> Duration {
        if !self.whole_seconds {
            return target;
        }
        let delay = self.network_delay.min(SECOND);
        let arrives = target + delay;
        let begun = u64::from(arrives.subsec_nanos() > 0);
        Duration::from_secs(arrives.as_secs() + begun) - delay
    }
}

const SECOND: Duration = Duration::from_secs(1);

impl TimeParams {
    /// How many moves of its own a side will have to play, this one included.
    fn moves_to_go(&self, ply: u32, move_limit: Option<u32>) -> u32 {
        let (least, most) = self.moves;
        let usual = (self.long_game.saturating_sub(ply) / 2).clamp(least, most);
        let until_limit = move_limit.map(|limit| limit.saturating_sub(ply) / 2 + 1);
        until_limit.map_or(usual, |moves| moves.min(usual))
    }
}

#[cfg(test)]
mod tests;
