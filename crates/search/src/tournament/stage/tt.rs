//! The transposition table at a node: what an earlier search found out, and what this one stores.

use crate::tournament::node_state::{NodeState, NodeType, bound_supports};
use crate::tournament::scores::{value_from_tt, value_to_tt};
use crate::tournament::worker::SearchWorker;
use crate::tt::TtEntry;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Key, Move, Value};

impl<E: Eval> SearchWorker<'_, E> {
    /// Probes the table, and is content with its answer if the exact value is not wanted.
    pub(in crate::tournament) fn tt_probe<N: NodeType>(
        &mut self,
        node: &mut NodeState,
    ) -> ControlFlow<Value> {
        let ply = node.ply;
        node.tt_entry = self.tt_lookup(node.key, ply);
        let entry = node.tt_entry;
        node.tt_pv = if node.excluded_move.is_some() {
            self.frame_before(ply, 0).tt_pv
        } else {
            N::PV || entry.is_some_and(|entry| entry.is_pv)
        };
        let (tt_pv, tt_hit) = (node.tt_pv, entry.is_some());
        let frame = self.frame(ply);
        (frame.tt_pv, frame.tt_hit) = (tt_pv, tt_hit);
        node.tt_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv())
        } else {
            entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| self.pos.is_legal(mv))
        };
        node.tt_capture = node.tt_move.is_some_and(|mv| self.pos.is_capture(mv));
        if N::PV || node.excluded_move.is_some() {
            return Continue(());
        }
        self.tt_cutoff(node)
    }

    fn tt_cutoff(&mut self, node: &mut NodeState) -> ControlFlow<Value> {
        let (Some(entry), Some((value, bound))) = (node.tt_entry, node.tt_value()) else {
            return Continue(());
        };
        let fails_high = value >= node.beta;
        let is_deep = entry.depth > node.depth - i32::from(value <= node.beta);
        let is_expected = node.cut_node == fails_high || node.depth > self.params().tt_cutoff_depth;
        if !(is_deep && bound_supports(bound, fails_high) && is_expected) {
            return Continue(());
        }
        if fails_high && let Some(mv) = node.tt_move {
            self.update_for_tt_cutoff(node, mv);
        }
        Break(value)
    }

    /// The entry of a position, its value counted from the root.
    #[inline(always)]
    pub(in crate::tournament) fn tt_lookup(&self, key: Key, ply: usize) -> Option<TtEntry> {
        let mut entry = self.shared.tt.probe(key)?;
        if let Some((value, _)) = &mut entry.value {
            *value = value_from_tt(*value, ply);
        }
        Some(entry)
    }

    /// Stores a result; the value counts mates from the root.
    #[inline]
    pub(in crate::tournament) fn tt_store(
        &self,
        node: &NodeState,
        value: Option<(Value, Bound)>,
        depth: i32,
        mv: Option<Move>,
    ) {
        let value = value.map(|(value, bound)| (value_to_tt(value, node.ply), bound));
        self.shared.tt.store(
            node.key,
            TtEntry {
                mv,
                value,
                eval: node.raw_eval,
                depth,
                is_pv: node.tt_pv,
            },
        );
    }
}
