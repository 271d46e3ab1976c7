//! Time management while a search runs: whether one more iteration is worth it.
//!
//! What stretches or cuts the optimum (a falling value, a best move that keeps changing, effort) is
//! Stockfish's choice; the numbers are ours.

use super::worker::SearchWorker;
use crate::params::Params;
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
        let params = worker.params();
        let stretch = self.falling_eval(params, value)
            * self.best_move_instability(params)
            * effort_factor(params, effort)
            * self.stability_factor(params, depth);
        let wanted = budget.optimum.mul_f64(stretch).min(budget.maximum);
        worker.control.on_clock() > wanted
    }

    /// A value that falls deserves more time.
    fn falling_eval(&self, params: &Params, value: Value) -> f64 {
        let back = params.time_fall_iterations as usize;
        let earlier = self.values.iter().rev().nth(back).unwrap_or(&value);
        let fall = (*earlier - value).points();
        let fall = fall.clamp(params.time_fall_least, params.time_fall_most);
        (1.0 + f64::from(fall) / f64::from(params.time_fall_points)).clamp(
            percent(params.time_fall_least_factor),
            percent(params.time_fall_most_factor),
        )
    }

    /// So does a best move that keeps changing.
    fn best_move_instability(&self, params: &Params) -> f64 {
        let changes = self.best_move_changes * percent(params.time_change_factor);
        (percent(params.time_stable_base) + changes).min(percent(params.time_change_most_factor))
    }

    /// And one that has not been the best for long.
    fn stability_factor(&self, params: &Params, depth: i32) -> f64 {
        let is_stable = depth - self.best_move_depth > params.time_stable_iterations;
        percent(if is_stable {
            params.time_stable_factor
        } else {
            params.time_unstable_factor
        })
    }
}

/// A move that took nearly all the nodes has no rival.
fn effort_factor(params: &Params, effort: f64) -> f64 {
    if effort > percent(params.time_effort_share) {
        percent(params.time_effort_factor)
    } else {
        1.0
    }
}

fn percent(number: i32) -> f64 {
    f64::from(number) / 100.0
}
