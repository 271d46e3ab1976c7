//! Singular extensions: a move that is much better than all others is searched deeper.
//!
//! Anantharaman, Campbell and Hsu (1990) for Deep Thought. Testing the TT move alone, by a reduced
//! search without it, with double and triple extensions, and the multi-cut (Björnsson and Marsland,
//! 1998) that falls out of the same search are Stockfish's form.

use super::move_loop::CurrentMove;
use super::node_state::{NodeState, NodeType, NonPv, bound_supports};
use super::scores::is_decided;
use super::worker::{MAX_PLY, SearchWorker};
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> SearchWorker<'_, E> {
    /// By how many plies a move is extended. If the TT move is the only good one, it is searched
    /// deeper. If several exceed the bound, one of them will cut (multi-cut): breaks with the value.
    pub(super) fn singular_extension<N: NodeType>(
        &mut self,
        node: &mut NodeState,
        current: &CurrentMove,
    ) -> ControlFlow<Value, i32> {
        let params = self.params();
        let Some((value, bound)) = node.tt_value() else {
            return Continue(0);
        };
        if N::ROOT
            || Some(current.mv) != node.tt_move
            || node.excluded_move.is_some()
            || node.depth < params.singular_depth + i32::from(node.tt_pv)
            || is_decided(value)
            || !bound_supports(bound, true)
            || node.tt_depth() < node.depth - params.singular_tt_depth
            || node.ply
                >= (params.singular_ply_factor * self.root_depth).min(MAX_PLY as i32 - 20) as usize
        {
            return Continue(0);
        }
        let slope = params.singular_margin
            + if node.tt_pv && !N::PV {
                params.singular_margin_tt_pv
            } else {
                0
            };
        let singular_beta = value - Value::new(slope * node.depth / 64);
        let window = (singular_beta - Value::new(1), singular_beta);
        let depth = current.depth / params.singular_depth_divisor;
        let value_without =
            self.search_excluding::<NonPv>(current.mv, window, depth, node.ply, node.cut_node);
        if self.stopped {
            return Break(Value::ZERO);
        }
        // The search without the move wrote into the frame.
        let frame = self.frame(node.ply);
        (frame.tt_pv, frame.static_eval) = (node.tt_pv, node.static_eval);
        (frame.move_count, frame.follow_pv) = (current.number, node.follow_pv);
        if value_without < singular_beta {
            let extension = self.extension_plies::<N>(node, singular_beta - value_without);
            node.depth += 1;
            return Continue(extension);
        }
        if value_without >= node.beta && !is_decided(value_without) {
            let malus = params.multicut_malus_base + params.multicut_malus_slope * node.depth;
            let malus = malus.min(params.multicut_malus_max);
            self.thread.histories.update_tt_move(params, -malus);
            return Break(value_without);
        }
        Continue(if value >= node.beta {
            -params.singular_less_above_beta
        } else if node.cut_node {
            -params.singular_less_cut_node
        } else {
            0
        })
    }

    /// How many plies deeper a singular move is searched, by how far the others fall short.
    fn extension_plies<N: NodeType>(&self, node: &NodeState, short: Value) -> i32 {
        let params = self.params();
        let pick = |is: bool, points: i32| if is { points } else { 0 };
        let correction = node.correction.magnitude() / params.singular_correction_divisor;
        let double = params.double_extension_base + pick(N::PV, params.double_extension_pv)
            - pick(!node.tt_capture, params.double_extension_quiet)
            - correction
            - self.thread.histories.tt_move() / params.double_extension_tt_move_history
            - pick(
                node.ply > self.root_depth as usize,
                params.singular_far_from_root,
            );
        let triple = params.triple_extension_base + pick(N::PV, params.triple_extension_pv)
            - pick(!node.tt_capture, params.triple_extension_quiet)
            + pick(node.tt_pv, params.triple_extension_tt_pv)
            - correction
            - pick(
                node.ply > self.root_depth as usize,
                params.singular_far_from_root,
            );
        1 + i32::from(short.points() > double) + i32::from(short.points() > triple)
    }
}
