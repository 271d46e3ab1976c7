//! Razoring: a hopeless position is left to quiescence.
//!
//! The name is Birmingham and Kent's (1977), the form without a reduced search Stockfish's.

use crate::tournament::node_state::{NodeState, NodeType};
use crate::tournament::worker::SearchWorker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> SearchWorker<'_, E> {
    pub(in crate::tournament) fn razoring<N: NodeType>(
        &mut self,
        node: &mut NodeState,
    ) -> ControlFlow<Value> {
        let params = self.params();
        let margin = params.razor_base + params.razor_slope * node.depth * node.depth;
        if N::PV || node.eval >= node.alpha - Value::new(margin) {
            return Continue(());
        }
        Break(self.qsearch::<N>(node.alpha, node.beta, node.ply, 0))
    }
}
