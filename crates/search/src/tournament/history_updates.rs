//! What the end of a node teaches the histories: bonus and malus.
//!
//! Which moves are updated, and by how much at first, follows Stockfish.

use super::move_loop::SearchedMoves;
use super::node_state::{NodeState, NodeType};
use super::worker::SearchWorker;
use crate::ordering::{ContinuationKey, PieceTo};
use tesuji_eval::Eval;
use tesuji_shogi::{Move, Value};

impl<E: Eval> SearchWorker<'_, E> {
    /// What a search found out about an evaluation, unless a capture explains the difference.
    pub(super) fn update_correction_history(&mut self, node: &NodeState) {
        let explained = node.best_move.is_some_and(|mv| self.pos.is_capture(mv));
        let rose = node.best_value > node.static_eval;
        if node.in_check || explained || rose != node.best_move.is_some() {
            return;
        }
        let error = (node.best_value - node.static_eval).points();
        let params = self.params();
        let limit = params.correction_limit / params.correction_max_divisor;
        let divisor = match node.best_move {
            Some(_) => params.correction_divisor_best_move,
            None => params.correction_divisor_no_best_move,
        };
        let bonus = (error * node.depth / divisor).clamp(-limit, limit);
        self.thread
            .corrections
            .update(params, self.pos.turn(), &node.correction_keys, bonus);
    }

    /// The best move gets a bonus, those searched before it a malus, and so does the move that led
    /// here if it was the first of its node.
    pub(super) fn update_all_histories<N: NodeType>(
        &mut self,
        node: &NodeState,
        best: Move,
        searched: &SearchedMoves,
    ) {
        let params = self.params();
        if !N::PV {
            let is_tt_move = Some(best) == node.tt_move;
            let bonus = params.tt_move_history_bonus;
            let histories = &mut self.thread.histories;
            histories.update_tt_move(params, if is_tt_move { bonus } else { -bonus });
        }
        let is_tt_move = i32::from(Some(best) == node.tt_move);
        let bonus = params.stat_bonus_slope * node.depth - params.stat_bonus_offset;
        let bonus = bonus.min(params.stat_bonus_max)
            + params.stat_bonus_tt_move * is_tt_move
            + self.frame_before(node.ply, 1).stat_score / params.stat_bonus_prior_divisor;
        let malus = params.stat_malus_slope * node.depth - params.stat_malus_offset;
        let malus = malus.min(params.stat_malus_max);
        if self.pos.is_capture(best) {
            self.update_capture_history(best, bonus * params.best_capture_bonus / 100);
        } else {
            self.update_quiet_histories(node, best, bonus * params.best_quiet_bonus / 100);
            let mut quiet_malus = malus * params.searched_quiet_malus / 100;
            for mv in searched.quiets.iter() {
                quiet_malus = quiet_malus * params.searched_quiet_malus_decay / 100;
                self.update_quiet_histories(node, mv, -quiet_malus);
            }
        }
        for mv in searched.captures.iter() {
            self.update_capture_history(mv, -malus * params.searched_capture_malus / 100);
        }
        let prior = *self.frame_before(node.ply, 1);
        let was_first = prior.move_count == 1 + i32::from(prior.tt_hit);
        if was_first
            && prior.continuation != ContinuationKey::NONE
            && self.pos.last_taken().is_none()
        {
            self.update_prior_continuation(node, -malus * params.prior_move_malus / 100);
        }
    }

    /// The move that led here gets a bonus if nothing refuted it: the larger, the less that was to
    /// be expected.
    pub(super) fn reward_prior_move(&mut self, node: &NodeState) {
        let (params, prior) = (self.params(), *self.frame_before(node.ply, 1));
        let Some(mv) = prior.current_move else { return };
        if node.ply == 0 {
            return;
        }
        if let Some(taken) = self.pos.last_taken() {
            let histories = &mut self.thread.histories;
            let captured = Some(taken.kind());
            histories.update_capture(params, prior.piece_to, captured, params.prior_bonus_capture);
            return;
        }
        let pick = |is: bool, points: i32| if is { points } else { 0 };
        let is_below = |eval: Value, margin: i32| node.best_value <= eval - Value::new(margin);
        let below_eval =
            !node.in_check && is_below(node.static_eval, params.prior_scale_eval_margin);
        let below_prior_eval =
            !prior.in_check && is_below(-prior.static_eval, params.prior_scale_prior_eval_margin);
        let scale = (params.prior_scale_depth * node.depth).min(params.prior_scale_depth_max)
            - params.prior_scale_threshold
            - prior.stat_score / params.prior_scale_stat_score
            + pick(
                prior.move_count > params.prior_scale_late_move,
                params.prior_scale_move_count,
            )
            + pick(below_eval, params.prior_scale_eval)
            + pick(below_prior_eval, params.prior_scale_prior_eval);
        let bonus = params.prior_bonus_slope * node.depth - params.prior_bonus_offset;
        let bonus = bonus.min(params.prior_bonus_max) * scale.clamp(0, params.prior_scale_max);
        self.update_prior_continuation(node, bonus / 1024 * params.prior_bonus_continuation / 64);
        let mover = self.pos.turn().foe();
        let histories = &mut self.thread.histories;
        histories.update_main(
            params,
            mover,
            mv,
            bonus / 1024 * params.prior_bonus_main / 64,
        );
        if !prior.piece_to.is_pawn() && !mv.is_promotion() {
            let bonus = bonus / 1024 * params.prior_bonus_pawn / 64;
            histories.update_pawn(params, node.pawn_key, prior.piece_to, bonus);
        }
    }

    /// Updates the continuation histories that the move that led here belongs to.
    fn update_prior_continuation(&mut self, node: &NodeState, bonus: i32) {
        if node.ply == 0 {
            return;
        }
        let (prior, continuations) = (
            *self.frame_before(node.ply, 1),
            self.continuations(node.ply - 1),
        );
        let params = self.params();
        self.thread.histories.update_continuations(
            params,
            &continuations,
            prior.in_check,
            prior.piece_to,
            bonus,
        );
    }

    /// A cutoff by the transposition table is one of its move.
    pub(super) fn update_for_tt_cutoff(&mut self, node: &NodeState, mv: Move) {
        let params = self.params();
        if !self.pos.is_capture(mv) {
            let bonus = params.tt_cutoff_bonus_slope * node.depth - params.tt_cutoff_bonus_offset;
            self.update_quiet_histories(node, mv, bonus.min(params.tt_cutoff_bonus_max));
        }
        let prior = *self.frame_before(node.ply, 1);
        let quiet = self.pos.last_taken().is_none();
        let is_early = prior.move_count <= params.tt_cutoff_prior_move_count;
        if prior.continuation != ContinuationKey::NONE && is_early && quiet {
            self.update_prior_continuation(node, -params.tt_cutoff_prior_malus);
        }
    }

    fn update_quiet_histories(&mut self, node: &NodeState, mv: Move, bonus: i32) {
        let piece_to = PieceTo::new(self.pos.moved_piece_after(mv), mv.to());
        let (params, turn) = (self.params(), self.pos.turn());
        let histories = &mut self.thread.histories;
        histories.update_main(params, turn, mv, bonus);
        let low_ply_bonus = bonus * params.low_ply_history_share / 100;
        histories.update_low_ply(params, node.ply, mv, low_ply_bonus);
        histories.update_continuations(params, &node.continuations, node.in_check, piece_to, bonus);
        let share = if bonus > 0 {
            params.pawn_history_bonus_share
        } else {
            params.pawn_history_malus_share
        };
        histories.update_pawn(params, node.pawn_key, piece_to, bonus * share / 1024);
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        let captured = self.pos.at(mv.to()).map(|piece| piece.kind());
        let piece_to = PieceTo::new(self.pos.moved_piece_after(mv), mv.to());
        let (params, histories) = (self.params(), &mut self.thread.histories);
        histories.update_capture(params, piece_to, captured, bonus);
    }
}
