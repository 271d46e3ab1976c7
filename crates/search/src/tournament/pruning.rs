//! Pruning at shallow depth: moves that are not worth a search.
//!
//! Late-move pruning (move-count pruning), futility pruning (Schaeffer, 1986; Heinz, 1998), pruning
//! by continuation history and by static exchange evaluation, as Stockfish combines them.

use super::move_loop::CurrentMove;
use super::node_state::NodeState;
use super::scores::{is_decided, is_win};
use super::worker::SearchWorker;
use crate::ordering::move_picker::{MovePicker, promotion_gain};
use tesuji_eval::Eval;
use tesuji_shogi::Value;
use tesuji_shogi::tactics::see;

impl<E: Eval> SearchWorker<'_, E> {
    /// Whether a move is not worth a search at a shallow node.
    #[inline]
    pub(super) fn is_pruned(
        &self,
        node: &mut NodeState,
        current: &CurrentMove,
        picker: &mut MovePicker,
    ) -> bool {
        let depth = node.depth;
        let params = self.params();
        let divisor = if node.improving {
            1
        } else {
            params.lmp_not_improving_divisor
        };
        let lmp_count = (params.lmp_base + depth * depth) / divisor;
        if current.number >= lmp_count {
            picker.skip_quiets();
        }
        let lmr_depth = current.depth - current.reduction / 1024;
        if current.captured.is_some() || current.gives_check {
            self.is_capture_pruned(node, current, lmr_depth)
        } else {
            !node.follow_pv && self.is_quiet_pruned(node, current, lmr_depth)
        }
    }

    fn is_capture_pruned(&self, node: &NodeState, current: &CurrentMove, lmr_depth: i32) -> bool {
        let params = self.params();
        let history = self
            .thread
            .histories
            .capture(current.piece_to, current.captured);
        if !current.gives_check && lmr_depth < params.capture_futility_depth {
            let futility = current.captured.map_or(0, |kind| kind.worth().points())
                + gain_by_promotion(current)
                + params.capture_futility_base
                + params.capture_futility_slope * lmr_depth
                + params.capture_futility_history * history / 1024;
            if !node.in_check && node.static_eval + Value::new(futility) <= node.alpha {
                return true;
            }
        }
        // Who stands badly has nothing to lose by a sacrifice.
        if node.alpha < Value::new(params.capture_see_min_alpha) {
            return false;
        }
        let loss =
            params.capture_see_slope * node.depth + history * params.capture_see_history / 1024;
        !see::is_at_least(&self.pos, current.mv, Value::new(-loss.max(0)))
    }

    fn is_quiet_pruned(&self, node: &mut NodeState, current: &CurrentMove, lmr_depth: i32) -> bool {
        let (params, histories) = (self.params(), &self.thread.histories);
        let index = current.piece_to.index();
        let mut history = i32::from(histories.continuation(node.continuations[0])[index])
            + i32::from(histories.continuation(node.continuations[1])[index])
            + i32::from(histories.pawn(node.pawn_key)[index]);
        if history < -params.quiet_history_pruning * node.depth {
            return true;
        }
        history += params.quiet_history_main * histories.main(self.pos.turn(), current.mv) / 32;
        let lmr_depth = lmr_depth + history / params.quiet_history_divisor;
        let futility = node.static_eval.points()
            + params.quiet_futility_base
            + if node.best_move.is_none() {
                params.quiet_futility_no_best_move
            } else {
                0
            }
            + params.quiet_futility_slope * lmr_depth
            + if node.static_eval > node.alpha {
                params.quiet_futility_above_alpha
            } else {
                0
            };
        let futility = Value::new(futility);
        if !node.in_check && lmr_depth < params.quiet_futility_depth && futility <= node.alpha {
            if node.best_value <= futility && !is_decided(node.best_value) && !is_win(futility) {
                node.best_value = futility;
            }
            return true;
        }
        let lmr_depth = lmr_depth.max(0);
        let loss = Value::new(-params.quiet_see_slope * lmr_depth * lmr_depth);
        !see::is_at_least(&self.pos, current.mv, loss)
    }
}

#[inline(always)]
fn gain_by_promotion(current: &CurrentMove) -> i32 {
    if !current.mv.is_promotion() {
        return 0;
    }
    current.piece_to.kind().map_or(0, promotion_gain)
}
