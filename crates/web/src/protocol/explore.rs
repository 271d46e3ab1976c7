//! The opening explorer: what a page asks the books, and what they say.

use crate::protocol::position::MoveView;
use crate::user_error::UserError;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What the opening explorer asks for.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum ExploreRequest {
    /// What the books say about a position.
    Look { sfen: String },
    /// Gives a move of the user's own book a weight; 0 takes it out.
    Edit {
        sfen: String,
        #[serde(rename = "move")]
        mv: String,
        weight: u32,
    },
}

/// What the books say about a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ExploreMessage {
    pub(crate) sfen: String,
    pub(crate) books: Vec<BookView>,
}

/// One book.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct BookView {
    /// The name of the user's file; `None` for the own book and the one inside the program.
    pub(crate) name: Option<String>,
    /// Whether it is the one that the page edits.
    pub(crate) is_own: bool,
    /// Why it cannot be edited.
    pub(crate) problem: Option<UserError>,
    pub(crate) moves: Vec<BookMoveView>,
}

/// A move of a book.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct BookMoveView {
    #[serde(rename = "move")]
    pub(crate) view: MoveView,
    /// The value for Black, if somebody gave one.
    pub(crate) value: Option<i32>,
    pub(crate) depth: i32,
    pub(crate) count: u64,
    /// Games won by whoever played it.
    pub(crate) won: u32,
    pub(crate) lost: u32,
    pub(crate) win: Option<WinView>,
}

/// Who wins by what was played behind a move.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct WinView {
    /// Whether the side that plays the move wins; otherwise it loses.
    pub(crate) wins: bool,
    /// After how many plies; `None` if by a repetition.
    pub(crate) plies: Option<u32>,
    /// How often the position behind it was challenged.
    pub(crate) challenges: u32,
    /// Whether a mate solver proved it.
    pub(crate) proven: bool,
}
