//! What the main thread reports while it searches.

use super::root_move::SearchProgress;
use super::worker::{SILENCE, SearchWorker};
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Value};

/// How much time lies between two root moves that are reported.
const BETWEEN_CURRMOVES: Duration = Duration::from_millis(250);

impl<E: Eval> SearchWorker<'_, E> {
    /// Whether the search takes so long that more than whole iterations is reported.
    pub(super) fn is_long_search(&self) -> bool {
        self.control.elapsed() > SILENCE
    }

    /// Reports the principal variations found so far.
    pub(super) fn report_pv(&mut self, lines: usize) {
        if self.listener.is_deaf() {
            return;
        }
        let progress = SearchProgress {
            time: self.control.elapsed(),
            nodes: self.total_nodes(),
            hashfull: self.shared.tt.hashfull(),
        };
        for (pv_index, root_move) in self.root_moves.iter().take(lines).enumerate() {
            let (depth, bound) = if root_move.has_value() {
                (self.root_depth, root_move.bound)
            } else if root_move.last_value() != -Value::INFINITE {
                (self.root_depth - 1, Bound::Exact)
            } else {
                continue;
            };
            let info = root_move.info(depth, pv_index + 1, bound, &progress, self.shared.scale);
            self.listener.info(&info);
        }
    }

    /// Reports the root move it is at, unless the search is young or another was reported just now.
    pub(super) fn report_currmove(&mut self) {
        let time = self.control.elapsed();
        if time < self.next_currmove_at {
            return;
        }
        if let Some((mv, number)) = self.pending_currmove.take() {
            self.next_currmove_at = time + BETWEEN_CURRMOVES;
            self.listener.currmove(self.root_depth as u32, mv, number);
        }
    }
}
