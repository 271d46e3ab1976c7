//! The end of a node: the histories are updated, the result is stored.

use super::move_loop::SearchedMoves;
use super::node_state::{NodeState, NodeType};
use super::scores::is_decided;
use super::worker::SearchWorker;
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Value};

impl<E: Eval> SearchWorker<'_, E> {
    pub(super) fn finish_node<N: NodeType>(
        &mut self,
        node: &mut NodeState,
        searched: &SearchedMoves,
    ) -> Value {
        if searched.move_count == 0 {
            // Whoever has no legal move loses, in check or not.
            node.best_value = match node.excluded_move {
                Some(_) => node.alpha,
                None => Value::mated_in(node.ply as i32),
            };
        } else if node.best_value >= node.beta
            && !is_decided(node.best_value)
            && !is_decided(node.alpha)
        {
            let (depth, best) = (node.depth, node.best_value.points());
            node.best_value = Value::new((best * depth + node.beta.points()) / (depth + 1));
        }
        match node.best_move {
            Some(mv) => self.update_all_histories::<N>(node, mv, searched),
            None if searched.move_count > 0 => self.reward_prior_move(node),
            None => {}
        }
        if node.best_value <= node.original_alpha {
            node.tt_pv |= self.frame_before(node.ply, 1).tt_pv;
            let tt_pv = node.tt_pv;
            self.frame(node.ply).tt_pv = tt_pv;
        }
        if node.excluded_move.is_none() && !(N::ROOT && self.pv_index > 0) {
            self.store_result::<N>(node, searched);
        }
        self.update_correction_history(node);
        node.best_value
    }

    fn store_result<N: NodeType>(&self, node: &NodeState, searched: &SearchedMoves) {
        let bound = if node.best_value >= node.beta {
            Bound::Lower
        } else if N::PV && node.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = if searched.move_count > 0 {
            node.depth
        } else {
            node.depth + self.params().decided_tt_extra_depth
        };
        self.tt_store(node, Some((node.best_value, bound)), depth, node.best_move);
    }
}
