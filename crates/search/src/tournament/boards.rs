//! Which boards lie on the way to a node, roughly.

use tesuji_shogi::Position;

/// Counts the boards of the game and of the line by a few bits of their hash. Where nothing was
/// counted nothing can repeat, and the way back need not be walked; nearly all nodes are such.
pub(super) struct Boards(Box<[u8; SLOTS]>);

/// Some twenty for every board of a long line. No line repeats a board so often that a count could
/// leave its range.
const SLOTS: usize = 4096;

impl Boards {
    /// Those that led to a position, up to so many plies back.
    pub(super) fn before(pos: &Position, reach: usize) -> Self {
        let mut boards = Self(Box::new([0; SLOTS]));
        let mut pos = pos.clone();
        for _ in 0..reach.min(pos.played()) {
            pos.undo();
            boards.add(&pos);
        }
        boards
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
    fn every_echo_is_announced() {
        let mut pos = Position::start();
        let rounds = ["2h3h", "8b7b", "3h2h", "7b8b"];
        for mv in rounds.iter().cycle().take(6) {
            pos.play(mv.parse().unwrap());
        }
        let mut boards = Boards::before(&pos, 64);
        for mv in ["3h2h", "7b8b", "7g7f", "3c3d", "8h2b+"] {
            boards.add(&pos);
            pos.play(mv.parse().unwrap());
            assert!(boards.may_hold(&pos) || pos.find_repetition(64).is_none());
        }
        assert!(!boards.may_hold(&pos), "a board that is new");
        while pos.played() > 6 {
            pos.undo();
            boards.remove(&pos);
        }
        assert_eq!(*boards.0, *Boards::before(&pos, 64).0);
    }
}
