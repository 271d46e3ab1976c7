//! A larger memory that all threads of a search fill together.

use crate::cycles::Loops;
use crate::dfpn::Memory;
use crate::table::Table;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::AcqRel, Ordering::Relaxed};

/// In so many parts the table is copied: enough for every thread to have work to the end.
const PARTS: usize = 64;

/// A memory on its way into a larger one.
pub(crate) struct Pour {
    table: Table,
    loops: OnceLock<Loops>,
    /// The next part that nobody has begun; 0 stands for the loops.
    next: AtomicUsize,
    done: AtomicUsize,
}

impl Pour {
    /// Into so many slots; `None` if the system has no room for them.
    pub(crate) fn new(slots: usize) -> Option<Self> {
        Some(Self {
            table: Table::new(slots).ok()?,
            loops: OnceLock::new(),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
        })
    }

    /// Copies parts of `memory` until none is left; whether the last one was among them. Nothing is
    /// worth much any more if somebody was in a hurry.
    pub(crate) fn help(&self, memory: &Memory, hurry: &dyn Fn() -> bool) -> bool {
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
                    memory.table.pour(border(part - 1)..end, &self.table, hurry);
                }
                _ => return false,
            }
            if self.done.fetch_add(1, AcqRel) == PARTS {
                return true;
            }
        }
    }

    /// The larger memory, if it is complete.
    pub(crate) fn into_memory(self) -> Option<Memory> {
        Some(Memory {
            loops: self.loops.into_inner()?,
            table: self.table,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dominance::Held;
    use crate::table::{Found, Length, Place, Taken};

    #[test]
    fn two_threads_fill_it_together() {
        const SLOTS: usize = 1 << 16;
        let memory = Memory::new(SLOTS);
        let place = |i: u64| Place {
            key: i.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            hand: Held::EMPTY,
        };
        for i in 0..SLOTS as u64 / 2 {
            let length = Length(1 + 2 * (i % 9) as u16);
            memory
                .table
                .store_mate(place(i), length, i, &mut Taken::default());
        }
        let pour = Pour::new(4 * SLOTS).unwrap();
        let last = std::thread::scope(|scope| {
            let help = || pour.help(&memory, &|| false);
            let other = scope.spawn(help);
            [help(), other.join().unwrap()]
        });
        assert!(last[0] != last[1], "one of them was the last");
        let larger = pour.into_memory().unwrap();
        let is_kept = |&i: &u64| {
            let found = larger.table.look_up(place(i), true, 0, Length::ANY);
            matches!(found, Found::Mate(_, length) if length.0 == 1 + 2 * (i % 9) as u16)
        };
        let kept = (0..SLOTS as u64 / 2).filter(is_kept).count();
        // At the borders of parts a few may be written over.
        assert!(kept + 2 * PARTS > SLOTS / 2, "{kept} kept");
        assert!(larger.table.used() >= kept);
    }
}
