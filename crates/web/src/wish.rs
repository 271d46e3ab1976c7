//! What a page may ask for.

use crate::clock::Control;
use serde::{Deserialize, Serialize};

/// The corner of a desk that a page shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Corner {
    Play,
    Study,
    Problem,
    Learn,
}

/// Who moves the pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "who")]
pub(crate) enum Seat {
    /// Somebody at the board.
    Person,
    /// The engine, from 0 (a beginner) to 20 (everything it has).
    Engine { strength: u32 },
}

/// One message of a page.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "do")]
pub(crate) enum Wish {
    /// The first words: which desk, which corner of it.
    Hello {
        desk: String,
        corner: Corner,
    },
    /// Shows another corner.
    Show {
        corner: Corner,
    },

    /// Begins a game.
    Begin {
        black: Seat,
        white: Seat,
        /// A handicap by its place in the list, or a position.
        #[serde(default)]
        handicap: usize,
        #[serde(default)]
        sfen: Option<String>,
        #[serde(default)]
        clock: Option<Control>,
        /// How long a move of the engine takes at least, in milliseconds.
        #[serde(default)]
        pace: u64,
    },
    /// Plays a move in the game.
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
    /// Looks at an earlier position of the game; nothing looks at the last.
    Look {
        node: Option<usize>,
    },
    /// Takes the game over into the study.
    StudyGame,

    /// Goes to a node of the study.
    Go {
        node: usize,
    },
    /// Plays a move in the study.
    Try {
        #[serde(rename = "move")]
        mv: String,
    },
    Remove {
        node: usize,
    },
    Promote {
        node: usize,
    },
    Comment {
        node: usize,
        text: String,
    },
    /// Reads a record or a position, as text or as the bytes of a file in base 64.
    Load {
        #[serde(default)]
        text: Option<String>,
        #[serde(default)]
        bytes: Option<String>,
        /// The name of the file.
        #[serde(default)]
        name: Option<String>,
    },
    /// Begins a study with a position from the editor or a handicap.
    SetUp {
        sfen: String,
    },
    /// Lets the engine think about the position, or stops it.
    Think {
        on: bool,
        lines: usize,
    },
    /// Judges every position of the main line.
    Judge {
        millis: u64,
    },
    StopJudging,
    /// Asks for the game as a file; `corner` says which.
    Save {
        corner: Corner,
        format: String,
        #[serde(default)]
        encoding: Option<String>,
    },
    /// Asks for a link that holds the game.
    Link {
        corner: Corner,
    },

    /// Sets a mate problem.
    Pose {
        #[serde(default)]
        text: Option<String>,
        #[serde(default)]
        bytes: Option<String>,
        #[serde(default)]
        name: Option<String>,
    },
    Solve,
    StopSolving,
    /// Looks for the mate after every defence, or for the mate of an attacker's position.
    Defences,
    /// Goes to a node of the solution.
    Step {
        node: usize,
    },
    /// Plays a move in the problem.
    Answer {
        #[serde(rename = "move")]
        mv: String,
    },

    /// A lesson: a rung on a drawn tree, or on a position.
    Lesson {
        rung: String,
        #[serde(default)]
        tree: Option<String>,
        #[serde(default)]
        guess: i32,
        #[serde(default)]
        sfen: Option<String>,
        #[serde(default)]
        depth: u32,
    },
}
