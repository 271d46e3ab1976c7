//! Aspiration windows: a narrow window around the value of the last iteration, widened where it
//! fails.
//!
//! Chess programs have searched so since the seventies; the name is Baudet's (1978). That the first
//! width follows how much the value has been jumping is Stockfish's idea.

use super::node_state::{NodeState, Root};
use super::worker::SearchWorker;
use std::cmp::Reverse;
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Move, Value};

/// The first window of an iteration.
struct AspirationWindow {
    alpha: Value,
    beta: Value,
    /// By how much it is widened.
    delta: i32,
}

impl<E: Eval> SearchWorker<'_, E> {
    /// Searches the root with a narrow window and widens it until the value lies inside.
    pub(super) fn aspiration_search(&mut self, depth: i32) {
        let mut window = self.aspiration_window();
        let mut failed_high_count = 0;
        loop {
            let (alpha, beta) = (window.alpha, window.beta);
            let depth = (depth - failed_high_count).max(1);
            self.root_delta = (beta - alpha).points();
            let mut node = NodeState::new(alpha, beta, depth, 0, false, self.pos.key());
            let value = self.search_node::<Root>(&mut node);
            let pv_index = self.pv_index;
            self.root_moves[pv_index..].sort_by_key(|m| Reverse(m.value));
            if self.stopped {
                return;
            }
            let delta = Value::new(window.delta);
            if value <= alpha {
                window.beta = alpha;
                window.alpha = (value - delta).max(-Value::INFINITE);
                failed_high_count = 0;
            } else if value >= beta {
                window.alpha = alpha.max(beta - delta);
                window.beta = (value + delta).min(Value::INFINITE);
                failed_high_count += 1;
            } else {
                return;
            }
            if self.is_main() && self.is_long_search() {
                self.report_pv(pv_index + 1);
            }
            window.delta += window.delta / self.params().aspiration_widening_divisor;
        }
    }

    fn aspiration_window(&self) -> AspirationWindow {
        let params = self.params();
        let root_move = &self.root_moves[self.pv_index];
        let (Some(average), Some(mean_square)) =
            (root_move.average_value, root_move.mean_squared_value)
        else {
            return AspirationWindow {
                alpha: -Value::INFINITE,
                beta: Value::INFINITE,
                delta: params.aspiration_delta,
            };
        };
        let spread = mean_square.unsigned_abs() / params.aspiration_mean_square_divisor as u64;
        let delta = params.aspiration_delta
            + self.thread_id as i32 % params.aspiration_thread_spread
            + spread.min(30_000) as i32;
        AspirationWindow {
            alpha: (average - Value::new(delta)).max(-Value::INFINITE),
            beta: (average + Value::new(delta)).min(Value::INFINITE),
            delta,
        }
    }

    /// Whether a move is still to be searched for the present line.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..]
            .iter()
            .any(|m| m.mv() == mv)
    }

    /// Takes note of what was found out about a root move.
    pub(super) fn update_root_move(
        &mut self,
        node: &NodeState,
        mv: Move,
        number: i32,
        value: Value,
        effort: u64,
    ) {
        let (pv_index, seldepth) = (self.pv_index, self.seldepth);
        let pv = std::mem::take(&mut self.pv_table[1]);
        let found = self.root_moves[pv_index..]
            .iter_mut()
            .find(|m| m.mv() == mv);
        let root_move = found.expect("only candidates are searched");
        root_move.effort += effort;
        let mean = |old: Value| Value::new((old.points() + value.points()) / 2);
        root_move.average_value = Some(root_move.average_value.map_or(value, mean));
        let points = i64::from(value.points());
        let square = points * points.abs();
        let mean = |old: i64| (old + square) / 2;
        root_move.mean_squared_value = Some(root_move.mean_squared_value.map_or(square, mean));
        if number == 1 || value > node.alpha {
            root_move.value = value;
            root_move.seldepth = seldepth;
            root_move.bound = if value >= node.beta {
                Bound::Lower
            } else if value <= node.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.pv.truncate(1);
            root_move.pv.extend_from_slice(&pv);
            if number > 1 && pv_index == 0 {
                self.best_move_changes += 1.0;
            }
        } else {
            // Its order among the others stays; a value from before must not speak for it.
            root_move.value = -Value::INFINITE;
        }
        self.pv_table[1] = pv;
    }
}
