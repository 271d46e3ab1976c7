//! The stages of a node, in order.
//!
//! A stage that knows the answer breaks with it; a stopped search breaks the same way.

use super::visit::{Node, Visit};
use super::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::{Move, Value};

impl<E: Eval> Worker<'_, E> {
    /// The value of the position on the board, for the side to move.
    pub(super) fn node<N: Node>(
        &mut self,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, ply, 0);
        }
        let mut visit = Visit::new(alpha, beta, depth, ply, cut, self.pos.key());
        self.visit::<N>(&mut visit)
    }

    /// The same without one of its moves.
    pub(super) fn node_without<N: Node>(
        &mut self,
        excluded: Move,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        let mut visit = Visit::new(alpha, beta, depth.max(1), ply, cut, self.pos.key());
        visit.excluded = Some(excluded);
        self.frame(ply).excluded = Some(excluded);
        let value = self.visit::<N>(&mut visit);
        self.frame(ply).excluded = None;
        value
    }

    pub(super) fn visit<N: Node>(&mut self, visit: &mut Visit) -> Value {
        match self.stages::<N>(visit) {
            Break(value) | Continue(value) => value,
        }
    }

    fn stages<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value, Value> {
        self.enter::<N>(visit);
        self.rules::<N>(visit)?; // repetition, declaration, mate distance
        self.recall::<N>(visit)?; // an earlier visit proved enough
        self.mate_in_one::<N>(visit)?;
        self.judge::<N>(visit); // the static value and where it is going
        if !visit.in_check {
            self.reconsider(visit); // was the reduction of this node wise?
            self.razor::<N>(visit)?; // hopeless: let quiescence confirm it
            self.futility::<N>(visit)?; // too good: the opponent will not come here
            self.pass::<N>(visit)?; // good enough even after passing
            self.reduce_blind::<N>(visit); // without a move to begin with, one ply less
            self.probcut(visit)?; // one capture already exceeds the bound
        }
        self.recall_beyond::<N>(visit)?; // the table exceeds the bound by far
        let tried = self.try_moves::<N>(visit)?;
        Continue(self.conclude::<N>(visit, &tried)) // teach the histories, fill the table
    }

    /// Whether the line that the last iteration found leads here.
    fn is_expected<N: Node>(&self, ply: usize) -> bool {
        let before = self.before(ply, 1);
        N::ROOT || (before.expected && before.mv == self.last_line.get(ply - 1).copied())
    }

    fn enter<N: Node>(&mut self, visit: &mut Visit) {
        let ply = visit.ply;
        visit.in_check = self.pos.in_check();
        visit.trail = self.trail(ply);
        self.liken(visit);
        self.reach = self.reach.max(ply + 1);
        self.frame(ply + 2).cutoffs = 0;
        visit.expected = N::PV && self.is_expected::<N>(ply);
        if !N::ROOT {
            // Only this visit was reduced; searches of the same node from within are not.
            visit.reduction = std::mem::take(&mut self.frame(ply - 1).reduction);
        }
        let frame = self.frame(ply);
        (frame.in_check, frame.tried, frame.expected) = (visit.in_check, 0, visit.expected);
        frame.past = 0;
        if N::PV {
            self.variations[ply].clear();
        }
    }
}
