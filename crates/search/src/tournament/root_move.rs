//! A move of the root, and what is known about it.

use super::eval_scale::EvalScale;
use crate::info::{Bounded, SearchInfo};
use std::time::Duration;
use tesuji_shogi::{Bound, Move, Value};

/// A move of the root, and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The principal variation, beginning with the move itself.
    pub(super) pv: Vec<Move>,
    pub(super) value: Value,
    /// The value of the iteration before.
    pub(super) previous_value: Value,
    pub(super) average_value: Option<Value>,
    /// The mean of the squares, with their sign: how much the value has been jumping.
    pub(super) mean_squared_value: Option<i64>,
    /// How many nodes were spent on it.
    pub(super) effort: u64,
    pub(super) bound: Bound,
    pub(super) seldepth: usize,
}

/// How far the search was when something is reported.
pub(super) struct SearchProgress {
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) hashfull: u32,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self {
            pv: vec![mv],
            value: -Value::INFINITE,
            previous_value: -Value::INFINITE,
            average_value: None,
            mean_squared_value: None,
            effort: 0,
            bound: Bound::Exact,
            seldepth: 0,
        }
    }

    pub(super) fn mv(&self) -> Move {
        self.pv[0]
    }

    /// Whether the present iteration has a value for it.
    pub(super) fn has_value(&self) -> bool {
        self.value != -Value::INFINITE
    }

    /// The last value that is known: of this iteration, or of the one before.
    pub(super) fn last_value(&self) -> Value {
        if self.has_value() {
            self.value
        } else {
            self.previous_value
        }
    }

    /// The last value that is known, as it is reported.
    pub(super) fn info(
        &self,
        depth: i32,
        multipv: usize,
        bound: Bound,
        progress: &SearchProgress,
        scale: EvalScale,
    ) -> SearchInfo {
        SearchInfo {
            depth: depth.max(1) as u32,
            seldepth: self.seldepth as u32,
            multipv,
            value: Bounded {
                value: scale.to_eval(self.last_value()),
                bound,
            },
            nodes: progress.nodes,
            time: progress.time,
            hashfull: progress.hashfull,
            pv: self.pv.clone(),
        }
    }
}
