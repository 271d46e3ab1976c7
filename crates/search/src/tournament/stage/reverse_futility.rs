//! Reverse futility pruning: a position that is far too good will not be reached, as the opponent
//! had something better.
//!
//! Also called static null-move pruning, or futility pruning of child nodes in Stockfish, whose
//! conditions it follows.

use crate::tournament::node_state::{NodeState, NodeType};
use crate::tournament::scores::{between, is_loss, is_win};
use crate::tournament::worker::SearchWorker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> SearchWorker<'_, E> {
    pub(in crate::tournament) fn reverse_futility<N: NodeType>(
        &mut self,
        node: &mut NodeState,
    ) -> ControlFlow<Value> {
        let params = self.params();
        if N::PV
            || node.tt_pv
            || node.depth > params.rfp_depth
            || node.eval < node.beta
            || (node.tt_move.is_some() && !node.tt_capture)
            || is_loss(node.beta)
            || is_win(node.eval)
        {
            return Continue(());
        }
        let no_entry = if node.tt_entry.is_none() {
            params.rfp_no_tt_entry
        } else {
            0
        };
        let slope = params.rfp_slope - no_entry;
        let rest = params.rfp_improving * i32::from(node.improving)
            + params.rfp_opponent_worsening * i32::from(node.opponent_worsening);
        let correction = node.correction.magnitude() * params.rfp_correction / 1024;
        let margin = slope * node.depth - rest * slope / 1024 + correction;
        if node.eval - Value::new(margin) >= node.beta {
            Break(between(node.beta, params.rfp_beta_weight, node.eval))
        } else {
            Continue(())
        }
    }
}
