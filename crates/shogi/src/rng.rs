//! Numbers for random games, the same in every run (Steele, Lea and Flood 2014).

use crate::board::Board;
use crate::types::moves::Move;

/// A stream of numbers.
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % sides as u64) as usize
    }

    /// Any legal move, if there is one.
    pub(crate) fn legal_move(&mut self, board: &impl Board) -> Option<Move> {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        moves.get(self.roll(moves.len()))
    }
}
