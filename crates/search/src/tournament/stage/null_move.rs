//! Null-move pruning: who stands well even after passing would stand well with a move, too.
//!
//! Beal (1989) and Goetsch and Campbell (1990) described it, Donninger (1993) gave it the form that
//! all programs use. It is verified by a search without null moves (Tabibi and Netanyahu, 2002) only
//! deep down, as in Stockfish.

use crate::tournament::node_state::{NodeState, NodeType, NonPv};
use crate::tournament::scores::{is_loss, is_win};
use crate::tournament::worker::SearchWorker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> SearchWorker<'_, E> {
    pub(in crate::tournament) fn null_move<N: NodeType>(
        &mut self,
        node: &mut NodeState,
    ) -> ControlFlow<Value> {
        if self.may_null_move::<N>(node) {
            self.try_null_move(node)?;
        }
        node.improving |= node.static_eval >= node.beta;
        Continue(())
    }

    fn may_null_move<N: NodeType>(&self, node: &NodeState) -> bool {
        let params = self.params();
        let needed = params.null_move_base
            - params.null_move_slope * node.depth
            - params.null_move_improving * i32::from(node.improving);
        !N::PV
            && node.cut_node
            && node.excluded_move.is_none()
            && self.frame_before(node.ply, 1).current_move.is_some()
            && node.static_eval >= node.beta + Value::new(needed)
            && node.ply >= self.null_move_min_ply
            && !is_loss(node.beta)
    }

    fn try_null_move(&mut self, node: &NodeState) -> ControlFlow<Value> {
        let params = self.params();
        let (beta, ply) = (node.beta, node.ply);
        let reduced =
            node.depth - params.null_move_reduction - node.depth / params.null_move_divisor;
        let window = (-beta, -beta + Value::new(1));
        self.do_null_move(ply);
        let value = -self.search::<NonPv>(window, reduced, ply + 1, false);
        self.undo_move();
        if self.stopped {
            return Break(Value::ZERO);
        }
        if value < beta || is_win(value) {
            return Continue(());
        }
        if self.null_move_min_ply > 0 || node.depth < params.null_move_verification_depth {
            return Break(value);
        }
        // Deep down it is verified without null moves: there are positions where having to move hurts.
        self.null_move_min_ply =
            ply + (reduced.max(0) * params.null_move_verification_share / 1024) as usize;
        let verified = self.search::<NonPv>((beta - Value::new(1), beta), reduced, ply, false);
        self.null_move_min_ply = 0;
        if verified >= beta {
            Break(value)
        } else {
            Continue(())
        }
    }
}
