//! The training tab: what a page asks for, and what it is sent.

use crate::protocol::position::{MoveView, PositionView};
use crate::protocol::tab::RecordSource;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What the training tab asks for. The page says where it is; the server remembers what was solved.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum TrainRequest {
    /// The sets of problems, and what was solved of them.
    Sets,
    /// A problem of a set by its number, or the first one from there on that is not solved yet.
    Problem {
        set: String,
        number: usize,
        unsolved: bool,
    },
    /// A move after the moves of a line.
    Move(TrainMove),
    /// Where the next move begins, then the move itself.
    Hint {
        set: String,
        number: usize,
        line: Vec<String>,
    },
    /// The whole solution from the line on; the problem counts as not solved.
    Solution {
        set: String,
        number: usize,
        line: Vec<String>,
    },
    /// Adds the problems of a text or a file as a set.
    AddSet { name: String, record: RecordSource },
    /// Takes a set of the user's away.
    RemoveSet { name: String },
    /// What the solver knows about a position behind a line: every defence with its mate.
    Explore { sfen: String, line: Vec<String> },
}

/// A move of whoever solves a problem.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainMove {
    pub(crate) set: String,
    pub(crate) number: usize,
    pub(crate) line: Vec<String>,
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// Whether neither a hint nor another move was tried before.
    pub(crate) clean: bool,
}

/// What the training tab is sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "what")]
pub(crate) enum TrainMessage {
    Sets {
        sets: Vec<ProblemSetView>,
        progress: SolvingProgress,
        /// The set that was taken away, to add it again.
        removed: Option<RemovedSet>,
    },
    Problem(ProblemView),
    Step(StepView),
    Hint {
        /// The square or the piece in hand that moves.
        origin: String,
        #[serde(rename = "move")]
        mv: MoveView,
    },
    Solution {
        moves: Vec<MoveView>,
    },
    Proof(ProofView),
}

/// A set of problems.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ProblemSetView {
    pub(crate) name: String,
    pub(crate) kind: SetKind,
    /// How long the mates of a set inside the program are.
    pub(crate) plies: Option<u16>,
    pub(crate) total: usize,
    pub(crate) solved: usize,
}

/// What a set holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SetKind {
    Mate,
    Brinkmate,
    /// Problems that the user brought.
    Own,
}

/// What was solved so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct SolvingProgress {
    /// Problems solved at once, one after the other.
    pub(crate) streak: u64,
    pub(crate) best: u64,
    pub(crate) solved: u64,
    pub(crate) today: u64,
}

/// A set that was taken away.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct RemovedSet {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A problem.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ProblemView {
    pub(crate) set: String,
    pub(crate) number: usize,
    pub(crate) total: usize,
    pub(crate) kind: SetKind,
    /// How long the solution is, if it is known.
    pub(crate) plies: Option<u16>,
    pub(crate) unique: bool,
    pub(crate) solved: bool,
    pub(crate) position: PositionView,
}

/// What came of a move.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct StepView {
    pub(crate) verdict: StepVerdict,
    /// The position now: after the defence if the move was right, else before the move.
    pub(crate) position: PositionView,
    /// The moves up to there.
    pub(crate) line: Vec<MoveView>,
    /// How many plies are left to the mate.
    pub(crate) left: Option<usize>,
    pub(crate) progress: SolvingProgress,
}

/// Whether a move was right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StepVerdict {
    /// It was, and the defender answered.
    Right,
    Solved,
    /// Every move of a mate problem gives check.
    NoCheck,
    /// The king escapes.
    Wrong,
    /// It mates, but not as soon as possible.
    Longer,
    /// The solver could not tell in time.
    Unclear,
}

/// What the solver knows about a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ProofView {
    pub(crate) sfen: String,
    pub(crate) line: Vec<String>,
    /// Whether the attacker is to move.
    pub(crate) attacks: bool,
    pub(crate) branches: Vec<ProofBranch>,
}

/// A move of a proof.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ProofBranch {
    #[serde(rename = "move")]
    pub(crate) mv: MoveView,
    /// Plies to the mate after it; `None` if there is none, or it is not known.
    pub(crate) mate: Option<usize>,
    /// Whether it is known that there is none.
    pub(crate) escapes: bool,
    /// The attacker's answer.
    pub(crate) answer: Option<MoveView>,
}
