//! What a search remembers: the table of positions, and the loops of single paths.

use crate::cycles::LoopTable;
use crate::table::{MateTable, SLOT_BYTES};

/// What the threads of one search share.
pub(crate) struct SearchMemory {
    pub(crate) table: MateTable,
    pub(crate) loops: LoopTable,
}

impl SearchMemory {
    /// A small memory, to begin with.
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            table: MateTable::new(slots).expect("there is room for a small table"),
            loops: LoopTable::new(slots / 4),
        }
    }

    /// How many bytes it has.
    pub(crate) fn bytes(&self) -> usize {
        self.table.len() * SLOT_BYTES + self.loops.bytes()
    }
}
