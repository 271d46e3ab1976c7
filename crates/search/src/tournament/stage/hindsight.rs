//! Hindsight: a reduction that proved unwise is corrected at the node it led to (Stockfish).

use crate::tournament::node_state::NodeState;
use crate::tournament::worker::SearchWorker;
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> SearchWorker<'_, E> {
    /// The move that led here was searched less than others. If things did not go the way that the
    /// reduction assumed, some of it is given back, or more is taken.
    pub(in crate::tournament) fn hindsight_reduction(&self, node: &mut NodeState) {
        let params = self.params();
        let reduction = node.prior_reduction;
        if reduction >= params.hindsight_deeper_reduction && !node.opponent_worsening {
            node.depth += 1;
        }
        let margin = Value::new(params.hindsight_margin);
        let sum = node.static_eval + self.frame_before(node.ply, 1).static_eval;
        if reduction >= params.hindsight_shallower_reduction && node.depth >= 2 && sum > margin {
            node.depth -= 1;
        }
    }
}
