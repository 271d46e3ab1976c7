//! The two colours as types, so that the compiler writes the code for each once.
//!
//! OpenShogiLib (2003) and Stockfish do the same with C++ templates.

use crate::bitboard::Bitboard;
use crate::types::color::Color;

/// A colour known to the compiler.
pub trait Side: Copy {
    /// The opponent.
    type Foe: Side<Foe = Self>;
    /// The colour.
    const COLOR: Color;
    /// The three ranks where pieces promote.
    const ZONE: Bitboard;
    /// The last rank: no pawn or lance may stay there.
    const LAST: Bitboard;
    /// The last two ranks: no knight may stay there.
    const LAST_TWO: Bitboard;
    /// What to add to a square's index to step back, away from the last rank.
    const BACK: i8;
    /// The whole set one step forward.
    fn forward(set: Bitboard) -> Bitboard;
    /// The whole set one step back.
    fn backward(set: Bitboard) -> Bitboard;
}

/// 先手: moves towards rank 1.
#[derive(Clone, Copy, Debug)]
pub struct Black;
/// 後手: moves towards rank 9.
#[derive(Clone, Copy, Debug)]
pub struct White;

impl Side for Black {
    type Foe = White;
    const COLOR: Color = Color::Black;
    const ZONE: Bitboard = Self::LAST_TWO.or(Bitboard::rank(3));
    const LAST: Bitboard = Bitboard::rank(1);
    const LAST_TWO: Bitboard = Self::LAST.or(Bitboard::rank(2));
    const BACK: i8 = 1;
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        set.north()
    }
    #[inline(always)]
    fn backward(set: Bitboard) -> Bitboard {
        set.south()
    }
}

impl Side for White {
    type Foe = Black;
    const COLOR: Color = Color::White;
    const ZONE: Bitboard = Self::LAST_TWO.or(Bitboard::rank(7));
    const LAST: Bitboard = Bitboard::rank(9);
    const LAST_TWO: Bitboard = Self::LAST.or(Bitboard::rank(8));
    const BACK: i8 = -1;
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        set.south()
    }
    #[inline(always)]
    fn backward(set: Bitboard) -> Bitboard {
        set.north()
    }
}

impl Color {
    /// The three ranks where pieces of this colour promote.
    #[inline]
    pub const fn zone(self) -> Bitboard {
        match self {
            Self::Black => Black::ZONE,
            Self::White => White::ZONE,
        }
    }
}
