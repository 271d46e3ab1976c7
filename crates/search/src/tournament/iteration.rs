//! Iterative deepening of one thread (Slate and Atkin, 1977), and several best lines (MultiPV).

use super::results::ThreadResult;
use super::scores::is_decided;
use super::shared::SharedState;
use super::thread_data::ThreadData;
use super::time_manager::TimeManager;
use super::worker::{MAX_PLY, SearchWorker};
use crate::control::{Phase, SearchControl};
use crate::info::SearchListener;
use std::cmp::Reverse;
use tesuji_eval::Eval;

/// No iteration goes deeper than this.
const MAX_DEPTH: i32 = 120;
const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);

/// Searches one ply deep, then two, and so on, until it is stopped or knows enough.
pub(super) fn iterative_deepening<E: Eval>(
    shared: &SharedState<E>,
    control: &SearchControl,
    thread: &mut ThreadData,
    thread_id: usize,
    listener: &mut dyn SearchListener,
) -> ThreadResult {
    let limits = &shared.request.limits;
    let lines = limits.multi_pv.clamp(1, shared.root_moves.len());
    let max_depth = limits
        .depth
        .map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH as u32) as i32);
    let mut worker = SearchWorker::new(shared, control, thread, thread_id, listener);
    let (mut time_manager, mut completed) = (TimeManager::default(), 0);
    for depth in 1..=max_depth.max(1) {
        worker.iterate(depth, lines);
        if worker.stopped {
            break;
        }
        completed = depth;
        if !worker.is_main() {
            let moves = worker.root_moves[..lines].to_vec();
            shared.results.publish(ThreadResult {
                thread_id,
                depth,
                moves,
            });
            continue;
        }
        if worker.has_found_mate() || worker.has_only_move() {
            break;
        }
        if time_manager.should_stop(&mut worker) && control.phase() == Phase::Thinking {
            break;
        }
    }
    if worker.is_main() && worker.stopped {
        worker.report_pv(lines);
    }
    shared.node_counters[thread_id].set(worker.nodes);
    ThreadResult {
        thread_id,
        depth: completed,
        moves: worker.root_moves,
    }
}

impl<E: Eval> SearchWorker<'_, E> {
    /// One iteration: every wanted line at a depth.
    fn iterate(&mut self, depth: i32, lines: usize) {
        self.root_depth = depth;
        for root_move in &mut self.root_moves {
            root_move.previous_value = root_move.last_value();
        }
        for pv_index in 0..lines {
            self.pv_index = pv_index;
            self.seldepth = 0;
            self.aspiration_search(depth);
            // What was searched so far stays in front, best first.
            self.root_moves[..=pv_index].sort_by_key(|m| Reverse(m.last_value()));
            if self.is_main() && !self.stopped && (pv_index + 1 == lines || self.is_long_search()) {
                self.report_pv(pv_index + 1);
            }
            if self.stopped {
                return;
            }
        }
        self.last_pv.clone_from(&self.root_moves[0].pv);
    }

    /// Whether a mate as short as wanted, or any that cannot get shorter, is found.
    fn has_found_mate(&self) -> bool {
        let best = &self.root_moves[0];
        let Some(distance) = best.last_value().mate_distance() else {
            return false;
        };
        let wanted = self.shared.request.limits.mate;
        let is_wanted = wanted.is_some_and(|plies| distance > 0 && distance <= plies as i32);
        let on_clock = self.control.budget().is_some();
        // A mate of n plies was looked for at every shorter length once the depth is twice that.
        is_wanted || (on_clock && self.root_depth > 2 * distance.abs() + 4)
    }

    /// Whether there is but one move, so that the clock need not run for it.
    fn has_only_move(&self) -> bool {
        self.root_moves.len() == 1
            && self.control.budget().is_some()
            && (self.root_depth >= self.params().only_move_depth
                || is_decided(self.root_moves[0].last_value()))
    }
}
