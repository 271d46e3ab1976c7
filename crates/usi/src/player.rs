//! Whoever can be asked for a move, and how it may fail.

use crate::Go;
use std::time::Duration;
use tesuji_search::Answer;
use tesuji_shogi::{Move, Position, Value};

/// Somebody who plays games. Processes do; so do tests.
pub trait Player: Send {
    /// Gets ready for a game.
    ///
    /// # Errors
    /// If it cannot play.
    fn begin(&mut self) -> Result<(), PlayerError>;

    /// Thinks about a position and answers.
    ///
    /// # Errors
    /// If it does not, or answers nonsense.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, PlayerError>;

    /// Thinks on the other side's time about a position that may come: its last move is a guess.
    /// Whether it was right is seen from the next question.
    fn ponder(&mut self, _turn: &Turn<'_>) {}

    /// Hears how the game ended: whether it won, or `None` for a draw.
    fn end(&mut self, won: Option<bool>);
}

/// A position and what is known about the time.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Where the game began.
    pub start: &'a Position,
    /// The moves since then.
    pub moves: &'a [Move],
    /// What the player is told.
    pub go: &'a Go,
    /// When an answer is too late; `None` if no clock counts.
    pub deadline: Option<Duration>,
}

/// An answer, and what the player said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// What it does.
    pub answer: Answer,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// How long it took, seen from outside.
    pub time: Duration,
    /// What it thinks the position is worth.
    pub value: Option<Value>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// At how many positions.
    pub nodes: Option<u64>,
}

/// Why a player did not answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// It cannot be started.
    #[error("{command}: cannot be started: {why}")]
    Start {
        /// What was started.
        command: String,
        /// What the system says.
        why: String,
    },
    /// It is gone.
    #[error("it ended without being asked to")]
    Crash,
    /// It thought longer than it may. Afterwards it can be asked again.
    #[error("it took {0:?}")]
    Late(Duration),
    /// It said nothing for a long time.
    #[error("it said nothing for {0:?} after {1:?}")]
    Silent(Duration, String),
    /// Its answer makes no sense.
    #[error("it answered {0:?}")]
    Nonsense(String),
}
