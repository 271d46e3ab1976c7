//! Black and White, and a pair of things, one for each.

use std::fmt;
use std::ops::{Index, IndexMut, Not};
use std::str::FromStr;

/// A player. Black (先手) moves up the board, towards rank 1, and starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// 先手
    Black = 0,
    /// 後手
    White = 1,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[inline(always)]
    pub const fn foe(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The letter of SFEN: `b` or `w`.
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'b',
            Self::White => 'w',
        }
    }
}

/// `black` or `white`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// Why a text is not a colour.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a colour: expected black or white")]
pub struct ColorError(String);

/// `black` or `white`, or the letter of SFEN.
impl FromStr for Color {
    type Err = ColorError;
    fn from_str(text: &str) -> Result<Self, ColorError> {
        match text {
            "black" | "b" => Ok(Self::Black),
            "white" | "w" => Ok(Self::White),
            _ => Err(ColorError(text.chars().take(16).collect())),
        }
    }
}

impl Not for Color {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.foe()
    }
}

/// One thing for each colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline(always)]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
