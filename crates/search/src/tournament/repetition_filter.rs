//! A filter for repetitions: which boards lie on the way to a node, roughly.

use tesuji_shogi::Position;

/// How many plies back an equal board is looked for.
pub(super) const REPETITION_PLIES: usize = 64;

/// Counts the boards of the game and of the line by a few bits of their hash. Where nothing was
/// counted nothing can repeat, and the way back need not be walked; nearly all nodes are such.
pub(super) struct RepetitionFilter(Box<[u8; SLOTS]>);

/// Some twenty for every board of a long line. No line repeats a board so often that a count could
/// leave its range.
const SLOTS: usize = 4096;

impl RepetitionFilter {
    /// Those that led to a position, up to so many plies back.
    pub(super) fn before(pos: &Position, plies: usize) -> Self {
        let mut filter = Self(Box::new([0; SLOTS]));
        let mut pos = pos.clone();
        for _ in 0..plies.min(pos.played()) {
            pos.undo();
            filter.add(&pos);
        }
        filter
    }

    #[inline(always)]
    pub(super) fn add(&mut self, pos: &Position) {
        self.0[slot(pos)] += 1;
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, pos: &Position) {
        self.0[slot(pos)] -= 1;
    }

    /// Whether the board of a position may have been counted.
    #[inline(always)]
    pub(super) fn may_hold(&self, pos: &Position) -> bool {
        self.0[slot(pos)] > 0
    }
}

#[inline(always)]
fn slot(pos: &Position) -> usize {
    pos.board_hash() as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_repetition_is_announced() {
        let mut pos = Position::start();
        let rounds = ["2h3h", "8b7b", "3h2h", "7b8b"];
        for mv in rounds.iter().cycle().take(6) {
            pos.play(mv.parse().unwrap());
        }
        let mut filter = RepetitionFilter::before(&pos, 64);
        for mv in ["3h2h", "7b8b", "7g7f", "3c3d", "8h2b+"] {
            filter.add(&pos);
            pos.play(mv.parse().unwrap());
            assert!(filter.may_hold(&pos) || pos.find_repetition(64).is_none());
        }
        assert!(!filter.may_hold(&pos), "a board that is new");
        while pos.played() > 6 {
            pos.undo();
            filter.remove(&pos);
        }
        assert_eq!(*filter.0, *RepetitionFilter::before(&pos, 64).0);
    }
}
