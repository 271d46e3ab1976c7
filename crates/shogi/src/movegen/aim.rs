//! Where the pieces of each kind may land: what makes one generator differ from another.

use crate::bitboard::Bitboard;
use crate::types::piece::PieceKind;

/// Where a generator wants pieces to land.
pub trait Aim: Copy {
    /// Whether non-promotions that are never better than the promotion are left out.
    const WITHOUT_WORSE: bool = false;
    /// Which pieces may move.
    #[inline(always)]
    fn movers(&self) -> Bitboard {
        Bitboard::ALL
    }
    /// Where a piece of a kind may land without promoting.
    fn plain(&self, kind: PieceKind) -> Bitboard;
    /// Where a piece may land and become `promoted`.
    fn promoting(&self, promoted: PieceKind) -> Bitboard;
    /// Where a kind may be dropped.
    fn drop(&self, kind: PieceKind) -> Bitboard;
    /// Whether every kind has the same squares for drops, so that they can be handed on together.
    const SAME_DROPS: bool = true;
}

/// The same squares for all kinds.
#[derive(Clone, Copy, Debug)]
pub struct Masks<const WITHOUT_WORSE: bool = false> {
    /// For moves on the board without promotion.
    pub plain: Bitboard,
    /// For promotions.
    pub promoting: Bitboard,
    /// For drops.
    pub drop: Bitboard,
}

impl<const WORSE: bool> Aim for Masks<WORSE> {
    const WITHOUT_WORSE: bool = WORSE;
    #[inline(always)]
    fn plain(&self, _: PieceKind) -> Bitboard {
        self.plain
    }
    #[inline(always)]
    fn promoting(&self, _: PieceKind) -> Bitboard {
        self.promoting
    }
    #[inline(always)]
    fn drop(&self, _: PieceKind) -> Bitboard {
        self.drop
    }
}

/// An aim cut down to what answers a check: for moves the line to the checker and the checker
/// itself, for drops the line alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within<A> {
    pub(super) aim: A,
    pub(super) land: Bitboard,
    pub(super) drop: Bitboard,
}

impl<A: Aim> Aim for Within<A> {
    const WITHOUT_WORSE: bool = A::WITHOUT_WORSE;
    const SAME_DROPS: bool = A::SAME_DROPS;
    #[inline(always)]
    fn movers(&self) -> Bitboard {
        self.aim.movers()
    }
    #[inline(always)]
    fn plain(&self, kind: PieceKind) -> Bitboard {
        self.aim.plain(kind) & self.land
    }
    #[inline(always)]
    fn promoting(&self, promoted: PieceKind) -> Bitboard {
        self.aim.promoting(promoted) & self.land
    }
    #[inline(always)]
    fn drop(&self, kind: PieceKind) -> Bitboard {
        self.aim.drop(kind) & self.drop
    }
}
