//! Repetition, the move limit, declaration, mate distance.

use crate::tournament::scores::{PERPETUAL, SUPERIOR};
use crate::tournament::visit::{Node, Visit};
use crate::tournament::worker::{MOST_PLIES, Worker};
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::rules::declare;
use tesuji_shogi::{Declaration, DeclarationRule, RepetitionState, Value};

/// How many plies back an equal board is looked for.
pub(in crate::tournament) const MEMORY: usize = 64;

impl<E: Eval> Worker<'_, E> {
    pub(in crate::tournament) fn rules<N: Node>(
        &mut self,
        visit: &mut Visit,
    ) -> ControlFlow<Value> {
        if N::ROOT {
            return Continue(());
        }
        if self.stopped {
            return Break(Value::ZERO);
        }
        if let Some(value) = self.ruled(visit.ply) {
            return Break(value);
        }
        let alpha = visit.alpha.max(Value::mated_in(visit.ply as i32));
        let beta = visit.beta.min(Value::mate_in(visit.ply as i32 + 1));
        if alpha >= beta {
            return Break(alpha);
        }
        (visit.alpha, visit.beta, visit.floor) = (alpha, beta, alpha);
        if visit.excluded.is_none() && self.can_declare() {
            return Break(Value::mate_in(visit.ply as i32 + 1));
        }
        Continue(())
    }

    /// What the rules say about the position, if they decide it.
    #[inline]
    pub(in crate::tournament) fn ruled(&mut self, ply: usize) -> Option<Value> {
        if self.boards.may_hold(&self.pos)
            && let Some(hit) = self.pos.find_repetition(MEMORY)
        {
            let inside = hit.plies <= ply;
            match hit.state {
                RepetitionState::Draw => return Some(self.draw()),
                RepetitionState::Win => return Some(PERPETUAL - Value::new(ply as i32)),
                RepetitionState::Loss => return Some(Value::new(ply as i32) - PERPETUAL),
                // What was given away before the search began cannot be had back.
                RepetitionState::Superior if inside => {
                    return Some(SUPERIOR - Value::new(ply as i32));
                }
                RepetitionState::Inferior if inside => {
                    return Some(Value::new(ply as i32) - SUPERIOR);
                }
                RepetitionState::Superior | RepetitionState::Inferior => {}
            }
        }
        let limit = self.shared.rules.move_limit;
        if limit.is_some_and(|limit| self.pos.ply() > limit) {
            return Some(self.draw());
        }
        if ply >= MOST_PLIES {
            let in_check = self.pos.in_check();
            return Some(if in_check {
                self.draw()
            } else {
                self.evaluate()
            });
        }
        None
    }

    /// Whether the side to move may declare, or try, and win.
    #[inline]
    pub(in crate::tournament) fn can_declare(&self) -> bool {
        let turn = self.pos.turn();
        let rule = self.shared.rules.declaration;
        let is_near = self.pos.king(turn).is_some_and(|king| {
            let farthest = if rule == DeclarationRule::TryRule {
                2
            } else {
                3
            };
            king.rank_for(turn) <= farthest
        });
        is_near && self.declares_now()
    }

    #[cold]
    fn declares_now(&self) -> bool {
        let rule = self.shared.rules.declaration;
        matches!(
            declare(&self.pos, rule),
            Declaration::Win | Declaration::Try(_)
        )
    }
}
