//! What an earlier visit found out.

use crate::table::Entry;
use crate::tournament::scores::{from_table, is_decided, to_table};
use crate::tournament::visit::{Node, Visit, says};
use crate::tournament::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Key, Move, Value};

impl<E: Eval> Worker<'_, E> {
    /// Asks the table, and is content with its answer if the exact value is not wanted.
    pub(in crate::tournament) fn recall<N: Node>(
        &mut self,
        visit: &mut Visit,
    ) -> ControlFlow<Value> {
        let ply = visit.ply;
        visit.entry = self.look_up(visit.key, ply);
        let entry = visit.entry;
        visit.was_pv = if visit.excluded.is_some() {
            self.before(ply, 0).was_pv
        } else {
            N::PV || entry.is_some_and(|entry| entry.pv)
        };
        let (was_pv, hit) = (visit.was_pv, entry.is_some());
        let frame = self.frame(ply);
        (frame.was_pv, frame.hit) = (was_pv, hit);
        visit.table_move = if N::ROOT {
            Some(self.root_moves[self.rank].mv())
        } else {
            entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| self.pos.is_legal(mv))
        };
        visit.table_takes = visit.table_move.is_some_and(|mv| self.pos.is_capture(mv));
        if N::PV || visit.excluded.is_some() {
            return Continue(());
        }
        self.cut_by_table(visit)
    }

    fn cut_by_table(&mut self, visit: &mut Visit) -> ControlFlow<Value> {
        let (Some(entry), Some((value, bound))) = (visit.entry, visit.table_value()) else {
            return Continue(());
        };
        let fails_high = value >= visit.beta;
        let is_deep = entry.depth > visit.depth - i32::from(value <= visit.beta);
        let is_expected = visit.cut == fails_high || visit.depth > 5;
        if !(is_deep && says(bound, fails_high) && is_expected) {
            return Continue(());
        }
        if fails_high && let Some(mv) = visit.table_move {
            self.teach_cut_by_table(visit, mv);
        }
        Break(value)
    }

    /// An entry that exceeds the bound by far is enough even if it is a little shallow.
    pub(in crate::tournament) fn recall_beyond<N: Node>(
        &mut self,
        visit: &mut Visit,
    ) -> ControlFlow<Value> {
        let goal = visit.beta + Value::new(self.params().small_probcut);
        match visit.table_value() {
            Some((value, bound))
                if !N::ROOT
                    && says(bound, true)
                    && visit.table_depth() >= visit.depth - 4
                    && value >= goal
                    && !is_decided(visit.beta)
                    && !is_decided(value) =>
            {
                Break(goal)
            }
            _ => Continue(()),
        }
    }

    /// The entry of a position, its value counted from the root.
    #[inline]
    pub(in crate::tournament) fn look_up(&self, key: Key, ply: usize) -> Option<Entry> {
        let mut entry = self.shared.table.find(key)?;
        if let Some((value, _)) = &mut entry.value {
            *value = from_table(*value, ply);
        }
        Some(entry)
    }

    /// Stores a result; the value counts mates from the root.
    #[inline]
    pub(in crate::tournament) fn keep(
        &self,
        visit: &Visit,
        value: Option<(Value, Bound)>,
        depth: i32,
        mv: Option<Move>,
    ) {
        let value = value.map(|(value, bound)| (to_table(value, visit.ply), bound));
        self.shared.table.store(
            visit.key,
            Entry {
                mv,
                value,
                eval: visit.raw,
                depth,
                pv: visit.was_pv,
            },
        );
    }
}
