//! Tables that all threads of a search share: none, best moves alone, or bounds as well.

use crate::tt::{TranspositionTable, TtEntry};
use std::io;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use tesuji_shogi::{Bound, Key, Move, Value};

/// What a table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProbedEntry {
    /// The best move when it was last searched. It need not be legal here.
    pub mv: Option<Move>,
    /// A value and what it says, found so deep.
    pub value: Option<(Value, Bound, i32)>,
}

/// A table that threads share without locks.
pub trait SharedTable: Send + Sync + Sized {
    /// A table of about so many bytes.
    ///
    /// # Errors
    /// If the system has no room for it.
    fn with_bytes(bytes: usize) -> io::Result<Self>;
    /// Begins another search.
    fn new_search(&self) {}
    /// Forgets everything.
    fn clear(&self);
    /// What is known of a position so far below the root.
    fn probe(&self, key: Key, ply: u32) -> ProbedEntry;
    /// Learns what a search found out about a position so far below the root.
    fn store(&self, key: Key, ply: u32, depth: i32, value: (Value, Bound), best: Option<Move>);
    /// How many thousandths are in use.
    fn hashfull(&self) -> u32 {
        0
    }
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl SharedTable for Nothing {
    fn with_bytes(_: usize) -> io::Result<Self> {
        Ok(Self)
    }
    fn clear(&self) {}
    fn probe(&self, _: Key, _: u32) -> ProbedEntry {
        ProbedEntry::default()
    }
    fn store(&self, _: Key, _: u32, _: i32, _: (Value, Bound), _: Option<Move>) {}
}

/// Remembers the best move and nothing else, not even whose it is, in two bytes: the table of Tenuki
/// (2019). A move that belongs to another position is not among the moves of this one, or does no
/// harm; no thread can read half an entry.
#[derive(Debug)]
pub struct BestMoves {
    slots: Box<[AtomicU16]>,
}

impl BestMoves {
    fn slot(&self, key: Key) -> &AtomicU16 {
        let at = (u128::from(key.0) * self.slots.len() as u128) >> 64;
        &self.slots[at as usize]
    }
}

impl SharedTable for BestMoves {
    fn with_bytes(bytes: usize) -> io::Result<Self> {
        let count = (bytes / size_of::<AtomicU16>()).max(1);
        Ok(Self {
            slots: (0..count).map(|_| AtomicU16::new(0)).collect(),
        })
    }
    fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.store(0, Relaxed));
    }
    fn probe(&self, key: Key, _: u32) -> ProbedEntry {
        ProbedEntry {
            mv: Move::from_bits(self.slot(key).load(Relaxed)),
            value: None,
        }
    }
    fn store(&self, key: Key, _: u32, _: i32, _: (Value, Bound), best: Option<Move>) {
        if let Some(best) = best {
            self.slot(key).store(best.bits(), Relaxed);
        }
    }
    fn hashfull(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().filter(|slot| slot.load(Relaxed) != 0);
        (1000 * used.count() / sample.len()) as u32
    }
}

/// Remembers the best move and the bounds of the value: the table of the tournament search.
impl SharedTable for TranspositionTable {
    fn with_bytes(bytes: usize) -> io::Result<Self> {
        Self::new(bytes)
    }
    fn new_search(&self) {
        Self::new_search(self);
    }
    fn clear(&self) {
        Self::clear(self, 1);
    }
    fn probe(&self, key: Key, ply: u32) -> ProbedEntry {
        let Some(entry) = Self::probe(self, key) else {
            return ProbedEntry::default();
        };
        let value = entry.value.map(|(value, bound)| {
            let value = shifted(value, ply as i32);
            (value, bound, entry.depth)
        });
        ProbedEntry {
            mv: entry.mv,
            value,
        }
    }
    fn store(
        &self,
        key: Key,
        ply: u32,
        depth: i32,
        (value, bound): (Value, Bound),
        best: Option<Move>,
    ) {
        let entry = TtEntry {
            mv: best,
            value: Some((shifted(value, -(ply as i32)), bound)),
            eval: None,
            depth,
            is_pv: bound == Bound::Exact,
        };
        Self::store(self, key, entry);
    }
    fn hashfull(&self) -> u32 {
        Self::hashfull(self)
    }
}

/// A mate counted from so many plies further up, or down: the table counts from its own position.
fn shifted(value: Value, plies: i32) -> Value {
    match value.mate_distance() {
        Some(distance) if distance > 0 => value - Value::new(plies),
        Some(_) => value + Value::new(plies),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_are_kept(table: &impl SharedTable, keeps: bool) {
        let (key, mv) = (Key(77), "7g7f".parse().ok());
        assert_eq!(table.probe(key, 0).mv, None);
        table.store(key, 3, 5, (Value::mate_in(10), Bound::Exact), mv);
        assert_eq!(table.probe(key, 0).mv, mv.filter(|_| keeps));
        table.clear();
        assert_eq!(table.probe(key, 0).mv, None);
    }

    #[test]
    fn every_table_keeps_what_it_promises() {
        moves_are_kept(&Nothing, false);
        moves_are_kept(&BestMoves::with_bytes(64).unwrap(), true);
        moves_are_kept(
            &<TranspositionTable as SharedTable>::with_bytes(4096).unwrap(),
            true,
        );
    }

    #[test]
    fn mates_are_counted_from_where_they_are_asked() {
        let table = <TranspositionTable as SharedTable>::with_bytes(4096).unwrap();
        // Mate in 10 from the root, seen at ply 4, is 6 away; at ply 2 it is 8 from the root.
        SharedTable::store(
            &table,
            Key(5),
            4,
            7,
            (Value::mate_in(10), Bound::Exact),
            None,
        );
        let known = SharedTable::probe(&table, Key(5), 2);
        assert_eq!(known.value, Some((Value::mate_in(8), Bound::Exact, 7)));
    }
}
