//! Who stands well even after passing would stand well with a move, too.

use crate::tournament::scores::{is_loss, is_win};
use crate::tournament::visit::{Node, Scout, Visit};
use crate::tournament::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> Worker<'_, E> {
    pub(in crate::tournament) fn pass<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value> {
        if self.may_pass::<N>(visit) {
            self.try_pass(visit)?;
        }
        visit.improving |= visit.corrected >= visit.beta;
        Continue(())
    }

    fn may_pass<N: Node>(&self, visit: &Visit) -> bool {
        let params = self.params();
        let needed = params.pass_base
            - params.pass_slope * visit.depth
            - params.pass_improving * i32::from(visit.improving);
        !N::PV
            && visit.cut
            && visit.excluded.is_none()
            && self.before(visit.ply, 1).mv.is_some()
            && visit.corrected >= visit.beta + Value::new(needed)
            && visit.ply >= self.no_pass_until
            && !is_loss(visit.beta)
    }

    fn try_pass(&mut self, visit: &Visit) -> ControlFlow<Value> {
        let params = self.params();
        let (beta, ply) = (visit.beta, visit.ply);
        let reduced = visit.depth - params.pass_reduction - visit.depth / params.pass_divisor;
        let window = (-beta, -beta + Value::new(1));
        self.pass_turn(ply);
        let value = -self.node::<Scout>(window, reduced, ply + 1, false);
        self.take_back();
        if self.stopped {
            return Break(Value::ZERO);
        }
        if value < beta || is_win(value) {
            return Continue(());
        }
        if self.no_pass_until > 0 || visit.depth < params.pass_verify {
            return Break(value);
        }
        // Deep down it is verified without passes: there are positions where having to move hurts.
        self.no_pass_until = ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.node::<Scout>((beta - Value::new(1), beta), reduced, ply, false);
        self.no_pass_until = 0;
        if verified >= beta {
            Break(value)
        } else {
            Continue(())
        }
    }

    /// A node without a move to begin with is searched one ply less: its move ordering is poor, and
    /// the next iteration will find a move in the table.
    pub(in crate::tournament) fn reduce_blind<N: Node>(&mut self, visit: &mut Visit) {
        let blind = visit.table_move.is_none() && visit.depth >= self.params().internal_depth;
        if blind && !visit.expected && !visit.is_all(N::PV) && visit.reduction <= 3 {
            visit.depth -= 1;
        }
    }
}
