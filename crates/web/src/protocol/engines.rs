//! The tab with the engines: what a page asks for, and what it is sent.

use crate::protocol::position::{LineView, PositionView};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What the tab with the engines asks for. What starts programs or reads files is only done for a page
/// on this machine.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum EnginesRequest {
    /// All engines and how they are set.
    State,
    /// Sets up the engine inside the program.
    Configure(BuiltinSettings),
    /// Adds a USI engine by its path and starts it to see its options.
    Add {
        path: String,
        options: Vec<(String, String)>,
    },
    /// Sets options of an engine; those that are not named have their defaults.
    SetOptions {
        engine: u64,
        options: Vec<(String, String)>,
    },
    Remove {
        engine: u64,
    },
    /// Lets two engines think about a position side by side; 0 is the one inside the program, and
    /// the players of the past have numbers of their own.
    Compare {
        engines: [u64; 2],
        sfen: String,
    },
    /// What both say now.
    Lines,
    StopComparing,
    StartTournament(TournamentSettings),
    /// How the tournament stands.
    Standings,
    StopTournament,
}

/// How the engine inside the program is set up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct BuiltinSettings {
    pub(crate) threads: usize,
    /// In megabytes.
    pub(crate) hash: usize,
    /// `builtin`, or the path of a file.
    pub(crate) eval: String,
    /// The path of a book; empty for none.
    pub(crate) book: String,
    /// What the player is put together from, as words `part=value`; empty for what is usual.
    #[serde(default)]
    pub(crate) parts: String,
}

/// What a player of this program can be put together from.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct PlayerChoices {
    pub(crate) search: Vec<String>,
    pub(crate) board: Vec<String>,
    pub(crate) table: Vec<String>,
    /// The players of the past.
    pub(crate) past: Vec<PastPlayerView>,
}

/// A player of the past.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct PastPlayerView {
    /// Its number among the engines.
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) parts: String,
    pub(crate) eval: String,
}

/// A tournament.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentSettings {
    /// The players; 0 is the engine inside the program, and the players of the past have numbers of
    /// their own.
    pub(crate) engines: Vec<u64>,
    /// How many times each meets each other, with both colours.
    pub(crate) rounds: usize,
    /// How long a move takes, in milliseconds.
    pub(crate) millis: u64,
}

/// What the tab with the engines is sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "what")]
pub(crate) enum EnginesMessage {
    State {
        builtin: BuiltinSettings,
        /// How many threads this machine has.
        cores: usize,
        engines: Vec<EngineView>,
        choices: PlayerChoices,
        /// Whether this page may start programs and read files.
        local: bool,
    },
    Lines {
        sides: Vec<SideView>,
    },
    Standings {
        #[serde(flatten)]
        standings: StandingsView,
        /// The game that is being played.
        live: Option<LiveGameView>,
    },
}

/// A game of a tournament that is being played.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct LiveGameView {
    pub(crate) black: String,
    pub(crate) white: String,
    pub(crate) plies: usize,
    pub(crate) position: PositionView,
}

/// An engine that was added.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct EngineView {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) options: Vec<OptionView>,
    /// Why it cannot be used, if it cannot.
    pub(crate) error: Option<String>,
}

/// An option of an engine.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct OptionView {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) control: OptionControl,
}

/// How an option is set.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub(crate) enum OptionControl {
    Check {
        default: bool,
    },
    Spin {
        default: i32,
        min: i32,
        max: i32,
    },
    Combo {
        default: String,
        choices: Vec<String>,
    },
    Button,
    Text {
        default: String,
    },
    File {
        default: String,
    },
}

/// What one of two engines says.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct SideView {
    pub(crate) name: String,
    pub(crate) lines: Vec<LineView>,
    pub(crate) error: Option<String>,
}

/// How a tournament stands.
#[derive(Clone, Default, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct StandingsView {
    pub(crate) running: bool,
    pub(crate) done: usize,
    pub(crate) total: usize,
    pub(crate) players: Vec<TournamentStanding>,
    pub(crate) games: Vec<TournamentGame>,
    pub(crate) error: Option<String>,
}

/// One player of a tournament.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct TournamentStanding {
    pub(crate) name: String,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Points against each player, in their order.
    pub(crate) against: Vec<f64>,
}

/// A game of a tournament that is over.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct TournamentGame {
    pub(crate) black: String,
    pub(crate) white: String,
    /// "b", "w" or "d".
    pub(crate) result: String,
    pub(crate) end: String,
    pub(crate) plies: usize,
    /// The number of the game in the library.
    pub(crate) id: u64,
}
