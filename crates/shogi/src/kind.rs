//! The pieces as types: one table says how each moves, and the compiler specialises the rest.
//!
//! Non-promotions that never help are left out, as in all strong programs since Bonanza.

use crate::attacks::{sliders, steps};
use crate::bitboard::Bitboard;
use crate::side::Side;
use crate::types::piece::PieceKind;
use crate::types::square::Square;

/// A kind of piece known to the compiler.
pub trait Kind: Copy {
    /// The kind; for [`GoldMover`] it stands for all that move alike.
    const KIND: PieceKind;
    /// Whether it can promote.
    const PROMOTES: bool = Self::KIND.can_promote();
    /// The squares it attacks.
    fn attacks<S: Side>(from: Square, occupied: Bitboard) -> Bitboard;
    /// Where it must not stay unpromoted, because it could never move again.
    #[inline(always)]
    fn dead_ends<S: Side>() -> Bitboard {
        match Self::KIND {
            PieceKind::Pawn | PieceKind::Lance => S::LAST,
            PieceKind::Knight => S::LAST_TWO,
            _ => Bitboard::EMPTY,
        }
    }
    /// Where staying unpromoted is never better than promoting: its moves after promotion are at
    /// least those before. A lance still has a use on the third rank, not on the second.
    #[inline(always)]
    fn always_promotes<S: Side>() -> Bitboard {
        match Self::KIND {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => Bitboard::ALL,
            PieceKind::Lance => S::LAST_TWO,
            _ => Bitboard::EMPTY,
        }
    }
}

macro_rules! kinds {
    ($($name:ident = $kind:ident: |$side:ident, $from:ident, $occupied:ident| $attacks:expr;)*) => {$(
        #[doc = concat!("[`PieceKind::", stringify!($kind), "`] as a type.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl Kind for $name {
            const KIND: PieceKind = PieceKind::$kind;
            #[inline(always)]
            fn attacks<$side: Side>($from: Square, $occupied: Bitboard) -> Bitboard {
                $attacks
            }
        }
    )*};
}

kinds! {
    Pawn = Pawn: |S, from, _occupied| steps::pawn(S::COLOR, from);
    Lance = Lance: |S, from, occupied| sliders::lance(S::COLOR, from, occupied);
    Knight = Knight: |S, from, _occupied| steps::knight(S::COLOR, from);
    Silver = Silver: |S, from, _occupied| steps::silver(S::COLOR, from);
    GoldMover = Gold: |S, from, _occupied| steps::gold(S::COLOR, from);
    Bishop = Bishop: |_S, from, occupied| sliders::bishop(from, occupied);
    Rook = Rook: |_S, from, occupied| sliders::rook(from, occupied);
    Horse = Horse: |_S, from, occupied| sliders::bishop(from, occupied) | steps::king(from);
    Dragon = Dragon: |_S, from, occupied| sliders::rook(from, occupied) | steps::king(from);
    King = King: |_S, from, _occupied| steps::king(from);
}
