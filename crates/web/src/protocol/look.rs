//! Looking at a position: where a line leads, what a move did, what is threatened, what it is called.

use crate::protocol::position::{MoveNames, MoveView, PositionView};
use crate::protocol::tab::GameTab;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What may be asked about a position. Nothing is changed by it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum LookRequest {
    /// A position with its legal moves.
    Start { sfen: String },
    /// The position behind a line.
    Line { sfen: String, line: Vec<String> },
    /// What a move does. With `solo` the same side moves again.
    Move {
        sfen: String,
        #[serde(rename = "move")]
        mv: String,
        solo: bool,
    },
    /// What the opponent would play if it were his move.
    Threat { sfen: String },
    /// Whether one move makes mate unavoidable.
    Brinkmate { sfen: String },
    /// The names of the opening and of the castles at the current move of a tab.
    Names { tab: GameTab },
}

/// What is said about a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "what")]
pub(crate) enum LookMessage {
    Line {
        position: PositionView,
    },
    Move {
        position: PositionView,
        facts: MoveFacts,
    },
    Threat(ThreatView),
    Brinkmate(BrinkmateView),
    Names {
        opening: Option<MoveNames>,
        /// Black's and White's castle.
        castles: [Option<MoveNames>; 2],
    },
}

/// What a move did.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct MoveFacts {
    pub(crate) took: bool,
    pub(crate) check: bool,
    pub(crate) mate: bool,
    /// The castle of the side that moved.
    pub(crate) castle: Option<MoveNames>,
}

/// What is threatened in a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ThreatView {
    pub(crate) sfen: String,
    /// What the opponent would play.
    pub(crate) moves: Vec<MoveView>,
    /// For Black.
    pub(crate) value: i32,
    /// How many plies a mate takes that is threatened (詰めろ).
    pub(crate) mate: Option<usize>,
}

/// Whether mate can be made unavoidable.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct BrinkmateView {
    pub(crate) sfen: String,
    pub(crate) found: BrinkmateFound,
    pub(crate) moves: Vec<MoveView>,
}

/// What the search for a brinkmate found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BrinkmateFound {
    Mate,
    Brinkmate,
    None,
    Unknown,
}
