//! What ends a node before it is searched: repetition, the move limit, declaration, mate distance.
//!
//! Repetition looks at hands too: the same board with more in hand is better, as in Apery and
//! YaneuraOu. Mate distance has the form it has in Stockfish.

use crate::tournament::node_state::{NodeState, NodeType};
use crate::tournament::repetition_filter::REPETITION_PLIES;
use crate::tournament::scores::{PERPETUAL, SUPERIOR};
use crate::tournament::worker::{MAX_PLY, SearchWorker};
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::rules::declare;
use tesuji_shogi::{Declaration, DeclarationRule, RepetitionState, Value};

impl<E: Eval> SearchWorker<'_, E> {
    pub(in crate::tournament) fn check_rules<N: NodeType>(
        &mut self,
        node: &mut NodeState,
    ) -> ControlFlow<Value> {
        if N::ROOT {
            return Continue(());
        }
        if self.stopped {
            return Break(Value::ZERO);
        }
        if let Some(value) = self.rule_value(node.ply) {
            return Break(value);
        }
        let alpha = node.alpha.max(Value::mated_in(node.ply as i32));
        let beta = node.beta.min(Value::mate_in(node.ply as i32 + 1));
        if alpha >= beta {
            return Break(alpha);
        }
        (node.alpha, node.beta, node.original_alpha) = (alpha, beta, alpha);
        if node.excluded_move.is_none() && self.can_declare() {
            return Break(Value::mate_in(node.ply as i32 + 1));
        }
        Continue(())
    }

    /// What the rules say about the position, if they decide it.
    #[inline]
    pub(in crate::tournament) fn rule_value(&mut self, ply: usize) -> Option<Value> {
        if self.repetition_filter.may_hold(&self.pos)
            && let Some(hit) = self.pos.find_repetition(REPETITION_PLIES)
        {
            let inside = hit.plies <= ply;
            match hit.state {
                RepetitionState::Draw => return Some(self.draw_value()),
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
        let limit = self.shared.request.rules.move_limit;
        if limit.is_some_and(|limit| self.pos.ply() > limit) {
            return Some(self.draw_value());
        }
        if ply >= MAX_PLY {
            let in_check = self.pos.in_check();
            return Some(if in_check {
                self.draw_value()
            } else {
                self.evaluate_position()
            });
        }
        None
    }

    /// Whether the side to move may declare, or try, and win.
    #[inline]
    pub(in crate::tournament) fn can_declare(&self) -> bool {
        let turn = self.pos.turn();
        let rule = self.shared.request.rules.declaration;
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
        let rule = self.shared.request.rules.declaration;
        matches!(
            declare(&self.pos, rule),
            Declaration::Win | Declaration::Try(_)
        )
    }
}
