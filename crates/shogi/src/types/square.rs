//! The 81 squares, file by file from 1一, and the steps between them.
//!
//! ```text
//!   9  8  7  6  5  4  3  2  1
//!  72 63 54 45 36 27 18  9  0  a 一
//!  73 64 55 46 37 28 19 10  1  b 二
//!   …
//!  80 71 62 53 44 35 26 17  8  i 九
//! ```

use super::color::Color;
use std::fmt;
use std::ops::{Add, Index, IndexMut, Neg, Sub};
use std::str::FromStr;

/// One of the 81 squares: `(file - 1) * 9 + (rank - 1)`.
///
/// ```
/// use tesuji_shogi::{Color, Square};
/// let square: Square = "7f".parse().unwrap();
/// assert_eq!((square.file(), square.rank()), (7, 6));
/// assert_eq!(square.index(), 59);
/// assert_eq!(square.rotated().to_string(), "3d");
/// assert_eq!(square.for_color(Color::White), square.rotated());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// How many there are.
    pub const COUNT: usize = 81;

    /// The square with this index, below 81.
    #[inline(always)]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The square on this file (1 to 9) and rank (1 to 9).
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if 1 <= file && file <= 9 && 1 <= rank && rank <= 9 {
            Some(Self((file - 1) * 9 + rank - 1))
        } else {
            None
        }
    }

    /// For indices that come out of a set or a move and so are below 81 already.
    #[inline(always)]
    pub(crate) const fn trusted(index: u8) -> Self {
        debug_assert!(index < Self::COUNT as u8);
        Self(index)
    }

    /// Every square, from 1一 to 9九.
    #[inline]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// 0 to 80.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 1 to 9, from Black's right to left.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 9 + 1
    }

    /// 1 to 9, from White's side to Black's.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// The rank as `color` counts it: 1 is the last rank that colour can reach.
    #[inline]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Black => self.rank(),
            Color::White => 10 - self.rank(),
        }
    }

    /// The file as `color` counts it, from that colour's right to its left.
    #[inline]
    pub const fn file_for(self, color: Color) -> u8 {
        match color {
            Color::Black => self.file(),
            Color::White => 10 - self.file(),
        }
    }

    /// Where it is once the board is turned by half a turn.
    #[inline]
    pub const fn rotated(self) -> Self {
        Self(80 - self.0)
    }

    /// The square as a colour sees it: turned round for White.
    #[inline(always)]
    #[must_use]
    pub const fn for_color(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => self.rotated(),
        }
    }

    /// Where it is in the mirror: file 1 becomes file 9.
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self((8 - self.0 / 9) * 9 + self.0 % 9)
    }

    /// The square `files` to the left and `ranks` down from Black's view, if it is on the board.
    #[inline]
    pub const fn shifted(self, files: i8, ranks: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 1 || file > 9 || rank < 1 || rank > 9 {
            return None;
        }
        Self::at(file as u8, rank as u8)
    }

    /// The neighbour in one direction.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        let (files, ranks) = direction.delta();
        self.shifted(files, ranks)
    }
}

/// The way from one square to another: so many files to the left and ranks down, from Black's view.
///
/// The numbers of two squares have differences that mean nothing by themselves: 8 is a diagonal step
/// for most squares and the length of a file for others. An offset is one number as well, but no two
/// ways share it (OpenShogiLib's demand), it is no square, and it leads off the board instead of
/// around it.
///
/// ```
/// use tesuji_shogi::{Color, Square, SquareOffset};
/// let (from, to): (Square, Square) = ("8h".parse().unwrap(), "2b".parse().unwrap());
/// let way: SquareOffset = to - from;
/// assert_eq!((way.files(), way.ranks()), (-6, -6));
/// assert_eq!(from + way, Some(to));
/// assert_eq!(to + way, None); // off the board
/// assert_eq!(to + -way, Some(from));
/// assert_eq!(way.for_color(Color::White), -way);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct SquareOffset(i16);

impl SquareOffset {
    /// A rank more or less never amounts to a file.
    const FILE: i16 = 32;

    /// So many files to the left and ranks down; at most 8 of each, either way.
    pub const fn new(files: i8, ranks: i8) -> Self {
        assert!(-8 <= files && files <= 8 && -8 <= ranks && ranks <= 8);
        Self(files as i16 * Self::FILE + ranks as i16)
    }

    /// How many files to the left.
    pub const fn files(self) -> i8 {
        ((self.0 + Self::FILE / 2).div_euclid(Self::FILE)) as i8
    }

    /// How many ranks down.
    pub const fn ranks(self) -> i8 {
        (self.0 - self.files() as i16 * Self::FILE) as i8
    }

    /// The same way as a colour sees it: turned round for White.
    #[must_use]
    pub const fn for_color(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => Self(-self.0),
        }
    }
}

impl From<Direction> for SquareOffset {
    fn from(direction: Direction) -> Self {
        let (files, ranks) = direction.delta();
        Self::new(files, ranks)
    }
}

impl Neg for SquareOffset {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The way from the other square to this one.
impl Sub for Square {
    type Output = SquareOffset;
    fn sub(self, other: Self) -> SquareOffset {
        SquareOffset::new(
            self.file() as i8 - other.file() as i8,
            self.rank() as i8 - other.rank() as i8,
        )
    }
}

/// Where a way leads, if it stays on the board.
impl Add<SquareOffset> for Square {
    type Output = Option<Self>;
    fn add(self, way: SquareOffset) -> Option<Self> {
        self.shifted(way.files(), way.ranks())
    }
}

/// The eight directions, from Black's view: north is towards rank 1, west towards file 9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "compass points explain themselves")]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// Clockwise from north. A direction and its opposite are four apart.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// The same direction seen from the other side of the board.
    #[inline]
    pub const fn reversed(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }

    /// By how many files and ranks one step moves.
    #[inline]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::North => (0, -1),
            Self::NorthEast => (-1, -1),
            Self::East => (-1, 0),
            Self::SouthEast => (-1, 1),
            Self::South => (0, 1),
            Self::SouthWest => (1, 1),
            Self::West => (1, 0),
            Self::NorthWest => (1, -1),
        }
    }
}

/// As in USI: `7f`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), (b'a' + self.rank() - 1) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a text is not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a square is a file 1-9 and a rank a-i, such as 7f")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;
    fn from_str(text: &str) -> Result<Self, SquareError> {
        match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => {
                Self::at(file - b'0', rank - b'a' + 1).ok_or(SquareError)
            }
            _ => Err(SquareError),
        }
    }
}

/// One thing for each square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BySquare<T>(pub [T; 81]);

impl<T> Index<Square> for BySquare<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, square: Square) -> &T {
        &self.0[square.index()]
    }
}

impl<T> IndexMut<Square> for BySquare<T> {
    #[inline(always)]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_way_has_a_number_of_its_own_and_leads_there() {
        let mut ways = HashMap::new();
        for from in Square::all() {
            for to in Square::all() {
                let way = to - from;
                let delta = (
                    to.file() as i8 - from.file() as i8,
                    to.rank() as i8 - from.rank() as i8,
                );
                assert_eq!((way.files(), way.ranks()), delta);
                assert_eq!(*ways.entry(way).or_insert(delta), delta);
                assert_eq!(from + way, Some(to));
                assert_eq!(way.for_color(Color::White), from - to);
            }
        }
        assert_eq!(ways.len(), 17 * 17);
        for direction in Direction::ALL {
            for square in Square::all() {
                assert_eq!(square + direction.into(), square.step(direction));
            }
        }
    }
}
