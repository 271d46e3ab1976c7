//! The rungs by name, and what each says of a tree.

use super::alpha_beta::alpha_beta;
use super::deepening::deepening;
use super::fail_soft::fail_soft;
use super::minimax::minimax;
use super::mtdf::mtdf;
use super::nega_alpha_beta::nega_alpha_beta;
use super::negamax::negamax;
use super::pvs::pvs;
use super::table::Table;
use super::tree::Tree;
use super::watch::{Counted, Trace, Watched};
use std::fmt;
use std::str::FromStr;
use tesuji_shogi::Value;

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
pub enum View {
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
    pub const fn view(self) -> View {
        match self {
            Self::Minimax | Self::AlphaBeta => View::Max,
            _ => View::Own,
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

    /// What the root is worth to Max. `guess` is where MTD(f) begins; the others need none.
    pub fn climb<T: Tree>(self, tree: &mut T, guess: Value, table: &mut impl Table<T>) -> Value {
        const LOW: Value = Value::new(-Value::INFINITE.points());
        const HIGH: Value = Value::INFINITE;
        match self {
            Self::Minimax => tree.ask(|tree| minimax(tree)),
            Self::Negamax => tree.ask(|tree| negamax(tree)),
            Self::AlphaBeta => tree.ask(|tree| alpha_beta(tree, LOW, HIGH)),
            Self::NegaAlphaBeta => tree.ask(|tree| nega_alpha_beta(tree, LOW, HIGH)),
            Self::FailSoft => tree.ask(|tree| fail_soft(tree, LOW, HIGH)),
            Self::Pvs => tree.ask(|tree| pvs(tree, LOW, HIGH)),
            Self::Mtdf => mtdf(tree, guess, table),
            Self::Deepening => deepening(tree, table),
        }
    }

    /// Climbs and writes down every visit. Meant for trees that somebody will look at.
    pub fn trace<T: Tree>(
        self,
        tree: T,
        guess: Value,
        table: &mut impl Table<Watched<T>>,
    ) -> Trace {
        let mut watched = Watched::new(tree);
        let value = self.climb(&mut watched, guess, table);
        watched.trace(self, value)
    }

    /// Climbs, counts the visits and keeps the best branch.
    pub fn count<T: Tree>(
        self,
        tree: T,
        guess: Value,
        table: &mut impl Table<Counted<T>>,
    ) -> Climb<T::Branch> {
        let mut counted = Counted::new(tree, self.view());
        let value = self.climb(&mut counted, guess, table);
        Climb {
            value,
            best: counted.best(),
            visits: counted.visits(),
            leaves: counted.leaves(),
        }
    }
}

/// What a rung says of a tree, and what that took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Climb<B> {
    /// What the root is worth to Max.
    pub value: Value,
    /// The branch that is worth it; `None` if there is none.
    pub best: Option<B>,
    /// How many nodes were visited, each as often as it was.
    pub visits: u64,
    /// How many of them were judged.
    pub leaves: u64,
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
