//! Time management while a search runs: whether one more iteration is worth it.
//!
//! What stretches or cuts the optimum (a falling value, a best move that keeps changing, effort) is
//! Stockfish's choice; the numbers are ours.

use super::worker::SearchWorker;
use tesuji_eval::Eval;
use tesuji_shogi::{Move, Value};

/// What the main thread remembers from iteration to iteration.
#[derive(Default)]
pub(super) struct TimeManager {
    /// The best values of the last iterations.
    values: Vec<Value>,
    /// How often the best move changed, old changes counting less.
    best_move_changes: f64,
    best_move: Option<Move>,
    /// In which iteration the best move became the best.
    best_move_depth: i32,
}

impl TimeManager {
    /// Whether to stop after an iteration.
    pub(super) fn should_stop<E: Eval>(&mut self, worker: &mut SearchWorker<'_, E>) -> bool {
        let best = &worker.root_moves[0];
        let (value, mv, depth) = (best.last_value(), best.mv(), worker.root_depth);
        if self.best_move != Some(mv) {
            (self.best_move, self.best_move_depth) = (Some(mv), depth);
        }
        self.best_move_changes = self.best_move_changes / 2.0 + worker.best_move_changes;
        worker.best_move_changes = 0.0;
        self.values.push(value);
        let Some(budget) = worker.control.budget() else {
            return false;
        };
        if budget.optimum >= budget.maximum {
            return false;
        }
        let effort = best.effort as f64 / worker.nodes.max(1) as f64;
        let stretch = self.falling_eval(value)
            * self.best_move_instability()
            * effort_factor(effort)
            * self.stability_factor(depth);
        let wanted = budget.optimum.mul_f64(stretch).min(budget.maximum);
        worker.control.on_clock() > wanted
    }

    /// A value that falls deserves more time.
    fn falling_eval(&self, value: Value) -> f64 {
        let earlier = self.values.iter().rev().nth(3).unwrap_or(&value);
        let fall = f64::from((*earlier - value).points().clamp(-300, 600));
        (1.0 + fall / 400.0).clamp(0.6, 1.7)
    }

    /// So does a best move that keeps changing.
    fn best_move_instability(&self) -> f64 {
        (0.85 + self.best_move_changes * 0.6).min(2.2)
    }

    /// And one that has not been the best for long.
    fn stability_factor(&self, depth: i32) -> f64 {
        if depth - self.best_move_depth > 8 {
            0.75
        } else {
            1.1
        }
    }
}

/// A move that took nearly all the nodes has no rival.
fn effort_factor(effort: f64) -> f64 {
    if effort > 0.93 { 0.7 } else { 1.0 }
}
