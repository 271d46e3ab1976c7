//! One `go` with everything that belongs to it, shared by the thread that reads commands, the one
//! that searches, and the watchdog.

use crate::answer::AnswerGate;
use crate::config::EngineConfig;
use std::sync::Arc;
use tesuji_book::probe::Selection;
use tesuji_search::SearchRequest;
use tesuji_shogi::{Color, Move, Position, Value};
use tesuji_usi::BestMove;

/// A `go`.
pub(crate) struct RunningGo {
    /// What the search is asked.
    pub(crate) request: SearchRequest,
    /// Whether a mate is looked for, and `checkmate` is the answer.
    pub(crate) for_mate: bool,
    /// Whether the mate should be the shortest.
    pub(crate) shortest_mate: bool,
    pub(crate) config: EngineConfig,
    /// How the book is asked; `None` if it is not.
    pub(crate) book: Option<Selection>,
    /// Resigns when the position is worth no more than this.
    pub(crate) resign: Option<Value>,
    pub(crate) answer: Arc<AnswerGate>,
    /// The `go` before: answers come in the order of the commands.
    pub(crate) earlier: Option<Arc<AnswerGate>>,
    /// Whose clock runs, and at which move.
    pub(crate) turn: Color,
    pub(crate) ply: u32,
    /// Whether it will end once the clock runs, be the clock told or not.
    pub(crate) has_limit: bool,
    /// Whether the clock may end it.
    pub(crate) is_timed: bool,
}

impl RunningGo {
    /// The position to think about.
    pub(crate) fn position(&self) -> &Position {
        &self.request.position
    }

    /// Whether a position of this value is resigned.
    pub(crate) fn resigns(&self, value: Value) -> bool {
        self.resign.is_some_and(|worst| value <= worst)
    }
}

/// A move, and the reply that is expected if it is a legal one.
pub(crate) fn with_ponder(pos: &Position, mv: Move, ponder: Option<Move>) -> BestMove {
    let after = || {
        let mut pos = pos.clone();
        pos.play(mv);
        pos
    };
    let ponder = ponder.filter(|&reply| after().is_legal(reply));
    BestMove::Move { mv, ponder }
}
