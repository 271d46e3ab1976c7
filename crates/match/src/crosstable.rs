//! The results so far, of each player against each other.

use crate::games::GameLine;
use crate::schedule::MatchSchedule;
use crate::score::MatchStats;
use std::collections::HashMap;

/// The results of each player against each other.
#[derive(Clone, Debug, Default)]
pub struct Crosstable {
    /// Points of the first game of pairs that wait for the second, by number.
    waiting: HashMap<usize, u8>,
    stats: HashMap<(usize, usize), MatchStats>,
    games: usize,
}

impl Crosstable {
    /// Adds a game.
    pub fn add(&mut self, schedule: &MatchSchedule, game: &GameLine) {
        let pairing = schedule.pairing(game.id);
        let (low, is_reversed) = if pairing.black < pairing.white {
            ((pairing.black, pairing.white), false)
        } else {
            ((pairing.white, pairing.black), true)
        };
        let black = game.half_points_of_black();
        let points = if is_reversed { 2 - black } else { black };
        let stats = self.stats.entry(low).or_default();
        stats.add(points);
        match self.waiting.remove(&(game.id / 2)) {
            Some(first) => stats.add_pair(first, points),
            None => {
                self.waiting.insert(game.id / 2, points);
            }
        }
        self.games += 1;
    }

    /// How many games were played.
    pub fn games(&self) -> usize {
        self.games
    }

    /// One player's results against another.
    pub fn between(&self, one: usize, other: usize) -> MatchStats {
        let stats = |key| self.stats.get(&key).copied().unwrap_or_default();
        if one < other {
            stats((one, other))
        } else {
            stats((other, one)).reversed()
        }
    }

    /// One player's results against everybody.
    pub fn of(&self, player: usize, players: usize) -> MatchStats {
        let mut sum = MatchStats::default();
        for other in (0..players).filter(|&other| other != player) {
            sum.join(&self.between(player, other));
        }
        sum
    }

    /// All pairs of players that met.
    pub fn all(&self) -> Vec<(usize, usize, MatchStats)> {
        let mut all: Vec<_> = self
            .stats
            .iter()
            .map(|(&(one, other), &stats)| (one, other, stats))
            .collect();
        all.sort_by_key(|&(one, other, _)| (one, other));
        all
    }
}
