//! The rungs by name.

use std::fmt;
use std::str::FromStr;

/// A rung of the ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rung {
    /// Looks at everything.
    Minimax,
    /// The same with one rule for both sides.
    Negamax,
    /// Leaves out what cannot matter.
    AlphaBeta,
    /// The same with one rule for both sides.
    NegaAlphaBeta,
    /// The same with better answers outside the window.
    FailSoft,
    /// Principal variation search.
    Pvs,
    /// Asks "above or below?" only.
    Mtdf,
    /// Iterative deepening.
    Deepening,
}

/// For whom the values of a rung are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointOfView {
    /// Always for Max.
    Max,
    /// For whoever chooses at the node.
    Own,
}

/// A text names no rung.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no rung of the ladder: minimax, negamax, alpha-beta, nega-alpha-beta, fail-soft, pvs, mtdf or deepening"
)]
pub struct RungError(String);

impl Rung {
    /// All rungs, from the lowest up.
    pub const ALL: [Self; 8] = [
        Self::Minimax,
        Self::Negamax,
        Self::AlphaBeta,
        Self::NegaAlphaBeta,
        Self::FailSoft,
        Self::Pvs,
        Self::Mtdf,
        Self::Deepening,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::Negamax => "negamax",
            Self::AlphaBeta => "alpha-beta",
            Self::NegaAlphaBeta => "nega-alpha-beta",
            Self::FailSoft => "fail-soft",
            Self::Pvs => "pvs",
            Self::Mtdf => "mtdf",
            Self::Deepening => "deepening",
        }
    }

    /// The code that runs, for those who want to read it.
    pub const fn source(self) -> &'static str {
        match self {
            Self::Minimax => include_str!("minimax.rs"),
            Self::Negamax => include_str!("negamax.rs"),
            Self::AlphaBeta => include_str!("alpha_beta.rs"),
            Self::NegaAlphaBeta => include_str!("nega_alpha_beta.rs"),
            Self::FailSoft => include_str!("fail_soft.rs"),
            Self::Pvs => include_str!("pvs.rs"),
            Self::Mtdf => include_str!("mtdf.rs"),
            Self::Deepening => include_str!("deepening.rs"),
        }
    }

    /// For whom its values are.
    pub const fn view(self) -> PointOfView {
        match self {
            Self::Minimax | Self::AlphaBeta => PointOfView::Max,
            _ => PointOfView::Own,
        }
    }

    /// Whether it has a window, and so may leave something out.
    pub const fn has_window(self) -> bool {
        !matches!(self, Self::Minimax | Self::Negamax)
    }

    /// Whether it comes back to nodes and so has a use for a table.
    pub const fn uses_table(self) -> bool {
        matches!(self, Self::Mtdf | Self::Deepening)
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rung {
    type Err = RungError;

    fn from_str(text: &str) -> Result<Self, RungError> {
        let rung = Self::ALL.into_iter().find(|rung| rung.name() == text);
        rung.ok_or_else(|| RungError(text.to_owned()))
    }
}
