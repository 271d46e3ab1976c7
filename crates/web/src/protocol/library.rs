//! The library of games: what a page asks for, and what it is sent.

use crate::protocol::position::MoveNames;
use crate::user_error::UserError;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What the library is asked for.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum LibraryRequest {
    /// The games that fit, so many of them.
    Find(GameSearch),
    /// Loads a game into the analysis tab; what is changed there is kept in its place.
    Open { id: u64 },
    /// Loads an earlier state of a game into the analysis tab, as a game of its own.
    OpenVersion { version: u64 },
    /// Gives a game other names.
    Rename { id: u64, names: GameNames },
    /// Puts games into the bin.
    Delete { ids: Vec<u64> },
    /// Takes games out of the bin.
    Restore { ids: Vec<u64> },
    /// Takes back what was done last, or what an act with a number did.
    Undo { act: u64 },
    /// Adds every game of some files. All parts of one import have the number of the first answer.
    Import {
        act: Option<u64>,
        files: Vec<RecordFile>,
    },
    /// The records of games in a format.
    Export { ids: Vec<u64>, format: String },
    /// The earlier states of a game.
    Versions { id: u64 },
}

/// Which games are looked for; an empty field fits every game.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct GameSearch {
    /// Words of the players, the event or the opening.
    pub(crate) text: String,
    /// The first and the last day, as 2026-11-15.
    pub(crate) from: String,
    pub(crate) to: String,
    /// The opening by its English name.
    pub(crate) opening: String,
    /// A position that occurs.
    pub(crate) sfen: Option<String>,
    /// Where the game comes from.
    pub(crate) source: Option<GameSource>,
    /// Whether the bin is looked into.
    pub(crate) deleted: bool,
    pub(crate) order: GameOrder,
    pub(crate) offset: u32,
    /// How many are sent at most; 0 is only counted.
    pub(crate) limit: u32,
}

/// What comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GameOrder {
    #[default]
    Changed,
    Date,
    Black,
    White,
    Plies,
}

/// Where a game of the library comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GameSource {
    Played,
    Analysed,
    Imported,
}

/// The names of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct GameNames {
    pub(crate) black: String,
    pub(crate) white: String,
    pub(crate) event: String,
}

/// A file by its name and its bytes in base 64.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordFile {
    pub(crate) name: String,
    pub(crate) bytes: String,
}

/// What the library says.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "what")]
pub(crate) enum LibraryMessage {
    /// Games that were looked for.
    Games {
        total: u64,
        offset: u32,
        games: Vec<LibraryGame>,
        /// The openings of all games, the most frequent first.
        openings: Vec<OpeningCount>,
        /// How many games are in the bin.
        binned: u64,
        /// What can be taken back.
        last: Option<ActView>,
    },
    /// Something was done; it can be taken back.
    Done {
        act: Option<ActView>,
    },
    /// The analysis tab has the game now.
    Opened,
    Imported {
        act: u64,
        added: u64,
        /// How many were there already.
        known: u64,
        failed: Vec<ImportFailure>,
    },
    Records {
        files: Vec<RecordText>,
    },
    Versions {
        id: u64,
        versions: Vec<VersionView>,
    },
}

/// A game in the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct LibraryGame {
    pub(crate) id: u64,
    pub(crate) names: GameNames,
    pub(crate) date: String,
    pub(crate) opening: Option<MoveNames>,
    /// "b", "w", "d" or nothing.
    pub(crate) result: String,
    pub(crate) plies: u32,
    /// Nothing if this program has no such source.
    pub(crate) source: Option<GameSource>,
    /// How many earlier states of it are kept.
    pub(crate) versions: u32,
}

/// How many games have an opening.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct OpeningCount {
    pub(crate) name: MoveNames,
    pub(crate) count: u64,
}

/// Something that was done and can be taken back.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ActView {
    pub(crate) act: u64,
    pub(crate) kind: ActKind,
    /// How many games it changed.
    pub(crate) games: u64,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ActKind {
    Delete,
    Restore,
    Rename,
    Import,
}

/// Why a game of a file was not added.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ImportFailure {
    pub(crate) name: String,
    pub(crate) why: UserError,
}

/// A record as a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct RecordText {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// An earlier state of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct VersionView {
    pub(crate) version: u64,
    /// When it was replaced, in seconds since 1970.
    pub(crate) at: u64,
    pub(crate) plies: u32,
}
