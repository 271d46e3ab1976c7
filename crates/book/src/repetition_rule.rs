//! What a repetition means for a book, as its making decides and its readers follow.

use tesuji_shogi::Color;

/// What a repetition means for a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionRule {
    /// Nobody wins.
    Draw,
    /// This side loses.
    Loses(Color),
}

impl RepetitionRule {
    /// What holds where a book does not say: a repetition loses for Black.
    pub const USUAL: Self = Self::Loses(Color::Black);

    /// As files have it; 0 is for none.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Loses(Color::Black) => 1,
            Self::Loses(Color::White) => 2,
            Self::Draw => 3,
        }
    }

    pub(crate) const fn of_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::Loses(Color::Black)),
            2 => Some(Self::Loses(Color::White)),
            3 => Some(Self::Draw),
            _ => None,
        }
    }
}
