//! Quiescence search: captures, promotions and checks until nothing hangs.
//!
//! Shannon (1950) asked for it, Beal (1990) described standing pat; pruning by futility and static
//! exchange evaluation follows Stockfish.

use super::node_state::{NodeState, NodeType, bound_supports};
use super::scores::{between, is_decided, is_loss};
use super::worker::SearchWorker;
use crate::ordering::move_picker::{MovePicker, PickerMode, promotion_gain};
use crate::tt::TtEntry;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::tactics::{self, CheckSquares, see};
use tesuji_shogi::{Bound, Move, Value};

impl<E: Eval> SearchWorker<'_, E> {
    /// The value of the position when everything that hangs is taken; `depth` counts down from 0.
    pub(super) fn qsearch<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        depth: i32,
    ) -> Value {
        let mut node = NodeState::new(alpha, beta, depth, ply, false, self.pos.key());
        match self.qsearch_node::<N>(&mut node) {
            Break(value) | Continue(value) => value,
        }
    }

    fn qsearch_node<N: NodeType>(&mut self, node: &mut NodeState) -> ControlFlow<Value, Value> {
        if self.stopped {
            return Break(Value::ZERO);
        }
        node.in_check = self.pos.in_check();
        node.continuations = self.continuations(node.ply);
        self.set_correction_keys(node);
        self.seldepth = self.seldepth.max(node.ply + 1);
        if N::PV {
            self.pv_table[node.ply].clear();
        }
        if let Some(value) = self.rule_value(node.ply) {
            return Break(value);
        }
        self.qsearch_tt_probe::<N>(node)?;
        if node.in_check {
            self.frame(node.ply).in_check = true;
        } else {
            self.stand_pat::<N>(node)?;
        }
        self.qsearch_moves::<N>(node)?;
        Continue(self.finish_qsearch(node))
    }

    fn qsearch_tt_probe<N: NodeType>(&mut self, node: &mut NodeState) -> ControlFlow<Value> {
        node.tt_entry = self.tt_lookup(node.key, node.ply);
        let entry = node.tt_entry;
        node.tt_pv = entry.is_some_and(|entry| entry.is_pv);
        node.tt_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| self.pos.is_legal(mv));
        if let Some((value, bound)) = node.tt_value()
            && !N::PV
            && node.tt_depth() >= 0
            && bound_supports(bound, value >= node.beta)
        {
            return Break(value);
        }
        Continue(())
    }

    /// Nobody has to take: the evaluation is a lower bound.
    fn stand_pat<N: NodeType>(&mut self, node: &mut NodeState) -> ControlFlow<Value> {
        let is_new = node.tt_entry.is_none();
        if is_new && let Some(mv) = tactics::mate_in_one(&mut self.pos) {
            let value = Value::mate_in(node.ply as i32 + 1);
            self.tt_store(node, Some((value, Bound::Exact)), 0, Some(mv));
            if N::PV {
                self.pv_table[node.ply].push(mv);
            }
            return Break(value);
        }
        self.set_static_eval(node);
        let frame = self.frame(node.ply);
        (frame.static_eval, frame.in_check) = (node.static_eval, false);
        node.best_value = node.static_eval;
        if let Some((value, bound)) = node.tt_value()
            && !is_decided(value)
            && bound_supports(bound, value > node.best_value)
        {
            node.best_value = value;
        }
        if node.best_value >= node.beta {
            if !is_decided(node.best_value) {
                node.best_value = between(
                    node.best_value,
                    self.params().qsearch_best_weight,
                    node.beta,
                );
            }
            if is_new {
                let value_and_bound = Some((node.best_value, Bound::Lower));
                self.tt_store(node, value_and_bound, TtEntry::UNSEARCHED, None);
            }
            return Break(node.best_value);
        }
        node.alpha = node.alpha.max(node.best_value);
        Continue(())
    }

    fn qsearch_moves<N: NodeType>(&mut self, node: &mut NodeState) -> ControlFlow<Value> {
        let mode = if node.in_check {
            PickerMode::All
        } else if node.depth == 0 && self.qsearch_tries_checks::<N>() {
            PickerMode::CapturesAndChecks
        } else {
            PickerMode::Captures
        };
        // Outside check only what quiescence would try itself is taken from the table.
        let tt_move = node
            .tt_move
            .filter(|&mv| node.in_check || self.pos.is_capture(mv));
        let mut picker = self.move_picker(mode, tt_move, node.in_check);
        let flow = self.qsearch_each_move::<N>(node, &mut picker);
        picker.close(&mut self.move_arena);
        flow
    }

    /// Checks are tried in principal variations: elsewhere they cost more than they find.
    fn qsearch_tries_checks<N: NodeType>(&self) -> bool {
        match self.params().qsearch_checks {
            0 => false,
            1 => N::PV,
            _ => true,
        }
    }

    fn qsearch_each_move<N: NodeType>(
        &mut self,
        node: &mut NodeState,
        picker: &mut MovePicker,
    ) -> ControlFlow<Value> {
        let (mut move_count, mut checks) = (0, None);
        while let Some(mv) = self.next_move(node, None, picker) {
            move_count += 1;
            if !is_loss(node.best_value) {
                let checks = checks.get_or_insert_with(|| CheckSquares::of(&self.pos));
                if self.is_qsearch_pruned(node, checks, mv, move_count) {
                    continue;
                }
            }
            self.do_move(mv, node.ply);
            let value = -self.qsearch::<N>(-node.beta, -node.alpha, node.ply + 1, node.depth - 1);
            self.undo_move();
            if self.stopped {
                return Break(Value::ZERO);
            }
            if value > node.best_value {
                node.best_value = value;
                if value > node.alpha {
                    node.best_move = Some(mv);
                    if N::PV {
                        self.update_pv(node.ply, mv);
                    }
                    if value >= node.beta {
                        return Continue(());
                    }
                    node.alpha = value;
                }
            }
        }
        if move_count == 0 && node.in_check {
            return Break(Value::mated_in(node.ply as i32));
        }
        Continue(())
    }

    /// Whether a move cannot bring enough, or loses too much.
    fn is_qsearch_pruned(
        &self,
        node: &mut NodeState,
        checks: &CheckSquares,
        mv: Move,
        move_count: i32,
    ) -> bool {
        let params = self.params();
        let gives_check = checks.is_check(&self.pos, mv);
        let is_recapture = self
            .frame_before(node.ply, 1)
            .current_move
            .is_some_and(|prior| prior.to() == mv.to());
        if !node.in_check && !gives_check && !is_recapture {
            if move_count > params.qsearch_moves {
                return true;
            }
            let base = node.static_eval + Value::new(params.qsearch_futility_margin);
            let captured = self
                .pos
                .at(mv.to())
                .map_or(0, |piece| piece.kind().worth().points());
            let promoted = if mv.is_promotion() {
                promotion_gain(self.pos.moved_piece_after(mv).kind())
            } else {
                0
            };
            let futility = base + Value::new(captured + promoted);
            if futility <= node.alpha {
                node.best_value = node.best_value.max(futility);
                return true;
            }
            if !see::is_at_least(&self.pos, mv, node.alpha - base) {
                node.best_value = node.best_value.max(node.alpha.min(base));
                return true;
            }
        }
        // In check, once something holds, only captures are compared with it.
        if node.in_check && !self.pos.is_capture(mv) {
            return true;
        }
        !see::is_at_least(&self.pos, mv, Value::new(-params.qsearch_see))
    }

    fn finish_qsearch(&mut self, node: &mut NodeState) -> Value {
        if !is_decided(node.best_value) && node.best_value > node.beta {
            node.best_value = between(
                node.best_value,
                self.params().qsearch_best_weight,
                node.beta,
            );
        }
        let bound = if node.best_value >= node.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        self.tt_store(node, Some((node.best_value, bound)), 0, node.best_move);
        node.best_value
    }
}
