//! How long one more iteration is worth it, by what the search sees.

use super::worker::Worker;
use tesuji_eval::Eval;
use tesuji_shogi::Value;

/// What the main thread remembers from iteration to iteration.
#[derive(Default)]
pub(super) struct Pace {
    /// The best values of the last iterations.
    values: Vec<Value>,
    /// How often the best move changed, old changes counting less.
    changes: f64,
    /// In which iteration the best move became the best.
    settled_at: i32,
    best: Option<tesuji_shogi::Move>,
}

impl Pace {
    /// Whether to stop after an iteration.
    pub(super) fn is_enough<E: Eval>(&mut self, worker: &mut Worker<'_, E>) -> bool {
        let best = &worker.root_moves[0];
        let (value, mv, depth) = (best.known(), best.mv(), worker.root_depth);
        if self.best != Some(mv) {
            (self.best, self.settled_at) = (Some(mv), depth);
        }
        self.changes = self.changes / 2.0 + worker.best_changes;
        worker.best_changes = 0.0;
        self.values.push(value);
        let Some(budget) = worker.shared.control.budget() else {
            return false;
        };
        if budget.optimum >= budget.maximum {
            return false;
        }
        let effort = best.effort as f64 / worker.nodes.max(1) as f64;
        let stretch = self.falling(value) * self.unrest() * focus(effort) * self.calm(depth);
        let wanted = budget.optimum.mul_f64(stretch).min(budget.maximum);
        worker.shared.control.on_clock() > wanted
    }

    /// A value that falls deserves more time.
    fn falling(&self, value: Value) -> f64 {
        let earlier = self.values.iter().rev().nth(3).unwrap_or(&value);
        let fall = f64::from((*earlier - value).points().clamp(-300, 600));
        (1.0 + fall / 400.0).clamp(0.6, 1.7)
    }

    /// So does a best move that keeps changing.
    fn unrest(&self) -> f64 {
        (0.85 + self.changes * 0.6).min(2.2)
    }

    /// And one that has not been the best for long.
    fn calm(&self, depth: i32) -> f64 {
        if depth - self.settled_at > 8 {
            0.75
        } else {
            1.1
        }
    }
}

/// A move that took nearly all the nodes has no rival.
fn focus(effort: f64) -> f64 {
    if effort > 0.93 { 0.7 } else { 1.0 }
}
