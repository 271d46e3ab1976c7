//! The static evaluation of a node, and where it is going.
//!
//! That depth and margins depend on whether the evaluation is improving is Stockfish's; so is the
//! update of histories by the difference of two evaluations.

use crate::ordering::correction::CorrectionKeys;
use crate::ordering::{ContinuationKey, pawn_key};
use crate::tournament::node_state::{NodeState, NodeType, bound_supports};
use crate::tournament::scores::clamped;
use crate::tournament::worker::SearchWorker;
use crate::tt::TtEntry;
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> SearchWorker<'_, E> {
    pub(in crate::tournament) fn evaluate<N: NodeType>(&mut self, node: &mut NodeState) {
        let ply = node.ply;
        if node.in_check {
            // Nothing to say in check; two plies ago is the best guess.
            node.static_eval = self.frame_before(ply, 2).static_eval;
            node.eval = node.static_eval;
            self.frame(ply).static_eval = node.static_eval;
            return;
        }
        self.set_static_eval(node);
        self.frame(ply).static_eval = node.static_eval;
        node.eval = node.static_eval;
        // What the table knows includes the excluded move, if there is one.
        if node.excluded_move.is_none()
            && let Some((value, bound)) = node.tt_value()
            && bound_supports(bound, value > node.eval)
        {
            node.eval = value;
        }
        node.improving = node.static_eval > self.frame_before(ply, 2).static_eval;
        node.opponent_worsening = node.static_eval > -self.frame_before(ply, 1).static_eval;
        if node.excluded_move.is_none() {
            self.update_by_eval_diff(node);
        }
    }

    /// Finds the keys of the correction history and prefetches its entries. Done before the
    /// transposition table is probed: its answer is still on the way from memory, and so will the
    /// entries be.
    #[inline]
    pub(in crate::tournament) fn set_correction_keys(&mut self, node: &mut NodeState) {
        node.pawn_key = pawn_key(&self.pos);
        if !node.in_check {
            node.correction_keys =
                CorrectionKeys::new(&self.pos, node.pawn_key, &node.continuations);
            self.thread.corrections.prefetch(&node.correction_keys);
        }
    }

    /// The evaluation, from the transposition table or anew, and the same corrected.
    #[inline]
    pub(in crate::tournament) fn set_static_eval(&mut self, node: &mut NodeState) {
        let known = node.tt_entry.and_then(|entry| entry.eval);
        let raw = known.unwrap_or_else(|| self.evaluate_position());
        node.raw_eval = Some(raw);
        let corrections = &self.thread.corrections;
        node.correction =
            corrections.correction(self.params(), self.pos.turn(), &node.correction_keys);
        node.static_eval = clamped(raw + Value::new(node.correction.points()));
        if node.tt_entry.is_none() && node.depth > 0 {
            self.tt_store(node, None, TtEntry::UNSEARCHED, None);
        }
    }

    /// A quiet move after which the evaluation rose for the side that played it was a good one.
    fn update_by_eval_diff(&mut self, node: &NodeState) {
        let prior = *self.frame_before(node.ply, 1);
        let Some(mv) = prior.current_move else { return };
        if prior.in_check || prior.continuation == ContinuationKey::NONE || node.ply == 0 {
            return;
        }
        if self.pos.last_taken().is_some() {
            return;
        }
        let params = self.params();
        let eval_diff = -(prior.static_eval + node.static_eval).points();
        let eval_diff = eval_diff.clamp(-params.eval_diff_max_fall, params.eval_diff_max_rise);
        let bonus = eval_diff + params.eval_diff_offset;
        let (mover, histories) = (self.pos.turn().foe(), &mut self.thread.histories);
        histories.update_main(params, mover, mv, bonus * params.eval_diff_main);
        if node.tt_entry.is_none() && !prior.piece_to.is_pawn() && !mv.is_promotion() {
            let bonus = bonus * params.eval_diff_pawn;
            histories.update_pawn(params, node.pawn_key, prior.piece_to, bonus);
        }
    }
}
