//! What was thought of a position.

use tesuji_shogi::{Move, Value};

/// What an engine thought of the position after a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evaluation {
    /// How good it is **for Black**, whoever is to move; a pawn is about 100.
    pub value: Value,
    /// How deep the search was.
    pub depth: Option<u32>,
    /// How many positions it visited.
    pub nodes: Option<u64>,
    /// What was expected to follow, beginning with the reply to the move.
    pub line: Vec<Move>,
}

impl Evaluation {
    /// A value for Black, and nothing more.
    pub const fn of(value: Value) -> Self {
        Self {
            value,
            depth: None,
            nodes: None,
            line: Vec::new(),
        }
    }
}
