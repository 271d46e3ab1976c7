//! What a search answers.

use tesuji_shogi::{Move, Value};

/// The answer of a search, and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// What to do.
    pub answer: Answer,
    /// The reply that is expected, to ponder on.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub value: Value,
    /// How many iterations were completed.
    pub depth: u32,
    /// How many nodes were searched.
    pub nodes: u64,
    /// The principal variation, beginning with the move played.
    pub pv: Vec<Move>,
}

/// What a player does when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Plays a move.
    Move(Move),
    /// Gives up: there is no legal move.
    Resign,
    /// Declares that its king has entered.
    Declare,
}

impl Answer {
    /// The move that is played, if one is.
    pub const fn played(self) -> Option<Move> {
        match self {
            Self::Move(mv) => Some(mv),
            Self::Resign | Self::Declare => None,
        }
    }
}
