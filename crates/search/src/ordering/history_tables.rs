//! Tables that are forgotten at the price of what was learnt, not of their size: short searches and
//! games of a few hundred nodes a move would otherwise spend a fifth of their time on clearing.

use super::keys::PieceTo;
use std::io;
use tesuji_kernels::HugePageArray;
use tesuji_shogi::Move;

/// One number for every piece and the square it moves to.
pub(crate) type PieceToHistory = [i16; PieceTo::COUNT];

/// Many [`PieceToHistory`] in large memory.
pub(crate) struct PieceToHistories {
    memory: HugePageArray,
    /// What an entry is before anything is known.
    start: i16,
    /// Which tables were written to, and their list.
    is_touched: Box<[bool]>,
    touched: Vec<u32>,
}

impl PieceToHistories {
    pub(super) fn new(tables: usize, start: i16) -> io::Result<Self> {
        Ok(Self {
            memory: HugePageArray::new(tables * PieceTo::COUNT, start)?,
            start,
            is_touched: vec![false; tables].into_boxed_slice(),
            touched: Vec::new(),
        })
    }

    #[inline(always)]
    pub(super) fn get(&self, table: usize) -> &PieceToHistory {
        let rest = &self.memory.as_slice()[table * PieceTo::COUNT..];
        rest.first_chunk().expect("a table lies inside the memory")
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, table: usize) -> &mut PieceToHistory {
        if !self.is_touched[table] {
            self.is_touched[table] = true;
            self.touched.push(table as u32);
        }
        let rest = &mut self.memory.as_mut_slice()[table * PieceTo::COUNT..];
        let table = rest.first_chunk_mut();
        table.expect("a table lies inside the memory")
    }

    pub(super) fn clear(&mut self, start: i16) {
        if start != self.start {
            self.memory.as_mut_slice().fill(start);
            self.start = start;
        }
        let memory = self.memory.as_mut_slice();
        for table in self.touched.drain(..) {
            let table = table as usize;
            self.is_touched[table] = false;
            memory[table * PieceTo::COUNT..][..PieceTo::COUNT].fill(start);
        }
    }
}

/// How many plies from the root have a table of their own.
pub(crate) const LOW_PLIES: usize = 5;

/// How many entries of the low-ply history are remembered one by one; beyond that clearing all of
/// them is as quick.
const REMEMBERED: usize = 1 << 14;

/// Low-ply history: moves by their ply from the root, forgotten before every search.
pub(crate) struct LowPlyHistory {
    tables: [Box<[i16; 1 << 16]>; LOW_PLIES],
    start: i16,
    touched: Vec<(u8, u16)>,
}

impl LowPlyHistory {
    pub(super) fn new() -> Self {
        Self {
            tables: std::array::from_fn(|_| zeroed()),
            start: 0,
            touched: Vec::with_capacity(REMEMBERED),
        }
    }

    /// The entry of a move; `None` further down.
    #[inline(always)]
    pub(super) fn get(&self, ply: usize, mv: Move) -> Option<i16> {
        let table = self.tables.get(ply)?;
        Some(table[usize::from(mv.bits())])
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, ply: usize, mv: Move) -> Option<&mut i16> {
        let table = self.tables.get_mut(ply)?;
        if self.touched.len() < REMEMBERED {
            self.touched.push((ply as u8, mv.bits()));
        }
        Some(&mut table[usize::from(mv.bits())])
    }

    pub(super) fn clear(&mut self, start: i16) {
        if start != self.start || self.touched.len() >= REMEMBERED {
            for table in &mut self.tables {
                table.fill(start);
            }
            self.start = start;
        }
        for (ply, bits) in self.touched.drain(..) {
            self.tables[usize::from(ply)][usize::from(bits)] = start;
        }
    }
}

pub(super) fn zeroed() -> Box<[i16; 1 << 16]> {
    boxed(vec![0; 1 << 16])
}

pub(super) fn boxed<T, const N: usize>(list: Vec<T>) -> Box<[T; N]> {
    let array = list.into_boxed_slice().try_into();
    array.unwrap_or_else(|_| unreachable!("the list was made with the length of the array"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_written_is_forgotten() {
        let mut histories = PieceToHistories::new(40, -3).unwrap();
        for start in [-3, -3, 8, -3] {
            for n in 0..30 {
                histories.get_mut(n * 7 % 40)[n * 613 % PieceTo::COUNT] = 77;
            }
            histories.clear(start);
            let memory = histories.memory.as_slice();
            assert!(memory.iter().all(|&entry| entry == start));
        }
    }

    #[test]
    fn the_low_plies_are_forgotten_after_few_and_after_many_updates() {
        let mut history = LowPlyHistory::new();
        let moves: Vec<Move> = ["7g7f", "2g2f", "P*5e", "8h2b+"]
            .map(|text| text.parse().unwrap())
            .into();
        for (updates, start) in [(5, 96), (REMEMBERED - 1, 96), (REMEMBERED + 9, 96), (9, 7)] {
            history.clear(start);
            for n in 0..updates {
                let mv = moves[n % moves.len()];
                *history.get_mut(n % LOW_PLIES, mv).unwrap() = -1;
                assert_eq!(history.get(n % LOW_PLIES, mv), Some(-1));
            }
            assert_eq!(history.get(LOW_PLIES, moves[0]), None);
            history.clear(start);
            let entries = history.tables.iter().flat_map(|table| table.iter());
            assert!(entries.copied().all(|entry| entry == start), "{updates}");
        }
    }
}
