//! Deepening, aspiration, several lines.

use super::scores::is_decided;
use super::visit::{First, Visit};
use super::worker::{MOST_PLIES, Worker};
use crate::question::{Bounded, Info};
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Move, Value};

/// Deeper than this nothing is searched.
pub(super) const MOST_DEPTH: i32 = 120;
/// How long a search tells nothing but whole iterations.
pub(super) const SILENCE: Duration = Duration::from_secs(3);
/// How much time lies between two moves of the root that are told.
const BETWEEN_MOVES: Duration = Duration::from_millis(250);

/// A move of the first node, and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The move and what is expected after it.
    pub(super) line: Vec<Move>,
    pub(super) value: Value,
    /// The value of the iteration before.
    pub(super) previous: Value,
    pub(super) average: Option<Value>,
    /// The mean of the squares, with their sign: how much the value has been jumping.
    pub(super) mean_square: Option<i64>,
    /// How many nodes were spent on it.
    pub(super) effort: u64,
    pub(super) bound: Bound,
    pub(super) reach: usize,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self {
            line: vec![mv],
            value: -Value::INFINITE,
            previous: -Value::INFINITE,
            average: None,
            mean_square: None,
            effort: 0,
            bound: Bound::Exact,
            reach: 0,
        }
    }

    pub(super) fn mv(&self) -> Move {
        self.line[0]
    }

    /// The last value that is known.
    pub(super) fn known(&self) -> Value {
        if self.value == -Value::INFINITE {
            self.previous
        } else {
            self.value
        }
    }
}

