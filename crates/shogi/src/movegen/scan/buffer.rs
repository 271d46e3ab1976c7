//! Moves as numbers, written whether they count or not.

use super::placement::is_zone;
use crate::side::Side;
use crate::sink::MoveBatch;
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;

/// The bit of a move that promotes.
pub(super) const PROMOTION: u16 = 1 << 15;

/// Room for `LAST + 1` moves and what is written behind them: `ROOM` is 32 more. A move that does
/// not count is overwritten by the next one, which costs less than a branch.
pub(crate) struct Buffer<const LAST: usize, const ROOM: usize>([u16; ROOM]);

/// Room for the moves of all pieces on the board: there are always fewer than 400.
pub(super) type LongBuffer = Buffer<511, 544>;
/// Room for the moves of one piece in one direction, or of all pieces to one square.
pub(crate) type ShortBuffer = Buffer<31, 64>;

impl<const LAST: usize, const ROOM: usize> Buffer<LAST, ROOM> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        assert!((LAST + 1).is_power_of_two() && ROOM == LAST + 33);
        Self([0; ROOM])
    }

    /// The first so many moves.
    #[inline(always)]
    pub(crate) fn batch(&self, count: usize) -> MoveBatch<'_> {
        MoveBatch::new(0, &self.0, count)
    }

    /// The first so many moves, one by one.
    #[inline(always)]
    pub(crate) fn moves(&self, count: usize) -> impl Iterator<Item = Move> + '_ {
        self.batch(count).moves()
    }

    /// Writes a move behind `count` others; says how many there are now.
    #[inline(always)]
    pub(crate) fn put(&mut self, count: usize, mv: u16, keep: bool) -> usize {
        self.0[count & LAST] = mv;
        count + usize::from(keep)
    }

    /// Writes a run of eight moves of which the first `keep` count.
    #[inline(always)]
    pub(super) fn put_run(&mut self, count: usize, moves: [u16; 8], keep: usize) -> usize {
        let at = count & LAST;
        self.0[at..at + 8].copy_from_slice(&moves);
        count + keep
    }

    /// Writes the move of a piece of `S` in both forms as far as they are allowed.
    #[inline(never)]
    pub(crate) fn put_move<S: Side>(
        &mut self,
        count: usize,
        piece: Piece,
        from: usize,
        to: usize,
    ) -> usize {
        let mv = (from << 7 | to) as u16;
        let promotes = piece.can_promote() && (is_zone::<S>(from) || is_zone::<S>(to));
        let count = self.put(count, mv, can_stay::<S>(piece.kind(), to));
        self.put(count, mv | PROMOTION, promotes)
    }
}

/// Whether a kind may stand on a square without promotion.
#[inline(always)]
pub(super) fn can_stay<S: Side>(kind: PieceKind, square: usize) -> bool {
    let rank = Square::trusted(square as u8).rank_for(S::COLOR);
    match kind {
        PieceKind::Pawn | PieceKind::Lance => rank > 1,
        PieceKind::Knight => rank > 2,
        _ => true,
    }
}
