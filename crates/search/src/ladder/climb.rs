//! What each rung says of a tree, and what that takes.

use super::alpha_beta::alpha_beta;
use super::deepening::deepening;
use super::fail_soft::fail_soft;
use super::minimax::minimax;
use super::mtdf::mtdf;
use super::nega_alpha_beta::nega_alpha_beta;
use super::negamax::negamax;
use super::pvs::pvs;
use super::rung::Rung;
use super::table::NodeTable;
use super::trace::{CountedTree, Trace, TracedTree};
use super::tree::Tree;
use tesuji_shogi::Value;

impl Rung {
    /// What the root is worth to Max. `guess` is where MTD(f) begins; the others need none.
    pub fn climb<T: Tree>(
        self,
        tree: &mut T,
        guess: Value,
        table: &mut impl NodeTable<T>,
    ) -> Value {
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

    /// Climbs and writes down every node. Meant for trees that somebody will look at.
    pub fn trace<T: Tree>(
        self,
        tree: T,
        guess: Value,
        table: &mut impl NodeTable<TracedTree<T>>,
    ) -> Trace {
        let mut watched = TracedTree::new(tree);
        let value = self.climb(&mut watched, guess, table);
        watched.trace(self, value)
    }

    /// Climbs, counts the nodes and keeps the best branch.
    pub fn count<T: Tree>(
        self,
        tree: T,
        guess: Value,
        table: &mut impl NodeTable<CountedTree<T>>,
    ) -> Climb<T::Branch> {
        let mut counted = CountedTree::new(tree, self.view());
        let value = self.climb(&mut counted, guess, table);
        Climb {
            value,
            best: counted.best(),
            nodes: counted.nodes(),
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
    pub nodes: u64,
    /// How many of them were evaluated.
    pub leaves: u64,
}
