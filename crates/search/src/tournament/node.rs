//! The stages of a node, in order.
//!
//! Principal variation search (Finkel and Fishburn; Marsland and Campbell, 1982) with the stages, in
//! the order and with the first numbers, of Stockfish and of YaneuraOu, its kin for shogi. A stage that knows the answer breaks with it; a stopped search breaks the same way.

use super::move_loop::SearchedMoves;
use super::node_state::{NodeState, NodeType};
use super::worker::SearchWorker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::{Move, Value};

impl<E: Eval> SearchWorker<'_, E> {
    /// The value of the position on the board, for the side to move.
    pub(super) fn search<N: NodeType>(
        &mut self,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return self.qsearch::<N>(alpha, beta, ply, 0);
        }
        let mut node = NodeState::new(alpha, beta, depth, ply, cut_node, self.pos.key());
        self.search_node::<N>(&mut node)
    }

    /// The same without one of its moves.
    pub(super) fn search_excluding<N: NodeType>(
        &mut self,
        excluded_move: Move,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        let mut node = NodeState::new(alpha, beta, depth.max(1), ply, cut_node, self.pos.key());
        node.excluded_move = Some(excluded_move);
        self.frame(ply).excluded_move = Some(excluded_move);
        let value = self.search_node::<N>(&mut node);
        self.frame(ply).excluded_move = None;
        value
    }

    pub(super) fn search_node<N: NodeType>(&mut self, node: &mut NodeState) -> Value {
        match self.stages::<N>(node) {
            Break(value) | Continue(value) => value,
        }
    }

    fn stages<N: NodeType>(&mut self, node: &mut NodeState) -> ControlFlow<Value, Value> {
        self.enter_node::<N>(node);
        self.check_rules::<N>(node)?; // repetition, declaration, mate distance
        self.tt_probe::<N>(node)?; // an earlier search proved enough
        self.mate_in_one::<N>(node)?; // and longer mates, if wanted
        self.evaluate::<N>(node); // the static evaluation and where it is going
        if !node.in_check {
            self.hindsight_reduction(node); // was the reduction of this node wise?
            self.razoring::<N>(node)?; // hopeless: let quiescence confirm it
            self.reverse_futility::<N>(node)?; // too good: the opponent will not come here
            self.null_move::<N>(node)?; // good enough even after a null move
            self.internal_iterative_reduction::<N>(node); // no TT move: one ply less
            self.probcut(node)?; // one capture already exceeds the bound
        }
        self.small_probcut::<N>(node)?; // the TT value exceeds the bound by far
        let mut searched = SearchedMoves::default();
        self.search_moves::<N>(node, &mut searched)?;
        Continue(self.finish_node::<N>(node, &searched)) // histories, transposition table
    }

    /// Whether the last iteration's principal variation leads here.
    fn follows_pv<N: NodeType>(&self, ply: usize) -> bool {
        let prior = self.frame_before(ply, 1);
        N::ROOT || (prior.follow_pv && prior.current_move == self.last_pv.get(ply - 1).copied())
    }

    fn enter_node<N: NodeType>(&mut self, node: &mut NodeState) {
        let ply = node.ply;
        node.in_check = self.pos.in_check();
        node.continuations = self.continuations(ply);
        self.set_correction_keys(node);
        self.seldepth = self.seldepth.max(ply + 1);
        self.frame(ply + 2).cutoff_count = 0;
        node.follow_pv = N::PV && self.follows_pv::<N>(ply);
        if !N::ROOT {
            // Only this search was reduced; those of the same node from within are not.
            node.prior_reduction = std::mem::take(&mut self.frame(ply - 1).reduction);
        }
        let frame = self.frame(ply);
        (frame.in_check, frame.move_count, frame.follow_pv) = (node.in_check, 0, node.follow_pv);
        frame.stat_score = 0;
        if N::PV {
            self.pv_table[ply].clear();
        }
    }
}