impl<E: Eval> Worker<'_, E> {
    /// One iteration: every wanted line at a depth.
    pub(super) fn iterate(&mut self, depth: i32, lines: usize) {
        self.root_depth = depth;
        for root_move in &mut self.root_moves {
            root_move.previous = root_move.known();
        }
        for rank in 0..lines {
            self.rank = rank;
            self.reach = 0;
            self.aspire(depth);
            // What was searched so far stays in front, best first.
            self.root_moves[..=rank].sort_by_key(|m| std::cmp::Reverse(m.known()));
            if self.id == 0 && !self.stopped && (rank + 1 == lines || self.is_long()) {
                self.tell(rank + 1);
            }
            if self.stopped {
                return;
            }
        }
        self.last_line.clone_from(&self.root_moves[0].line);
    }

    /// Searches with a narrow window around the expected value and widens it where it breaks.
    fn aspire(&mut self, depth: i32) {
        let (mut alpha, mut beta, mut half) = self.first_window();
        let mut failed_high = 0;
        loop {
            let depth = (depth - failed_high).max(1);
            self.root_window = (beta - alpha).points();
            let mut visit = Visit::new(alpha, beta, depth, 0, false, self.pos.key());
            let value = self.visit::<First>(&mut visit);
            let rank = self.rank;
            self.root_moves[rank..].sort_by_key(|m| std::cmp::Reverse(m.value));
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = alpha;
                alpha = (value - Value::new(half)).max(-Value::INFINITE);
                failed_high = 0;
            } else if value >= beta {
                alpha = alpha.max(beta - Value::new(half));
                beta = (value + Value::new(half)).min(Value::INFINITE);
                failed_high += 1;
            } else {
                return;
            }
            if self.id == 0 && self.is_long() {
                self.tell(rank + 1);
            }
            half += half / 3;
        }
    }

    fn first_window(&self) -> (Value, Value, i32) {
        let params = self.params();
        let root_move = &self.root_moves[self.rank];
        let (Some(average), Some(square)) = (root_move.average, root_move.mean_square) else {
            return (-Value::INFINITE, Value::INFINITE, 20);
        };
        let spread = square.unsigned_abs() / params.window_spread as u64;
        let half = params.window_start + self.id as i32 % 8 + spread.min(30_000) as i32;
        (
            (average - Value::new(half)).max(-Value::INFINITE),
            (average + Value::new(half)).min(Value::INFINITE),
            half,
        )
    }

    /// Whether a move is still to be searched for the present line.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.rank..].iter().any(|m| m.mv() == mv)
    }

    /// Takes note of what was found out about a move of the first node.
    pub(super) fn record_root(
        &mut self,
        visit: &Visit,
        mv: Move,
        number: i32,
        value: Value,
        effort: u64,
    ) {
        let (rank, reach) = (self.rank, self.reach);
        let line = std::mem::take(&mut self.variations[1]);
        let found = self.root_moves[rank..].iter_mut().find(|m| m.mv() == mv);
        let root_move = found.expect("only candidates are searched");
        root_move.effort += effort;
        let mean = |old: Option<Value>| {
            old.map_or(value, |old| Value::new((old.points() + value.points()) / 2))
        };
        root_move.average = Some(mean(root_move.average));
        let points = i64::from(value.points());
        let square = points * points.abs();
        root_move.mean_square = Some(
            root_move
                .mean_square
                .map_or(square, |old| (old + square) / 2),
        );
        if number == 1 || value > visit.alpha {
            root_move.value = value;
            root_move.reach = reach;
            root_move.bound = if value >= visit.beta {
                Bound::Lower
            } else if value <= visit.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.line.truncate(1);
            root_move.line.extend_from_slice(&line);
            if number > 1 && rank == 0 {
                self.best_changes += 1.0;
            }
        } else {
            // Its order among the others stays; a value from before must not speak for it.
            root_move.value = -Value::INFINITE;
        }
        self.variations[1] = line;
    }

    fn is_long(&self) -> bool {
        self.shared.control.elapsed() > SILENCE
    }

    /// Tells the lines found so far.
    pub(super) fn tell(&mut self, lines: usize) {
        let (time, nodes) = (self.shared.control.elapsed(), self.all_nodes());
        let fill = self.shared.table.fill();
        for (rank, root_move) in self.root_moves.iter().take(lines).enumerate() {
            let is_new = root_move.value != -Value::INFINITE;
            if !is_new && root_move.previous == -Value::INFINITE {
                continue;
            }
            let depth = if is_new {
                self.root_depth
            } else {
                self.root_depth - 1
            };
            self.report.info(&Info {
                depth: depth.max(1) as u32,
                reach: root_move.reach as u32,
                rank: rank + 1,
                value: Bounded {
                    value: root_move.known(),
                    bound: if is_new {
                        root_move.bound
                    } else {
                        Bound::Exact
                    },
                },
                nodes,
                time,
                fill,
                line: root_move.line.clone(),
            });
        }
    }

    /// Tells the move it is at, unless the search is young or another was told just now.
    pub(super) fn tell_move(&mut self) {
        let time = self.shared.control.elapsed();
        if time < self.next_telling {
            return;
        }
        if let Some((mv, number)) = self.untold.take() {
            self.next_telling = time + BETWEEN_MOVES;
            self.report.trying(self.root_depth as u32, mv, number);
        }
    }

    /// Whether a mate as short as wanted, or any that cannot get shorter, is found.
    pub(super) fn is_settled(&self) -> bool {
        let best = &self.root_moves[0];
        let Some(distance) = best.known().mate_distance() else {
            return false;
        };
        let wanted = self.shared.limits.mate;
        let is_wanted = wanted.is_some_and(|plies| distance > 0 && distance <= plies as i32);
        let on_clock = self.shared.control.budget().is_some();
        // A mate of n plies was looked for at every shorter length once the depth is twice that.
        is_wanted || (on_clock && self.root_depth > 2 * distance.abs() + 4)
    }

    /// Whether there is but one move, so that the clock need not run for it.
    pub(super) fn is_forced(&self) -> bool {
        self.root_moves.len() == 1
            && self.shared.control.budget().is_some()
            && (self.root_depth >= 6 || is_decided(self.root_moves[0].known()))
    }
}

const _: () = assert!((MOST_DEPTH as usize) < MOST_PLIES);
