//! What one search of a node knows, and the role of the node.
//!
//! Root, PV and non-PV nodes, known to the compiler, are Stockfish's; nodes where a cutoff is
//! expected or not (cut and all nodes) are Knuth and Moore's types 2 and 3 (1975).

use crate::ordering::correction::{Correction, CorrectionKeys};
use crate::ordering::{ContinuationKey, Continuations};
use crate::tt::TtEntry;
use tesuji_shogi::{Bound, Key, Move, Value};

/// The role of a node, known to the compiler.
pub(super) trait NodeType {
    /// Whether the exact value is wanted.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
}

/// Where a search begins.
pub(super) struct Root;
/// A node whose exact value is wanted: it may lie on the principal variation.
pub(super) struct Pv;
/// A node that only has to show on which side of a bound it lies.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// A node under search.
pub(super) struct NodeState {
    pub(super) alpha: Value,
    pub(super) beta: Value,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether a cutoff is expected.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// By how many plies the move that led here was reduced.
    pub(super) prior_reduction: i32,
    /// A move that is left out, to see what the others are worth.
    pub(super) excluded_move: Option<Move>,
    pub(super) key: Key,
    /// The entry of the transposition table, its value counted from the root.
    pub(super) tt_entry: Option<TtEntry>,
    /// Its move, if it is legal here, and whether that is a capture.
    pub(super) tt_move: Option<Move>,
    pub(super) tt_capture: bool,
    /// Whether the node is, or ever was, part of a principal variation.
    pub(super) tt_pv: bool,
    /// Whether only moves of the last iteration's principal variation led here.
    pub(super) follow_pv: bool,
    /// The evaluation, and the same corrected by correction history.
    pub(super) raw_eval: Option<Value>,
    pub(super) static_eval: Value,
    pub(super) correction: Correction,
    pub(super) correction_keys: CorrectionKeys,
    /// The static evaluation, or what the transposition table knows better.
    pub(super) eval: Value,
    /// Whether the static evaluation has risen since the last move of the same side.
    pub(super) improving: bool,
    /// Whether it is better than the opponent's was before its move.
    pub(super) opponent_worsening: bool,
    pub(super) pawn_key: u64,
    pub(super) continuations: Continuations,
    pub(super) best_value: Value,
    pub(super) best_move: Option<Move>,
    /// Alpha as it was at first.
    pub(super) original_alpha: Value,
}

impl NodeState {
    pub(super) fn new(
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
        key: Key,
    ) -> Self {
        Self {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            in_check: false,
            prior_reduction: 0,
            excluded_move: None,
            key,
            tt_entry: None,
            tt_move: None,
            tt_capture: false,
            tt_pv: false,
            follow_pv: false,
            raw_eval: None,
            static_eval: Value::ZERO,
            correction: Correction::default(),
            correction_keys: CorrectionKeys::default(),
            eval: Value::ZERO,
            improving: false,
            opponent_worsening: false,
            pawn_key: 0,
            continuations: [ContinuationKey::NONE; 6],
            best_value: -Value::INFINITE,
            best_move: None,
            original_alpha: alpha,
        }
    }

    /// The value of the table entry, if it has one, and what it says.
    #[inline(always)]
    pub(super) fn tt_value(&self) -> Option<(Value, Bound)> {
        self.tt_entry.and_then(|entry| entry.value)
    }

    /// How deep the table entry was searched.
    #[inline(always)]
    pub(super) fn tt_depth(&self) -> i32 {
        self.tt_entry.map_or(-8, |entry| entry.depth)
    }

    /// Whether every move is expected to fail low, so that all of them will be tried.
    #[inline(always)]
    pub(super) fn is_all_node(&self, pv: bool) -> bool {
        !pv && !self.cut_node
    }
}

/// Whether a bound allows to say that the true value is at least, or at most, the stored one.
#[inline(always)]
pub(super) fn bound_supports(bound: Bound, at_least: bool) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => at_least,
        Bound::Upper => !at_least,
    }
}
