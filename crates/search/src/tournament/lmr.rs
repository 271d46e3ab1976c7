//! Late-move reductions (LMR): the later a move, the less deeply it is searched at first.
//!
//! Nobody knows who did it first; Sergei Markoff and Tord Romstad made it known in 2004, Fruit
//! (Fabien Letouzey) in 2005. The logarithms and what adjusts a reduction follow Stockfish.

use super::move_loop::CurrentMove;
use super::node_state::{NodeState, NodeType, NonPv, Pv};
use super::worker::SearchWorker;
use tesuji_eval::Eval;
use tesuji_shogi::Value;

impl<E: Eval> SearchWorker<'_, E> {
    /// The later a move and the deeper the node, the less it is searched.
    #[inline]
    pub(super) fn base_reduction(&self, node: &NodeState, number: i32) -> i32 {
        let params = self.params();
        let log = |n: i32| self.reductions[(n as usize).min(self.reductions.len() - 1)];
        let scale = log(node.depth) * log(number);
        let delta = (node.beta - node.alpha).points();
        let not_improving = if node.improving {
            0
        } else {
            scale * params.lmr_not_improving / 512
        };
        scale - delta * params.lmr_delta / self.root_delta.max(1) + not_improving + params.lmr_base
    }

    /// The value of the position behind a move, for the side that played it.
    pub(super) fn search_child<N: NodeType>(
        &mut self,
        node: &NodeState,
        current: &mut CurrentMove,
    ) -> Value {
        let ply = node.ply;
        self.adjust_reduction::<N>(node, current);
        let null_window = (-node.alpha - Value::new(1), -node.alpha);
        let mut value = node.alpha + Value::new(1);
        if node.depth >= 2 && current.number > 1 {
            value = self.search_with_lmr::<N>(node, current);
        } else if !N::PV || current.number > 1 {
            let params = self.params();
            let lacks_move = i32::from(node.tt_move.is_none());
            let reduction = current.reduction + params.full_depth_no_tt_move * lacks_move;
            let less = i32::from(reduction > params.full_depth_less_one)
                + i32::from(reduction > params.full_depth_less_two && current.depth > 2);
            value =
                -self.search::<NonPv>(null_window, current.depth - less, ply + 1, !node.cut_node);
        }
        if N::PV && (current.number == 1 || value > node.alpha) {
            let mut depth = current.depth;
            if Some(current.mv) == node.tt_move && node.tt_depth() > 1 {
                depth = depth.max(1);
            }
            self.pv_table[ply + 1].clear();
            value = -self.search::<Pv>((-node.beta, -node.alpha), depth, ply + 1, false);
        }
        value
    }

    /// First reduced, then as deep as it deserves.
    fn search_with_lmr<N: NodeType>(
        &mut self,
        node: &NodeState,
        current: &mut CurrentMove,
    ) -> Value {
        let (params, ply) = (self.params(), node.ply);
        let null_window = (-node.alpha - Value::new(1), -node.alpha);
        let reduced = current.depth - current.reduction / 1024;
        let depth = reduced.min(current.depth + params.lmr_most_extra).max(1) + i32::from(N::PV);
        self.frame(ply).reduction = current.depth - depth;
        let value = -self.search::<NonPv>(null_window, depth, ply + 1, true);
        self.frame(ply).reduction = 0;
        if value <= node.alpha || self.stopped {
            return value;
        }
        let is_deeper =
            depth < current.depth && value > node.best_value + Value::new(params.lmr_deeper_margin);
        let is_shallower = value < node.best_value + Value::new(params.lmr_shallower_margin);
        current.depth += i32::from(is_deeper) - i32::from(is_shallower);
        let value = if current.depth > depth {
            -self.search::<NonPv>(null_window, current.depth, ply + 1, !node.cut_node)
        } else {
            value
        };
        self.thread.histories.update_continuations(
            params,
            &node.continuations,
            node.in_check,
            current.piece_to,
            params.lmr_research_bonus,
        );
        value
    }

    /// What makes a move be searched more or less than its number says.
    fn adjust_reduction<N: NodeType>(&mut self, node: &NodeState, current: &mut CurrentMove) {
        let params = self.params();
        let pick = |is: bool, share: i32| if is { share } else { 0 };
        let tt_value = node.tt_value().map(|(value, _)| value);
        let mut r = current.reduction;
        if node.tt_pv {
            r -= params.lmr_less_tt_pv
                + pick(N::PV, params.lmr_less_pv_node)
                + pick(
                    tt_value.is_none_or(|v| v > node.alpha),
                    params.lmr_less_tt_value,
                )
                + pick(
                    node.tt_depth() >= node.depth,
                    params.lmr_less_tt_depth + pick(node.cut_node, params.lmr_less_tt_depth),
                );
        }
        r += params.lmr_offset
            - params.lmr_less_per_move * current.number
            - params.lmr_less_correction * node.correction.magnitude();
        if node.cut_node {
            r += params.lmr_cut_node + pick(node.tt_move.is_none(), params.lmr_cut_node_no_tt_move);
        }
        r += pick(node.tt_capture, params.lmr_tt_capture);
        r -= pick(current.gives_check, params.lmr_less_check);
        let cutoff_count = self.frame(node.ply + 1).cutoff_count;
        if cutoff_count > 1 {
            r += params.lmr_few_cutoffs
                + pick(cutoff_count > 2, params.lmr_cutoff_count)
                + pick(node.is_all_node(N::PV), params.lmr_cutoff_count);
        }
        r -= pick(Some(current.mv) == node.tt_move, params.lmr_less_tt_move);
        let stat_score = self.stat_score(node, current);
        self.frame(node.ply).stat_score = stat_score;
        r -= stat_score * params.lmr_stat_score / 1024;
        if node.is_all_node(N::PV) {
            r += r * params.lmr_all_node
                / (params.lmr_all_node_depth * node.depth + params.lmr_all_node_base);
        }
        current.reduction = r;
    }

    /// What the histories say about a move that was just played.
    #[inline]
    fn stat_score(&self, node: &NodeState, current: &CurrentMove) -> i32 {
        let (params, histories) = (self.params(), &self.thread.histories);
        if let Some(captured) = current.captured {
            return params.lmr_stat_score_capture * captured.worth().points()
                + histories.capture(current.piece_to, current.captured);
        }
        let index = current.piece_to.index();
        params.lmr_stat_score_main * histories.main(self.pos.turn().foe(), current.mv)
            + i32::from(histories.continuation(node.continuations[0])[index])
            + i32::from(histories.continuation(node.continuations[1])[index])
    }
}
