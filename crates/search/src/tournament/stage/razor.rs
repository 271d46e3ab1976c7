//! A hopeless position is left to quiescence; a reduction that proved unwise is corrected.

use crate::tournament::visit::{Node, Visit};
use crate::tournament::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> Worker<'_, E> {
    /// The move that led here was searched less than others. If things did not go the way that the
    /// reduction assumed, some of it is given back, or more is taken.
    pub(in crate::tournament) fn reconsider(&mut self, visit: &mut Visit) {
        if visit.reduction >= 3 && !visit.worsening {
            visit.depth += 1;
        }
        let hindsight = Value::new(self.params().hindsight_margin);
        let sum = visit.corrected + self.before(visit.ply, 1).corrected;
        if visit.reduction >= 2 && visit.depth >= 2 && sum > hindsight {
            visit.depth -= 1;
        }
    }

    pub(in crate::tournament) fn razor<N: Node>(
        &mut self,
        visit: &mut Visit,
    ) -> ControlFlow<Value> {
        let params = self.params();
        let margin = params.razor_base + params.razor_slope * visit.depth * visit.depth;
        if N::PV || visit.guess >= visit.alpha - Value::new(margin) {
            return Continue(());
        }
        Break(self.quiescence::<N>(visit.alpha, visit.beta, visit.ply, 0))
    }
}
