//! The search stack: what a node leaves for the nodes above and below it.

use crate::ordering::{ContinuationKey, PieceTo};
use tesuji_shogi::{Move, Value};

/// One ply of the search stack.
#[derive(Clone, Copy)]
pub(super) struct StackFrame {
    /// The move being searched; `None` for a null move.
    pub(super) current_move: Option<Move>,
    /// Its piece and square.
    pub(super) piece_to: PieceTo,
    /// The continuation history it leads to.
    pub(super) continuation: ContinuationKey,
    /// What the histories say about it.
    pub(super) stat_score: i32,
    /// Its number among the moves of the node, from 1.
    pub(super) move_count: i32,
    /// By how many plies the node below is searched less.
    pub(super) reduction: i32,
    pub(super) static_eval: Value,
    pub(super) in_check: bool,
    pub(super) tt_pv: bool,
    pub(super) tt_hit: bool,
    pub(super) excluded_move: Option<Move>,
    /// Whether only moves of the last iteration's principal variation led here.
    pub(super) follow_pv: bool,
    /// How often nodes at this ply failed high since the node two plies above began.
    pub(super) cutoff_count: i32,
}

impl StackFrame {
    pub(super) const EMPTY: Self = Self {
        current_move: None,
        piece_to: PieceTo::FIRST,
        continuation: ContinuationKey::NONE,
        stat_score: 0,
        move_count: 0,
        reduction: 0,
        static_eval: Value::ZERO,
        in_check: false,
        tt_pv: false,
        tt_hit: false,
        excluded_move: None,
        follow_pv: false,
        cutoff_count: 0,
    };
}
