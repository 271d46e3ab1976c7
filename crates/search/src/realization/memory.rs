//! What a search by realization probability remembers of positions.

use super::chance::Rest;
use tesuji_shogi::{Key, Move, Value};

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    key: u64,
    /// Bounds hold for exactly this rest and ply, so that an answer never depends on what happens
    /// to be remembered.
    rest: Rest,
    ply: u32,
    /// The value is at least so much …
    pub(super) lower: Value,
    /// … and at most so much.
    pub(super) upper: Value,
    best: Move,
}

/// A table of positions, the newest in each slot.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    slots: Vec<Option<Known>>,
}

impl Memory {
    /// Takes about so many bytes, and has at least one slot.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            slots: vec![None; (bytes / size_of::<Option<Known>>()).max(1)],
        }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(None);
    }

    /// The bounds, if they hold here.
    pub(super) fn bounds(&self, key: Key, rest: Rest, ply: u32) -> Option<Known> {
        self.known(key)
            .filter(|known| known.rest == rest && known.ply == ply)
    }

    /// The best move when the position was last searched, however deep.
    pub(super) fn best(&self, key: Key) -> Option<Move> {
        self.known(key).map(|known| known.best)
    }

    /// Learns what a search with a window has found.
    pub(super) fn learn(
        &mut self,
        (key, rest, ply): (Key, Rest, u32),
        (alpha, beta): (Value, Value),
        value: Value,
        best: Move,
    ) {
        let before = self.bounds(key, rest, ply);
        let mut known = before.unwrap_or(Known {
            key: key.0,
            rest,
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
    pub(super) fn fill(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().flatten().count();
        (1000 * used / sample.len()) as u32
    }

    fn known(&self, key: Key) -> Option<Known> {
        self.slots[self.slot(key)].filter(|known| known.key == key.0)
    }

    fn slot(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.slots.len() as u128) >> 64) as usize
    }
}
