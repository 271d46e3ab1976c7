//! A position that is far too good will not be reached: the opponent had something better.

use crate::tournament::scores::{between, is_loss, is_win};
use crate::tournament::visit::{Node, Visit};
use crate::tournament::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> Worker<'_, E> {
    pub(in crate::tournament) fn futility<N: Node>(
        &mut self,
        visit: &mut Visit,
    ) -> ControlFlow<Value> {
        let params = self.params();
        if N::PV
            || visit.was_pv
            || visit.depth > params.futility_depth
            || visit.guess < visit.beta
            || (visit.table_move.is_some() && !visit.table_takes)
            || is_loss(visit.beta)
            || is_win(visit.guess)
        {
            return Continue(());
        }
        let unseen = if visit.entry.is_none() {
            params.futility_unseen
        } else {
            0
        };
        let slope = params.futility_slope - unseen;
        let rest = params.futility_improving * i32::from(visit.improving)
            + params.futility_worsening * i32::from(visit.worsening);
        let margin = slope * visit.depth - rest * slope / 1024 + visit.correction.doubt() * 2 / 3;
        if visit.guess - Value::new(margin) >= visit.beta {
            Break(between(visit.beta, 2, visit.guess))
        } else {
            Continue(())
        }
    }
}
