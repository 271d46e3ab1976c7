//! A sum of weights.

/// A sum for the board, and one for whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalSum {
    /// What is good for the side that looks.
    pub board: i32,
    /// What is good for the side to move.
    pub turn: i32,
}

impl EvalSum {
    /// Nothing.
    pub const ZERO: Self = Self { board: 0, turn: 0 };

    /// Both sums together. Files may hold any numbers, so sums wrap around.
    #[inline(always)]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            board: self.board.wrapping_add(other.board),
            turn: self.turn.wrapping_add(other.turn),
        }
    }

    /// This sum without the other.
    #[inline(always)]
    pub const fn minus(self, other: Self) -> Self {
        Self {
            board: self.board.wrapping_sub(other.board),
            turn: self.turn.wrapping_sub(other.turn),
        }
    }
}

impl std::iter::Sum for EvalSum {
    #[inline(always)]
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        sums.fold(Self::ZERO, Self::plus)
    }
}

/// A sum for the board alone.
impl From<i32> for EvalSum {
    #[inline(always)]
    fn from(board: i32) -> Self {
        Self { board, turn: 0 }
    }
}
