//! The parts of a player by name: `board=scan search=pvs table=none quiescence=on`.

use crate::classic::ClassicSwitches;
use crate::ladder::Rung;
use std::fmt;
use std::str::FromStr;

/// A word that names no part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found:?} is no {what}: {choices}")]
pub struct PartNameError {
    /// What was looked for.
    pub what: &'static str,
    found: String,
    choices: String,
}

impl PartNameError {
    pub(super) fn new(what: &'static str, found: &str, choices: &[&str]) -> Self {
        Self {
            what,
            found: found.chars().take(40).collect(),
            choices: choices.join(", "),
        }
    }
}

/// An enum whose values have names.
macro_rules! names {
    (
        $(#[$doc:meta])*
        $type:ident, $what:literal;
        $($(#[$each:meta])* $value:ident $name:literal $(= $default:ident)?;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $type {
            $($(#[$each])* $value),*
        }

        impl $type {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$value),*];
            /// All names.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = PartNameError;

            fn from_str(text: &str) -> Result<Self, PartNameError> {
                let is_it = |value: &&Self| value.name().eq_ignore_ascii_case(text);
                let found = Self::ALL.iter().find(is_it).copied();
                found.ok_or_else(|| PartNameError::new($what, text, Self::NAMES))
            }
        }
    };
}

names! {
    /// A board that can be searched on.
    BoardName, "board";
    /// Sets of squares.
    Position "position";
    /// 81 squares and nothing else: slow, obviously right.
    Mailbox "mailbox";
    /// 81 squares with an unrolled generator.
    Scan "scan";
}

names! {
    /// What is remembered of positions seen before.
    TableName, "table";
    /// Nothing.
    None "none";
    /// The best move and nothing else.
    BestMove "best-move";
    /// The best move and the bounds of the value.
    Bounds "bounds";
}

names! {
    /// A search.
    SearchName, "search";
    /// Looks at everything.
    Minimax "minimax";
    /// Minimax with one rule for both sides.
    Negamax "negamax";
    /// Leaves out what cannot matter; fail-hard.
    AlphaBeta "alpha-beta";
    /// Alpha-beta with one rule for both sides.
    NegaAlphaBeta "nega-alpha-beta";
    /// Alpha-beta with better answers outside the window.
    FailSoft "fail-soft";
    /// Principal variation search.
    Pvs "pvs";
    /// Asks "above or below?" only.
    Mtdf "mtdf";
    /// Fail-soft alpha-beta with a table, deeper and deeper.
    Deepening "deepening";
    /// Realization probability with one category for all moves: alpha-beta with a table.
    FullWidth "full-width";
    /// The same under MTD(f).
    FullWidthMtdf "full-width-mtdf";
    /// Realization probability with the usual categories of moves.
    Realization "realization";
    /// The same under MTD(f).
    RealizationMtdf "realization-mtdf";
    /// Realization probability with categories that generate their moves: captures, checks and
    /// answers to checks alone beyond the root.
    RealizationForcing "realization-forcing";
    /// Alpha-beta with null move, futility, reductions, killers and quiescence.
    Classic "classic";
    /// The search that plays tournaments.
    Tournament "tournament";
}

impl SearchName {
    /// The rung of the ladder it is, if it is one.
    pub const fn rung(self) -> Option<Rung> {
        Some(match self {
            Self::Minimax => Rung::Minimax,
            Self::Negamax => Rung::Negamax,
            Self::AlphaBeta => Rung::AlphaBeta,
            Self::NegaAlphaBeta => Rung::NegaAlphaBeta,
            Self::FailSoft => Rung::FailSoft,
            Self::Pvs => Rung::Pvs,
            Self::Mtdf => Rung::Mtdf,
            Self::Deepening => Rung::Deepening,
            _ => return None,
        })
    }

    /// Whether it is deepened by halvings of a probability instead of moves.
    pub const fn counts_halvings(self) -> bool {
        matches!(
            self,
            Self::Realization | Self::RealizationMtdf | Self::RealizationForcing
        )
    }

    /// Whether it has a use for a table.
    pub const fn uses_table(self) -> bool {
        match self.rung() {
            Some(rung) => rung.uses_table(),
            None => true,
        }
    }

    /// Whether leaves are quiet if nobody says otherwise: the rungs and full width are what papers
    /// describe, the others are made to play.
    const fn is_quiet(self) -> bool {
        matches!(self, Self::Classic | Self::Tournament)
    }
}

/// What a player is put together from, beside its evaluator.
///
/// ```
/// use tesuji_search::players::{PlayerParts, SearchName};
/// let parts: PlayerParts = "board=scan search=pvs quiescence=on".parse().unwrap();
/// assert_eq!(parts.search, SearchName::Pvs);
/// assert_eq!(parts.to_string(), "search=pvs board=scan quiescence=on");
/// assert!("search=plasma".parse::<PlayerParts>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerParts {
    /// Which search.
    pub search: SearchName,
    /// On which board.
    pub board: BoardName,
    /// What it remembers; without it what suits the search.
    pub table: Option<TableName>,
    /// Whether captures run out before a leaf is evaluated; without it as the search does.
    pub quiescence: Option<bool>,
    /// What the classic search uses.
    pub switches: ClassicSwitches,
}

impl Default for PlayerParts {
    /// The search that plays tournaments.
    fn default() -> Self {
        Self::of(SearchName::Tournament)
    }
}

impl PlayerParts {
    /// The names of all parts.
    pub const PARTS: [&str; 8] = [
        "search",
        "board",
        "table",
        "quiescence",
        "null-move",
        "futility",
        "reductions",
        "mate",
    ];

    /// A search on the usual board with what suits it.
    pub const fn of(search: SearchName) -> Self {
        Self {
            search,
            board: BoardName::Position,
            table: None,
            quiescence: None,
            switches: ClassicSwitches {
                null_move: true,
                futility: true,
                reductions: true,
                mate: true,
            },
        }
    }

    /// The table that is used.
    pub fn used_table(&self) -> TableName {
        let usual = match self.search.uses_table() {
            true => TableName::Bounds,
            false => TableName::None,
        };
        self.table.unwrap_or(usual)
    }

    /// Whether leaves are quiet before they are evaluated.
    pub fn is_quiet(&self) -> bool {
        self.quiescence.unwrap_or(self.search.is_quiet())
    }

    /// Sets one part by name.
    ///
    /// # Errors
    /// If there is no such part or it cannot be that.
    pub fn set(&mut self, part: &str, value: &str) -> Result<(), PartNameError> {
        match part {
            "search" => self.search = value.parse()?,
            "board" => self.board = value.parse()?,
            "table" => self.table = Some(value.parse()?),
            "quiescence" => self.quiescence = Some(on_or_off(value)?),
            "null-move" => self.switches.null_move = on_or_off(value)?,
            "futility" => self.switches.futility = on_or_off(value)?,
            "reductions" => self.switches.reductions = on_or_off(value)?,
            "mate" => self.switches.mate = on_or_off(value)?,
            _ => return Err(PartNameError::new("part of a player", part, &Self::PARTS)),
        }
        Ok(())
    }
}

fn on_or_off(value: &str) -> Result<bool, PartNameError> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(PartNameError::new("switch", value, &["on", "off"])),
    }
}

/// Words `part=value`, of which those that say nothing new are left out.
impl fmt::Display for PlayerParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "search={}", self.search)?;
        if self.board != BoardName::Position {
            write!(f, " board={}", self.board)?;
        }
        if let Some(table) = self.table {
            write!(f, " table={table}")?;
        }
        let word = |is_on: bool| if is_on { "on" } else { "off" };
        if let Some(quiescence) = self.quiescence {
            write!(f, " quiescence={}", word(quiescence))?;
        }
        let ClassicSwitches {
            null_move,
            futility,
            reductions,
            mate,
        } = self.switches;
        for (name, is_on) in [
            ("null-move", null_move),
            ("futility", futility),
            ("reductions", reductions),
            ("mate", mate),
        ] {
            if !is_on {
                write!(f, " {name}={}", word(is_on))?;
            }
        }
        Ok(())
    }
}

impl FromStr for PlayerParts {
    type Err = PartNameError;

    /// Words `part=value` in any order.
    fn from_str(text: &str) -> Result<Self, PartNameError> {
        let mut parts = Self::default();
        for word in text.split_whitespace() {
            let (part, value) = word.split_once('=').unwrap_or((word, ""));
            parts.set(part, value)?;
        }
        Ok(parts)
    }
}
