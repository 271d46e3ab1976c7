//! What an engine process is asked and answers, and how it may fail.

use super::position;
use crate::{Command, Go};
use std::time::Duration;
use tesuji_search::Answer;
use tesuji_shogi::{Move, Position, Value};

/// A position to think about, and the time there is for it.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// Where the game began.
    pub start: &'a Position,
    /// The moves since then.
    pub moves: &'a [Move],
    /// The `go` that the engine is sent.
    pub go: &'a Go,
    /// When an answer is too late; `None` if no clock counts.
    pub deadline: Option<Duration>,
}

impl MoveRequest<'_> {
    /// What an engine is sent.
    pub fn commands(&self) -> [Command; 2] {
        [
            position(self.start, self.moves),
            Command::Go(Box::new(self.go.clone())),
        ]
    }
}

/// The answer of an engine, and what its last `info` lines said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveReply {
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

/// Why an engine did not answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProcessError {
    /// It cannot be started.
    #[error("{command}: cannot be started: {why}")]
    Start {
        /// What was started.
        command: String,
        /// What the system says.
        why: String,
    },
    /// The process has ended.
    #[error("it ended without being asked to")]
    Crash,
    /// It answered after the deadline. It can be asked again.
    #[error("it took {0:?}")]
    Late(Duration),
    /// It was silent for too long.
    #[error("it said nothing for {0:?} after {1:?}")]
    Silent(Duration, String),
    /// Its answer is no answer of the protocol.
    #[error("it answered {0:?}")]
    Nonsense(String),
}
