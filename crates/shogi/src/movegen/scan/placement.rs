//! What stands where, and squares that the compiler knows.
//!
//! A square known to the compiler is a number `K` in the order in which a side walks over the
//! board: file by file, and on each file forward from its home rank. Seen like this both sides
//! move the same way, and every case is written once.

use crate::side::Side;
use crate::types::color::{ByColor, Color};
use crate::types::hand::Hand;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::{BySquare, Square};

/// The plain array.
pub(crate) type Squares = BySquare<Option<Piece>>;

/// The number of a square that is not on the board.
pub(crate) const NOWHERE: u8 = 81;

/// 81 squares, 14 counts in hand, and where the kings stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    pub(crate) squares: Squares,
    pub(crate) hands: ByColor<Hand>,
    pub(super) kings: ByColor<u8>,
}

impl Placement {
    /// Where a king stands; composed problems may have none.
    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        Square::new(usize::from(self.kings[color]))
    }

    /// Plays a move of a colour.
    #[inline(always)]
    pub(crate) fn play(&mut self, color: Color, mv: Move) {
        let (to, hand) = (mv.to(), &mut self.hands[color]);
        if let Some(kind) = mv.dropped() {
            let piece = Piece::new(color, kind);
            *hand = hand.minus(piece);
            self.squares[to] = Some(piece);
            return;
        }
        *hand = hand.plus(self.squares[to]);
        let piece = self.squares[mv.origin()].take();
        self.squares[to] = piece.map(|piece| piece.with_promotion(mv.is_promotion()));
        self.follow_king(color, mv.origin(), to);
    }

    /// Takes a move of a colour back that took a piece or nothing.
    #[inline(always)]
    pub(super) fn take_back(&mut self, color: Color, mv: Move, taken: Option<Piece>) {
        let (to, hand) = (mv.to(), &mut self.hands[color]);
        if let Some(kind) = mv.dropped() {
            *hand = hand.plus(Some(Piece::new(color, kind)));
            self.squares[to] = None;
            return;
        }
        if let Some(taken) = taken {
            *hand = hand.minus(taken);
        }
        let piece = std::mem::replace(&mut self.squares[to], taken);
        self.squares[mv.origin()] = piece.map(|piece| piece.without_promotion(mv.is_promotion()));
        self.follow_king(color, to, mv.origin());
    }

    #[inline(always)]
    fn follow_king(&mut self, color: Color, from: Square, to: Square) {
        let king = &mut self.kings[color];
        if usize::from(*king) == from.index() {
            *king = to.index() as u8;
        }
    }
}

/// Hands all 81 numbers, behind whatever else is given, to another macro.
macro_rules! each_square {
    ($job:ident $($more:tt)*) => {
        $job! { [$($more)*]
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26
            27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53
            54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80
        }
    };
}
pub(super) use each_square;

/// A function for each square, in the order of the squares' own numbers.
macro_rules! for_squares {
    ($function:ident, $side:ty) => {
        &$crate::movegen::scan::placement::by_square::<$side, _>(
            $crate::movegen::scan::placement::each_square!(for_squares $function, $side),
        )
    };
    ([$function:ident, $side:ty] $($k:literal)*) => {
        [$($function::<$side, $k>),*]
    };
}
pub(super) use for_squares;

/// From the order of walking to the order of the squares' own numbers.
pub(super) const fn by_square<S: Side, T: Copy>(walk: [T; 81]) -> [T; 81] {
    let mut table = walk;
    let mut k = 0;
    while k < 81 {
        table[number::<S>(k)] = walk[k];
        k += 1;
    }
    table
}

/// The square's own number.
#[inline(always)]
pub(super) const fn number<S: Side>(k: usize) -> usize {
    match S::COLOR {
        Color::Black => k / 9 * 9 + ahead(k),
        Color::White => k,
    }
}

/// How many ranks are still ahead: none on the last rank, fewer than 3 where pieces promote.
#[inline(always)]
pub(super) const fn ahead(k: usize) -> usize {
    8 - k % 9
}

/// The own number of the square that lies so many files to the left and ranks ahead.
#[inline(always)]
pub(super) const fn step<S: Side>(k: usize, files: isize, ranks: isize) -> Option<usize> {
    let (file, rank) = ((k / 9) as isize + files, (k % 9) as isize + ranks);
    if 0 <= file && file < 9 && 0 <= rank && rank < 9 {
        Some(number::<S>((file * 9 + rank) as usize))
    } else {
        None
    }
}

/// What stands on a square as a number: 0 if it is empty, 1 to 14 for Black's pieces, 17 to 30 for
/// White's.
#[inline(always)]
pub(crate) fn content(piece: Option<Piece>) -> u8 {
    piece.map_or(0, Piece::bits)
}

/// Whether a piece of `S` stands there.
#[inline(always)]
pub(crate) fn is_own<S: Side>(piece: Option<Piece>) -> bool {
    match S::COLOR {
        Color::Black => content(piece).wrapping_sub(1) < 15,
        Color::White => content(piece) > 15,
    }
}

/// Whether pieces of `S` promote on a square, given by its own number.
#[inline(always)]
pub(super) fn is_zone<S: Side>(square: usize) -> bool {
    Square::trusted(square as u8).rank_for(S::COLOR) <= 3
}
