//! A set of squares.
//!
//! Sets of squares as words of bits are as old as the Soviet chess program Kaissa's forerunner
//! (Adelson-Velsky and others 1970); for shogi they were described by Grimbergen (2007). The split
//! into files 1 to 7 and 8 to 9 is Apery's.

use crate::types::square::Square;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
use tesuji_kernels::{Bits, LOW_BITS};

/// A set of squares: files 1 to 7 in the first word, files 8 and 9 in the second, so that no file
/// is split and a step along a file is a shift of both words.
///
/// ```
/// use tesuji_shogi::{Bitboard, Square};
/// let corner: Square = "9i".parse().unwrap();
/// let set = Bitboard::of(corner) | Bitboard::file(1);
/// assert_eq!(set.len(), 10);
/// assert!(set.has(corner));
/// assert_eq!(set.iter().last(), Some(corner));
/// for square in set {
///     assert!(square == corner || square.file() == 1);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C, align(16))]
pub struct Bitboard(Bits);

const FIRST_MASK: u64 = (1 << LOW_BITS) - 1;
const SECOND_MASK: u64 = (1 << (81 - LOW_BITS)) - 1;

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self([0; 2]);
    /// All 81 squares.
    pub const ALL: Self = Self([FIRST_MASK, SECOND_MASK]);

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        // 128 places, so that a masked index needs no bound check.
        static OF: [Bitboard; 128] = {
            let mut table = [Bitboard::EMPTY; 128];
            let mut i = 0;
            while i < 81 {
                let (word, bit) = if i < LOW_BITS {
                    (0, i)
                } else {
                    (1, i - LOW_BITS)
                };
                table[i].0[word] = 1 << bit;
                i += 1;
            }
            table
        };
        OF[square.index() & 127]
    }

    /// The nine squares of a file, 1 to 9; none for any other number.
    pub const fn file(file: u8) -> Self {
        match file {
            1..=7 => Self([0x1ff << ((file - 1) * 9), 0]),
            8..=9 => Self([0, 0x1ff << ((file - 8) * 9)]),
            _ => Self::EMPTY,
        }
    }

    /// The nine squares of a rank, 1 to 9; none for any other number.
    pub const fn rank(rank: u8) -> Self {
        match rank {
            1..=9 => Self([0x0040_2010_0804_0201 << (rank - 1), 0x201 << (rank - 1)]),
            _ => Self::EMPTY,
        }
    }

    /// The two words.
    #[inline(always)]
    pub const fn words(self) -> Bits {
        self.0
    }

    /// From two words; bits beyond the board are dropped.
    #[inline(always)]
    pub const fn from_words(words: Bits) -> Self {
        Self([words[0] & FIRST_MASK, words[1] & SECOND_MASK])
    }

    /// From two words that hold squares only.
    #[inline(always)]
    pub(crate) const fn trusted(words: Bits) -> Self {
        debug_assert!(words[0] & !FIRST_MASK == 0 && words[1] & !SECOND_MASK == 0);
        Self(words)
    }

    /// Whether there is no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Whether there is a square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        !self.is_empty()
    }

    /// How many squares.
    #[inline(always)]
    pub const fn len(self) -> usize {
        (self.0[0].count_ones() + self.0[1].count_ones()) as usize
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    pub const fn has_many(self) -> bool {
        // Without their lowest bits, or one bit in each word.
        let [low, high] = self.0;
        low & low.wrapping_sub(1) != 0
            || high & high.wrapping_sub(1) != 0
            || (low != 0 && high != 0)
    }

    /// Whether a square is in it.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.and(Self::of(square)).any()
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    pub const fn meets(self, other: Self) -> bool {
        self.and(other).any()
    }

    /// The square with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        let [low, high] = self.0;
        if low != 0 {
            Some(Square::trusted(low.trailing_zeros() as u8))
        } else if high != 0 {
            Some(Square::trusted(
                LOW_BITS as u8 + high.trailing_zeros() as u8,
            ))
        } else {
            None
        }
    }

    /// Calls `f` with every square, lowest index first: the fastest walk over a set.
    #[inline(always)]
    pub fn each(self, mut f: impl FnMut(Square)) {
        let [mut low, mut high] = self.0;
        while low != 0 {
            f(Square::trusted(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        while high != 0 {
            f(Square::trusted(
                LOW_BITS as u8 + high.trailing_zeros() as u8,
            ));
            high &= high - 1;
        }
    }

    /// Every square, lowest index first.
    #[inline]
    pub fn iter(self) -> SquareIter {
        SquareIter(self)
    }

    /// Every square one step towards rank 1; those on rank 1 fall off.
    #[inline(always)]
    pub const fn north(self) -> Self {
        let Self([low, high]) = self.and(Self::rank(1).complement());
        Self([low >> 1, high >> 1])
    }

    /// Every square one step towards rank 9; those on rank 9 fall off.
    #[inline(always)]
    pub const fn south(self) -> Self {
        let Self([low, high]) = self.and(Self::rank(9).complement());
        Self([low << 1, high << 1])
    }

    /// The set turned by half a turn.
    pub fn rotated(self) -> Self {
        self.iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square.rotated()))
    }

    /// `&` for constants.
    #[inline(always)]
    pub const fn and(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    /// `|` for constants.
    #[inline(always)]
    pub const fn or(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// The squares that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    /// All squares that are not in it.
    #[inline(always)]
    pub const fn complement(self) -> Self {
        Self([!self.0[0] & FIRST_MASK, !self.0[1] & SECOND_MASK])
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct SquareIter(Bitboard);

impl Iterator for SquareIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = self.0.first()?;
        self.0 ^= Bitboard::of(first);
        Some(first)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for SquareIter {}
impl FusedIterator for SquareIter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = SquareIter;
    #[inline]
    fn into_iter(self) -> SquareIter {
        self.iter()
    }
}

impl IntoIterator for &Bitboard {
    type Item = Square;
    type IntoIter = SquareIter;
    #[inline]
    fn into_iter(self) -> SquareIter {
        self.iter()
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares
            .into_iter()
            .for_each(|square| *self |= Self::of(square));
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

macro_rules! set_operations {
    ($($name:ident $method:ident $assign:ident $assign_method:ident $op:tt)*) => {$(
        impl $name for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self([self.0[0] $op other.0[0], self.0[1] $op other.0[1]])
            }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )*};
}
set_operations!(
    BitAnd bitand BitAndAssign bitand_assign &
    BitOr bitor BitOrAssign bitor_assign |
    BitXor bitxor BitXorAssign bitxor_assign ^
);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.complement()
    }
}

/// The board as nine lines, file 9 at the left.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 1..=9 {
            for file in (1..=9).rev() {
                let here = Square::at(file, rank).is_some_and(|square| self.has(square));
                write!(f, "{}", if here { " x" } else { " ." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
