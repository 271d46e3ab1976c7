//! Internal iterative reduction (IIR): a node without a move to begin with is searched less deeply.
//!
//! Ed Schröder (Rebel, 2020) put it in the place of internal iterative deepening; Stockfish took it
//! up.

use crate::tournament::node_state::{NodeState, NodeType};
use crate::tournament::worker::SearchWorker;
use tesuji_eval::Eval;

impl<E: Eval> SearchWorker<'_, E> {
    /// Without a TT move the order of the moves is poor, and the next iteration will find a move in
    /// the table.
    pub(in crate::tournament) fn internal_iterative_reduction<N: NodeType>(
        &self,
        node: &mut NodeState,
    ) {
        let params = self.params();
        let lacks_move = node.tt_move.is_none() && node.depth >= params.iir_depth;
        let is_reduced = node.prior_reduction > params.iir_prior_reduction;
        if lacks_move && !node.follow_pv && !node.is_all_node(N::PV) && !is_reduced {
            node.depth -= 1;
        }
    }
}
