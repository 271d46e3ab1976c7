//! The transposition table of the search by realization probability.

use super::probability::RealizationDepth;
use tesuji_shogi::{Key, Move, Square, Value};

/// A position as it was reached. Bounds hold for exactly this, so that an answer never depends on what
/// happens to be remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeKey {
    pub(super) key: Key,
    pub(super) depth: RealizationDepth,
    pub(super) ply: u32,
    /// Where the foe has just moved to, if the moves that are searched depend on it.
    pub(super) arrived: Option<Square>,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealizationEntry {
    node: NodeKey,
    /// The value is at least so much …
    pub(super) lower: Value,
    /// … and at most so much.
    pub(super) upper: Value,
    best: Move,
}

/// How much of what it stores a table tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum TableUse {
    /// Nothing, as if there were no table.
    Nothing,
    /// The best move alone.
    BestMove,
    /// The best move and the bounds of the value.
    #[default]
    Bounds,
}

/// A table of positions, the newest in each slot.
#[derive(Clone, Debug)]
pub(super) struct RealizationTable {
    slots: Vec<Option<RealizationEntry>>,
    usage: TableUse,
}

impl RealizationTable {
    /// Takes about so many bytes, and has at least one slot.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            slots: vec![None; (bytes / size_of::<Option<RealizationEntry>>()).max(1)],
            usage: TableUse::Bounds,
        }
    }

    pub(super) fn set_use(&mut self, usage: TableUse) {
        self.usage = usage;
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(None);
    }

    /// The bounds, if they hold here.
    pub(super) fn bounds(&self, node: NodeKey) -> Option<RealizationEntry> {
        self.known(node.key)
            .filter(|known| self.usage == TableUse::Bounds && known.node == node)
    }

    /// The best move when the position was last searched, however deep.
    pub(super) fn best(&self, key: Key) -> Option<Move> {
        let known = self.known(key).filter(|_| self.usage != TableUse::Nothing);
        known.map(|known| known.best)
    }

    /// Stores what a search with a window has found.
    pub(super) fn store(
        &mut self,
        node: NodeKey,
        (alpha, beta): (Value, Value),
        value: Value,
        best: Move,
    ) {
        let mut known = self.bounds(node).unwrap_or(RealizationEntry {
            node,
            lower: -Value::INFINITE,
            upper: Value::INFINITE,
            best,
        });
        known.best = best;
        if alpha < value {
            known.lower = known.lower.max(value);
        }
        if value < beta {
            known.upper = known.upper.min(value);
        }
        let at = self.slot(node.key);
        self.slots[at] = Some(known);
    }

    /// How many thousandths are in use, seen in the first thousand slots.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().flatten().count();
        (1000 * used / sample.len()) as u32
    }

    fn known(&self, key: Key) -> Option<RealizationEntry> {
        self.slots[self.slot(key)].filter(|known| known.node.key == key)
    }

    fn slot(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.slots.len() as u128) >> 64) as usize
    }
}
