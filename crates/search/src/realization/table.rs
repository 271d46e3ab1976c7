//! The transposition table of the search by realization probability.

use super::probability::RealizationDepth;
use tesuji_shogi::{Key, Move, Value};

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealizationEntry {
    key: u64,
    /// Bounds hold for exactly this depth and ply, so that an answer never depends on what happens
    /// to be remembered.
    depth: RealizationDepth,
    ply: u32,
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
    pub(super) fn bounds(
        &self,
        key: Key,
        depth: RealizationDepth,
        ply: u32,
    ) -> Option<RealizationEntry> {
        self.known(key).filter(|known| {
            self.usage == TableUse::Bounds && known.depth == depth && known.ply == ply
        })
    }

    /// The best move when the position was last searched, however deep.
    pub(super) fn best(&self, key: Key) -> Option<Move> {
        let known = self.known(key).filter(|_| self.usage != TableUse::Nothing);
        known.map(|known| known.best)
    }

    /// Stores what a search with a window has found.
    pub(super) fn store(
        &mut self,
        (key, depth, ply): (Key, RealizationDepth, u32),
        (alpha, beta): (Value, Value),
        value: Value,
        best: Move,
    ) {
        let before = self.bounds(key, depth, ply);
        let mut known = before.unwrap_or(RealizationEntry {
            key: key.0,
            depth,
            ply,
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
        let at = self.slot(key);
        self.slots[at] = Some(known);
    }

    /// How many thousandths are in use, seen in the first thousand slots.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().flatten().count();
        (1000 * used / sample.len()) as u32
    }

    fn known(&self, key: Key) -> Option<RealizationEntry> {
        self.slots[self.slot(key)].filter(|known| known.key == key.0)
    }

    fn slot(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.slots.len() as u128) >> 64) as usize
    }
}
