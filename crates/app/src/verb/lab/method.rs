//! The searches of the laboratory by name, and what each can be combined with.

use clap::ValueEnum;
use serde::Serialize;
use tesuji_search::ladder::Rung;

/// A search that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Method {
    /// Looks at everything
    Minimax,
    /// Minimax with one rule for both sides
    Negamax,
    /// Leaves out what cannot matter; fail-hard
    AlphaBeta,
    /// Alpha-beta with one rule for both sides
    NegaAlphaBeta,
    /// Alpha-beta with better answers outside the window
    FailSoft,
    /// Principal variation search
    Pvs,
    /// Asks "above or below?" only; uses --table
    Mtdf,
    /// Iterative deepening with fail-soft alpha-beta; uses --table
    Deepening,
    /// Realization probability with one class for all moves: alpha-beta with a table
    FullWidth,
    /// The same under MTD(f)
    FullWidthMtdf,
    /// Realization probability with the usual classes of moves, --halvings deep
    Realization,
    /// The same under MTD(f)
    RealizationMtdf,
    /// The search that plays tournaments, with all its extensions and reductions
    Tournament,
}

impl Method {
    /// What is compared if nobody says otherwise.
    pub(super) const USUAL: [Self; 10] = [
        Self::Minimax,
        Self::AlphaBeta,
        Self::FailSoft,
        Self::Pvs,
        Self::Mtdf,
        Self::Deepening,
        Self::FullWidth,
        Self::Realization,
        Self::RealizationMtdf,
        Self::Tournament,
    ];

    /// The rung of the ladder it is, if it is one: those take any board.
    pub(super) const fn rung(self) -> Option<Rung> {
        Some(match self {
            Self::Minimax => Rung::Minimax,
            Self::Negamax => Rung::Negamax,
            Self::AlphaBeta => Rung::AlphaBeta,
            Self::NegaAlphaBeta => Rung::NegaAlphaBeta,
            Self::FailSoft => Rung::FailSoft,
            Self::Pvs => Rung::Pvs,
            Self::Mtdf => Rung::Mtdf,
            Self::Deepening => Rung::Deepening,
            Self::FullWidth
            | Self::FullWidthMtdf
            | Self::Realization
            | Self::RealizationMtdf
            | Self::Tournament => return None,
        })
    }

    /// Whether it is deepened by halvings instead of moves.
    pub(super) const fn counts_halvings(self) -> bool {
        matches!(self, Self::Realization | Self::RealizationMtdf)
    }

    /// Its name on the command line.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// What a rung that comes back to nodes remembers of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TableName {
    /// Nothing
    None,
    /// The best move and nothing else, two bytes a slot
    BestMove,
    /// The best move and the bounds of the value
    Bounds,
}

impl TableName {
    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::BestMove => "best-move",
            Self::Bounds => "bounds",
        }
    }
}

/// In which order a rung tries the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum OrderName {
    /// As the generator gives them
    Generated,
    /// Captures first, the greatest victim before the others
    Captures,
}
