//! Table growth: how large the memory may become, and a larger one that all threads of a search
//! fill together.

use crate::cycles::LoopTable;
use crate::memory::SearchMemory;

use crate::table::{FIRST_SLOTS, MateTable, SLOT_BYTES};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::AcqRel, Ordering::Relaxed};

/// In so many parts the table is copied: enough for every thread to have work to the end.
const PARTS: usize = 64;

/// A memory on its way into a larger one, part by part.
pub(crate) struct TableGrowth {
    table: MateTable,
    loops: OnceLock<LoopTable>,
    /// The next part that nobody has begun; 0 stands for the loops.
    next: AtomicUsize,
    done: AtomicUsize,
}

impl TableGrowth {
    /// Into so many slots; `None` if the system has no room for them.
    pub(crate) fn new(slots: usize) -> Option<Self> {
        Some(Self {
            table: MateTable::new(slots).ok()?,
            loops: OnceLock::new(),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
        })
    }

    /// Copies parts of `memory` until none is left; whether the last one was among them. Nothing is
    /// worth much any more if somebody was in a hurry.
    pub(crate) fn help(&self, memory: &SearchMemory, hurry: &dyn Fn() -> bool) -> bool {
        loop {
            match self.next.fetch_add(1, Relaxed) {
                0 => {
                    let loops = memory.loops.grown(self.table.len() / 4, hurry);
                    // Nobody else has this part.
                    let _ = self.loops.set(loops);
                }
                part @ 1..=PARTS => {
                    let border = |part: usize| memory.table.len() / PARTS * part;
                    let end = if part == PARTS {
                        memory.table.len()
                    } else {
                        border(part)
                    };
                    memory
                        .table
                        .copy_part(border(part - 1)..end, &self.table, hurry);
                }
                _ => return false,
            }
            if self.done.fetch_add(1, AcqRel) == PARTS {
                return true;
            }
        }
    }

    /// The larger memory, if it is complete.
    pub(crate) fn into_memory(self) -> Option<SearchMemory> {
        Some(SearchMemory {
            loops: self.loops.into_inner()?,
            table: self.table,
        })
    }
}

/// What a slot takes together with its share of the loops: a quarter as many, of half the size.
const BYTES_PER_SLOT: usize = SLOT_BYTES + SLOT_BYTES / 8;

/// How large the table may grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLimit {
    most_slots: usize,
}

impl MemoryLimit {
    /// At most so many bytes, also while a table grows: then the old one, which is a quarter of the
    /// largest at most, lies beside it.
    pub(crate) fn of_bytes(bytes: usize) -> Self {
        let most_slots = (bytes / BYTES_PER_SLOT * 4 / 5).clamp(FIRST_SLOTS, 1 << 28);
        Self { most_slots }
    }

    /// How much of what there may be is used, in thousandths.
    pub(crate) fn fullness(self, memory: &SearchMemory) -> u32 {
        (memory.table.used() * 1000 / self.most_slots) as u32
    }

    /// Lets the table grow, or forget what cost least.
    pub(crate) fn make_room(self, memory: &mut SearchMemory, hurry: &dyn Fn() -> bool) {
        match self.grown(memory, hurry) {
            Some(larger) => *memory = larger,
            None => memory.table.collect(hurry),
        }
    }

    /// How many slots a larger table has: so many times as many or, where no second step would be
    /// possible after that, the most; `None` if there is no room for more.
    pub(crate) fn larger(self, memory: &SearchMemory, times: usize) -> Option<usize> {
        self.next_size(memory.table.len(), times)
    }

    fn next_size(self, slots: usize, times: usize) -> Option<usize> {
        let larger = slots.saturating_mul(times);
        let is_last = larger > self.most_slots / 4;
        let larger = if is_last { self.most_slots } else { larger };
        Some(larger).filter(|&larger| larger > slots)
    }

    /// A larger memory with the same content. `None` if there may be none, if the system has no
    /// room for it, or if somebody cannot wait.
    fn grown(self, memory: &SearchMemory, hurry: &dyn Fn() -> bool) -> Option<SearchMemory> {
        let growth = TableGrowth::new(self.larger(memory, GROWTH)?)?;
        growth.help(memory, hurry);
        growth.into_memory().filter(|_| !hurry())
    }
}

/// By how much the table of a single worker grows: a small one is closer to the processor.
const GROWTH: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dominance::PackedHand;
    use crate::table::{Length, PositionKey, SlotCounter, TableProbe};

    #[test]
    fn while_it_grows_both_tables_fit_into_the_memory() {
        for bytes in (18..36).flat_map(|log| [4, 5, 6, 7].map(|quarters| quarters << log)) {
            let limit = MemoryLimit::of_bytes(bytes);
            let mut slots = FIRST_SLOTS;
            while let Some(larger) = limit.next_size(slots, GROWTH) {
                assert!(larger > slots);
                let both = (slots + larger) * BYTES_PER_SLOT;
                assert!(both <= bytes, "{both} of {bytes} bytes");
                slots = larger;
            }
            assert!(slots * BYTES_PER_SLOT > bytes / 4 * 3 || slots == 1 << 28);
        }
    }

    #[test]
    fn two_threads_fill_it_together() {
        const SLOTS: usize = 1 << 16;
        let memory = SearchMemory::new(SLOTS);
        let position = |i: u64| PositionKey {
            key: i.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            hand: PackedHand::EMPTY,
        };
        for i in 0..SLOTS as u64 / 2 {
            let length = Length(1 + 2 * (i % 9) as u16);
            memory
                .table
                .store_mate(position(i), length, i, &mut SlotCounter::default());
        }
        let growth = TableGrowth::new(4 * SLOTS).unwrap();
        let last = std::thread::scope(|scope| {
            let help = || growth.help(&memory, &|| false);
            let other = scope.spawn(help);
            [help(), other.join().unwrap()]
        });
        assert!(last[0] != last[1], "one of them was the last");
        let larger = growth.into_memory().unwrap();
        let is_kept = |&i: &u64| {
            let found = larger.table.look_up(position(i), true, 0, Length::ANY);
            matches!(found, TableProbe::Mate(_, length) if length.0 == 1 + 2 * (i % 9) as u16)
        };
        let kept = (0..SLOTS as u64 / 2).filter(is_kept).count();
        // At the borders of parts a few may be written over.
        assert!(kept + 2 * PARTS > SLOTS / 2, "{kept} kept");
        assert!(larger.table.used() >= kept);
    }
}
