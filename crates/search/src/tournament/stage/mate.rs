//! A mate ends the node: in one, or a longer one that a few nodes of proof search see.
//!
//! Looking for a mate in one at the nodes of the main search is usual in shogi (Bonanza, YaneuraOu).

use crate::tournament::node_state::{NodeState, NodeType};
use crate::tournament::scores::MATED;
use crate::tournament::worker::SearchWorker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_mate::{LeafSolver, QuickVerdict};
use tesuji_shogi::{Bound, Value, tactics};

impl<E: Eval> SearchWorker<'_, E> {
    /// Looks for a mate where the transposition table has no entry: with one, it was looked for before.
    pub(in crate::tournament) fn mate_in_one<N: NodeType>(
        &mut self,
        node: &mut NodeState,
    ) -> ControlFlow<Value> {
        if N::ROOT || node.tt_entry.is_some() || node.in_check || node.excluded_move.is_some() {
            return Continue(());
        }
        let Some(mv) = tactics::mate_in_one(&mut self.pos) else {
            return self.leaf_mate::<N>(node);
        };
        let value = Value::mate_in(node.ply as i32 + 1);
        let value_and_bound = Some((value, Bound::Exact));
        // It is true at any depth, but need not keep its slot in the table for long.
        let depth = node.depth + self.params().decided_tt_extra_depth;
        self.tt_store(node, value_and_bound, depth, Some(mv));
        if N::PV {
            self.pv_table[node.ply].clear();
            self.pv_table[node.ply].push(mv);
        }
        Break(value)
    }

    /// A few nodes of proof search. How long the mate is remains unknown, so that its value is that
    /// of a game that is decided; in principal variations the search finds it by itself.
    fn leaf_mate<N: NodeType>(&mut self, node: &mut NodeState) -> ControlFlow<Value> {
        let params = self.params();
        if N::PV || params.leaf_mate_nodes == 0 || node.depth < params.leaf_mate_depth {
            return Continue(());
        }
        let pos = &self.pos;
        let solver = self
            .thread
            .leaf_solver
            .get_or_insert_with(|| LeafSolver::new(pos));
        let QuickVerdict::Mate(mv) =
            solver.quick_solve(&mut self.pos, params.leaf_mate_nodes as u64)
        else {
            return Continue(());
        };
        let value = MATED - Value::new(node.ply as i32);
        let value_and_bound = Some((value, Bound::Lower));
        let depth = node.depth + params.decided_tt_extra_depth;
        self.tt_store(node, value_and_bound, depth, Some(mv));
        Break(value)
    }
}
