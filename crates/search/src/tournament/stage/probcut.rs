//! ProbCut: a capture that exceeds the bound in a shallow search will exceed it in a deep one.
//!
//! Buro (1995) for othello; trying captures alone, and the entry of the transposition table in the
//! place of a search (small ProbCut), are Stockfish's.

use crate::ordering::move_picker::{MovePicker, PickerMode};
use crate::tournament::node_state::{NodeState, NodeType, NonPv, bound_supports};
use crate::tournament::scores::is_decided;
use crate::tournament::worker::SearchWorker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Value};

impl<E: Eval> SearchWorker<'_, E> {
    pub(in crate::tournament) fn probcut(&mut self, node: &mut NodeState) -> ControlFlow<Value> {
        let params = self.params();
        let margin = params.probcut_margin - params.probcut_improving * i32::from(node.improving);
        let probcut_beta = node.beta + Value::new(margin);
        let is_refuted = node
            .tt_value()
            .is_some_and(|(value, _)| value < probcut_beta);
        if node.depth < params.probcut_depth || is_decided(node.beta) || is_refuted {
            return Continue(());
        }
        let tt_move = node.tt_move.filter(|_| node.tt_capture);
        let mode = PickerMode::ProbCut(probcut_beta - node.static_eval);
        let mut picker = self.move_picker(mode, tt_move, false);
        let outcome = self.probcut_moves(node, &mut picker, probcut_beta);
        picker.close(&mut self.move_arena);
        outcome
    }

    fn probcut_moves(
        &mut self,
        node: &mut NodeState,
        picker: &mut MovePicker,
        probcut_beta: Value,
    ) -> ControlFlow<Value> {
        let window = (-probcut_beta, -probcut_beta + Value::new(1));
        let depth = node.depth - self.params().probcut_reduction;
        while let Some(mv) = self.next_move(node, None, picker) {
            if node.excluded_move == Some(mv) {
                continue;
            }
            self.do_move(mv, node.ply);
            let mut value = -self.qsearch::<NonPv>(window.0, window.1, node.ply + 1, 0);
            if value >= probcut_beta && depth > 0 {
                value = -self.search::<NonPv>(window, depth, node.ply + 1, !node.cut_node);
            }
            self.undo_move();
            if self.stopped {
                return Break(Value::ZERO);
            }
            if value >= probcut_beta {
                self.tt_store(node, Some((value, Bound::Lower)), depth + 1, Some(mv));
                if !is_decided(value) {
                    return Break(value - (probcut_beta - node.beta));
                }
            }
        }
        Continue(())
    }

    /// A TT value that exceeds the bound by far is enough even if it is a little shallow.
    pub(in crate::tournament) fn small_probcut<N: NodeType>(
        &self,
        node: &mut NodeState,
    ) -> ControlFlow<Value> {
        let params = self.params();
        let probcut_beta = node.beta + Value::new(params.small_probcut_margin);
        match node.tt_value() {
            Some((value, bound))
                if !N::ROOT
                    && bound_supports(bound, true)
                    && node.tt_depth() >= node.depth - params.small_probcut_depth
                    && value >= probcut_beta
                    && !is_decided(node.beta)
                    && !is_decided(value) =>
            {
                Break(probcut_beta)
            }
            _ => Continue(()),
        }
    }
}
