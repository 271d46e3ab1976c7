//! The schedule of a match: who plays whom, from which opening, with which colour.

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MatchFormat {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// All games of a match, numbered from 0. The two games of a pair, one from each side of the same
/// opening, follow each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchSchedule {
    pairings: Vec<(usize, usize)>,
    openings: Vec<usize>,
    rounds: usize,
}

/// A game to be played, by its players and opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its number.
    pub id: usize,
    /// In which round; everybody plays a round from the same opening.
    pub round: usize,
    /// Which opening.
    pub opening: usize,
    /// Who plays Black.
    pub black: usize,
    /// Who plays White.
    pub white: usize,
}

impl MatchSchedule {
    /// So many rounds between so many players, each from the next opening. With a seed the openings
    /// are shuffled, for the same seed always in the same way.
    pub fn new(
        format: MatchFormat,
        players: usize,
        openings: usize,
        rounds: usize,
        seed: Option<u64>,
    ) -> Self {
        let mut order: Vec<usize> = (0..openings.max(1)).collect();
        if let Some(seed) = seed {
            fastrand::Rng::with_seed(seed).shuffle(&mut order);
        }
        let meets = |first: usize| match format {
            MatchFormat::Gauntlet if first > 0 => players..players,
            _ => first + 1..players,
        };
        let pairings = (0..players).flat_map(|first| meets(first).map(move |other| (first, other)));
        Self {
            pairings: pairings.collect(),
            openings: order,
            rounds,
        }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether openings come more than once.
    pub fn repeats_openings(&self) -> bool {
        self.rounds > self.openings.len()
    }

    /// The game of a number.
    pub fn pairing(&self, id: usize) -> Pairing {
        let (pair, second) = (id / 2, id % 2 == 1);
        let round = pair / self.pairings.len();
        let (one, other) = self.pairings[pair % self.pairings.len()];
        let (black, white) = if second { (other, one) } else { (one, other) };
        Pairing {
            id,
            round,
            opening: self.openings[round % self.openings.len()],
            black,
            white,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn everybody_meets_everybody_from_both_sides() {
        let schedule = MatchSchedule::new(MatchFormat::RoundRobin, 4, 10, 3, None);
        assert_eq!(schedule.len(), 2 * 3 * 6);
        let mut met: HashMap<_, usize> = HashMap::new();
        for id in 0..schedule.len() {
            let game = schedule.pairing(id);
            assert_ne!(game.black, game.white);
            *met.entry((game.black, game.white, game.opening))
                .or_default() += 1;
            let twin = schedule.pairing(id ^ 1);
            assert_eq!((twin.black, twin.white), (game.white, game.black));
            assert_eq!(twin.opening, game.opening);
        }
        assert_eq!(met.len(), 4 * 3 * 3);
        assert!(met.values().all(|&times| times == 1));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = MatchSchedule::new(MatchFormat::Gauntlet, 4, 2, 5, None);
        assert_eq!(schedule.len(), 2 * 5 * 3);
        let games: Vec<_> = (0..schedule.len()).map(|id| schedule.pairing(id)).collect();
        assert!(games.iter().all(|game| game.black == 0 || game.white == 0));
        assert!(schedule.repeats_openings());
    }

    #[test]
    fn a_seed_shuffles_always_alike() {
        let openings = |seed| {
            let schedule = MatchSchedule::new(MatchFormat::RoundRobin, 2, 50, 50, seed);
            let ids = (0..schedule.len()).step_by(2);
            ids.map(|id| schedule.pairing(id).opening)
                .collect::<Vec<_>>()
        };
        assert_eq!(openings(None), (0..50).collect::<Vec<_>>());
        assert_eq!(openings(Some(7)), openings(Some(7)));
        assert_ne!(openings(Some(7)), openings(Some(8)));
        let mut sorted = openings(Some(7));
        sorted.sort_unstable();
        assert_eq!(sorted, openings(None));
    }
}
