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
        let lacks_move = node.tt_move.is_none() && node.depth >= self.params().iir_depth;
        if lacks_move && !node.follow_pv && !node.is_all_node(N::PV) && node.prior_reduction <= 3 {
            node.depth -= 1;
        }
    }
}
