//! Scores, mate distances and bounds.

use super::piece::PieceKind;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// How good a position is for the side to move; a pawn is about 100.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Value(i32);

impl Value {
    /// Neither side is better.
    pub const ZERO: Self = Self(0);
    /// Mate on the board; a mate in n plies is worth n less.
    pub const MATE: Self = Self(32_000);
    /// Beyond every value.
    pub const INFINITE: Self = Self(32_001);
    /// From here on a value is a mate found in at most 1000 plies.
    pub const MATE_FLOOR: Self = Self(31_000);

    /// A value from a number.
    #[inline(always)]
    pub const fn new(points: i32) -> Self {
        Self(points)
    }

    /// The number.
    #[inline(always)]
    pub const fn points(self) -> i32 {
        self.0
    }

    /// The side to move mates in so many plies.
    pub const fn mate_in(plies: i32) -> Self {
        Self(Self::MATE.0 - plies)
    }

    /// The side to move is mated in so many plies.
    pub const fn mated_in(plies: i32) -> Self {
        Self(plies - Self::MATE.0)
    }

    /// The plies to the mate, negative if the side to move is mated; `None` if no mate is known.
    pub const fn mate_distance(self) -> Option<i32> {
        if self.0 >= Self::MATE_FLOOR.0 {
            Some(Self::MATE.0 - self.0)
        } else if self.0 <= -Self::MATE_FLOOR.0 {
            Some(-Self::MATE.0 - self.0)
        } else {
            None
        }
    }
}

macro_rules! arithmetic {
    ($($name:ident $method:ident $assign:ident $assign_method:ident)*) => {$(
        impl $name for Value {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
        impl $assign for Value {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                self.0.$assign_method(other.0);
            }
        }
    )*};
}
arithmetic!(Add add AddAssign add_assign Sub sub SubAssign sub_assign);

impl Neg for Value {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// This is the true value.
    Exact,
}

impl PieceKind {
    /// What a piece on the board is worth in an exchange.
    pub const fn worth(self) -> Value {
        Value(match self {
            Self::Pawn => 100,
            Self::Lance => 300,
            Self::Knight => 350,
            Self::Silver => 500,
            Self::Gold
            | Self::PromotedPawn
            | Self::PromotedLance
            | Self::PromotedKnight
            | Self::PromotedSilver => 550,
            Self::Bishop => 800,
            Self::Rook => 950,
            Self::Horse => 1050,
            Self::Dragon => 1250,
            Self::King => 15_000,
        })
    }
}
