//! A mate ends the visit: in one, or a longer one that a few nodes of proof search see.

use crate::tournament::scores::MATED;
use crate::tournament::visit::{Node, Visit};
use crate::tournament::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_mate::{Glance, LeafSolver};
use tesuji_shogi::{Bound, Value, tactics};

/// By how many plies more than its depth a mate is trusted; it is true at any depth, but need not
/// keep its place in the table for long.
const TRUST: i32 = 6;

impl<E: Eval> Worker<'_, E> {
    /// Looks for a mate at the first visit of a position; whoever was here before has looked.
    pub(in crate::tournament) fn mate_in_one<N: Node>(
        &mut self,
        visit: &mut Visit,
    ) -> ControlFlow<Value> {
        if N::ROOT || visit.entry.is_some() || visit.in_check || visit.excluded.is_some() {
            return Continue(());
        }
        let Some(mv) = tactics::mate_in_one(&mut self.pos) else {
            return self.longer_mate::<N>(visit);
        };
        let value = Value::mate_in(visit.ply as i32 + 1);
        let kept = Some((value, Bound::Exact));
        self.keep(visit, kept, visit.depth + TRUST, Some(mv));
        if N::PV {
            self.variations[visit.ply].clear();
            self.variations[visit.ply].push(mv);
        }
        Break(value)
    }

    /// A few nodes of proof search. How long the mate is remains unknown, so that its value is that
    /// of a game that is decided; where lines are told, the search finds it by itself.
    fn longer_mate<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value> {
        let params = self.params();
        if N::PV || params.leaf_nodes == 0 || visit.depth < params.leaf_depth {
            return Continue(());
        }
        let pos = &self.pos;
        let solver = self.mind.leaf.get_or_insert_with(|| LeafSolver::new(pos));
        let Glance::Mate(mv) = solver.glance(&mut self.pos, params.leaf_nodes as u64) else {
            return Continue(());
        };
        let value = MATED - Value::new(visit.ply as i32);
        let kept = Some((value, Bound::Lower));
        self.keep(visit, kept, visit.depth + TRUST, Some(mv));
        Break(value)
    }
}
