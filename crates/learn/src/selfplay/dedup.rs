//! Which positions were written before: a table of keys that forgets the oldest ones.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_shogi::Position;

/// Remembers positions by their keys, from any number of threads. A full table forgets: it may let a
/// position through a second time, but it never keeps back a new one unless two keys of 64 bits agree.
#[derive(Debug)]
pub struct SeenPositions {
    keys: Vec<AtomicU64>,
}

impl SeenPositions {
    /// Room for about so many positions.
    pub fn with_room(positions: usize) -> Self {
        let size = positions.next_power_of_two().max(1024);
        Self {
            keys: (0..size).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Remembers a position; whether it is new.
    pub fn is_new(&self, pos: &Position) -> bool {
        // Zero marks an empty slot.
        let key = pos.key().0 | 1;
        let slot = &self.keys[(key >> 1) as usize & (self.keys.len() - 1)];
        slot.swap(key, Relaxed) != key
    }
}
