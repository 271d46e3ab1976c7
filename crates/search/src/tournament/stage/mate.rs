//! A mate in one ends the visit.

use crate::tournament::visit::{Node, Visit};
use crate::tournament::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Judge;
use tesuji_shogi::{Bound, Value, tactics};

/// By how many plies more than its depth a mate is trusted; it is true at any depth, but need not
/// keep its place in the table for long.
const TRUST: i32 = 6;

impl<E: Judge> Worker<'_, E> {
    /// Looks for a mate at the first visit of a position; whoever was here before has looked.
    pub(in crate::tournament) fn mate_in_one<N: Node>(
        &mut self,
        visit: &mut Visit,
    ) -> ControlFlow<Value> {
        if N::ROOT || visit.entry.is_some() || visit.in_check || visit.excluded.is_some() {
            return Continue(());
        }
        let Some(mv) = tactics::mate_in_one(&mut self.pos) else {
            return Continue(());
        };
        let value = Value::mate_in(visit.ply as i32 + 1);
        self.keep(
            visit,
            Some((value, Bound::Exact)),
            visit.depth + TRUST,
            Some(mv),
        );
        if N::PV {
            self.variations[visit.ply].clear();
            self.variations[visit.ply].push(mv);
        }
        Break(value)
    }
}
