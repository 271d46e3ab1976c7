//! Players of the past, put together from parts: Kuma Shogi, Tenuki and OpenShogiLib.
//!
//! They are what the papers tell, not the programs themselves: the same kind of board, generator,
//! exchange, ordering, pruning and table, on today's machine and with today's rules.

use super::parts::{BoardName, PartNameError, PlayerParts, SearchName, TableName};
use crate::classic::ClassicSwitches;
use std::fmt;
use std::str::FromStr;

/// A player of the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PastPlayer {
    /// Kuma Shogi (2013): a plain array with an unrolled generator, exchange values from lists, mate
    /// in one by a scan, Bonanza's ordering; futility, reductions and quiescence; `fv.bin`.
    Kuma2013,
    /// Tenuki (2019): an array of 81 squares, null move, quiescence, futility, a table of best moves
    /// under Lazy SMP; Apery's KPPT.
    Tenuki2019,
    /// OpenShogiLib (2003): realization probability under alpha-beta, relations between pieces.
    Osl2003,
}

impl PastPlayer {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Kuma2013, Self::Tenuki2019, Self::Osl2003];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kuma2013 => "kuma2013",
            Self::Tenuki2019 => "tenuki2019",
            Self::Osl2003 => "osl2003",
        }
    }

    /// What it is put together from.
    pub const fn parts(self) -> PlayerParts {
        match self {
            Self::Kuma2013 => PlayerParts {
                board: BoardName::Scan,
                ..PlayerParts::of(SearchName::Classic)
            },
            Self::Tenuki2019 => PlayerParts {
                board: BoardName::Scan,
                table: Some(TableName::BestMove),
                switches: ClassicSwitches {
                    null_move: true,
                    futility: true,
                    reductions: false,
                    mate: false,
                },
                ..PlayerParts::of(SearchName::Classic)
            },
            Self::Osl2003 => PlayerParts::of(SearchName::Realization),
        }
    }

    /// The evaluator that it plays with where nobody has its files: `bonanza:fv.bin` for Kuma and
    /// `kppt:FOLDER` for Tenuki are the true ones.
    pub const fn usual_eval(self) -> &'static str {
        "relation"
    }
}

impl fmt::Display for PastPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PastPlayer {
    type Err = PartNameError;

    fn from_str(text: &str) -> Result<Self, PartNameError> {
        let is_it = |preset: &Self| preset.name().eq_ignore_ascii_case(text);
        let names = Self::ALL.map(Self::name);
        let found = Self::ALL.into_iter().find(is_it);
        found.ok_or_else(|| PartNameError::new("player of the past", text, &names))
    }
}
