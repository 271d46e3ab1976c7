//! What a page may ask for: one enum for each tab, so that no request reaches another tab.

use crate::protocol::engines::EnginesRequest;
use crate::protocol::explore::ExploreRequest;
use crate::protocol::library::LibraryRequest;
use crate::protocol::look::LookRequest;
use crate::protocol::position::ColorLetter;
pub(crate) use crate::protocol::tab::{GameTab, RecordSource, Tab};
use crate::protocol::times::GameTimes;
use crate::protocol::train::TrainRequest;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// The first message of a page: which session it belongs to and which tab it shows.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct Hello {
    pub(crate) session: String,
    pub(crate) tab: Tab,
    /// The code of an invitation: the page shows the game of whoever invited.
    #[serde(default)]
    pub(crate) guest: Option<String>,
}

/// Every later message of a page.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// The page shows another tab.
    Show(Tab),
    /// The page asks for the game of a tab as a file.
    Save {
        tab: GameTab,
        format: String,
        encoding: String,
    },
    /// The page asks for a link that holds the game of a tab.
    Share(GameTab),
    /// The page asks for an address for another device, or for a guest.
    Invite(InvitationKind),
    /// The page asks for every position of the main line of a tab, to draw them.
    Positions(GameTab),
    Play(PlayRequest),
    Analyse(AnalyseRequest),
    Solve(SolveRequest),
    Learn(LearnRequest),
    Explore(ExploreRequest),
    Library(LibraryRequest),
    Train(TrainRequest),
    Look(LookRequest),
    Engines(EnginesRequest),
}

/// Whom an invitation is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum InvitationKind {
    /// The same user on another device, with all games.
    Session,
    /// Another person, who plays one side of the game and sees nothing else.
    Guest { color: ColorLetter },
}

/// What the play tab asks for.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum PlayRequest {
    NewGame(NewGame),
    Move {
        #[serde(rename = "move")]
        mv: String,
    },
    TakeBack,
    Hint,
    Resign,
    Declare,
    /// Stops the clocks and the engine, or lets them go on.
    Pause {
        on: bool,
    },
    /// Shows an earlier position of the game; `None` shows the last one.
    GoTo {
        node: Option<usize>,
    },
}

/// How a game begins.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    pub(crate) black: PlayerKind,
    pub(crate) white: PlayerKind,
    pub(crate) start: StartPosition,
    pub(crate) clock: Option<GameTimes>,
    /// How long a move of the engine takes at least, in milliseconds.
    pub(crate) pace: u64,
}

/// Where a game begins.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StartPosition {
    /// A handicap by its number in the list of all, 0 for none.
    Handicap(usize),
    Sfen(String),
}

/// Who moves the pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "who")]
pub(crate) enum PlayerKind {
    /// A person at the board.
    Person,
    /// The engine; the strength goes from 0 (a beginner) to 20 (everything it has).
    Engine { strength: u32 },
}

/// What the analysis tab asks for.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum AnalyseRequest {
    GoTo {
        node: usize,
    },
    Move {
        #[serde(rename = "move")]
        mv: String,
    },
    /// Removes a node with everything behind it.
    Remove {
        node: usize,
    },
    /// Makes the line of a node the main line.
    Promote {
        node: usize,
    },
    Comment {
        node: usize,
        text: String,
    },
    /// Replaces the game by a record or a position; of several games in it the one with the number,
    /// from 0. Work that is nowhere else is replaced only if `replace` says so, here and below.
    Load {
        record: RecordSource,
        #[serde(default)]
        number: Option<usize>,
        #[serde(default)]
        replace: bool,
    },
    /// Replaces the game by one that begins with a position.
    SetPosition {
        sfen: String,
        #[serde(default)]
        replace: bool,
    },
    /// Replaces the game by the one of the play tab, and reviews it if told how long a move may take.
    LoadPlayedGame {
        #[serde(default)]
        replace: bool,
        #[serde(default)]
        review: Option<u64>,
    },
    /// Starts the engine on the position shown, or stops it.
    SetEngine {
        on: bool,
        lines: usize,
    },
    /// Evaluates every position of the main line.
    AnalyseGame {
        millis: u64,
    },
    StopAnalysingGame,
    /// Compares another move with the best one at the position before a slip.
    Try {
        node: usize,
        #[serde(rename = "move")]
        mv: String,
    },
    /// Adds the better line of a slip as a variation.
    AddBetterLine {
        node: usize,
    },
}

/// What the tab for mate problems asks for.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum SolveRequest {
    GoTo {
        node: usize,
    },
    Move {
        #[serde(rename = "move")]
        mv: String,
    },
    /// Replaces the problem.
    Load {
        record: RecordSource,
    },
    Solve,
    /// Looks for the mate after every defence, or for the mate of an attacker's position.
    SolveDefences,
    Stop,
}

/// What the tab with the course asks for.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub(crate) enum LearnRequest {
    Lesson(LessonRequest),
}

/// A lesson: a rung of the ladder, and what it searches.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct LessonRequest {
    pub(crate) rung: String,
    pub(crate) root: LessonRoot,
    /// The first guess of MTD(f).
    pub(crate) guess: i32,
}

/// What a lesson searches.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum LessonRoot {
    /// A tree as text; `None` is the tree of the course.
    Tree(Option<String>),
    Position {
        sfen: String,
        depth: u32,
    },
}
