//! What one visit of a node knows.

use crate::order::correction::{Correction, Likeness};
use crate::order::history::Trail;
use crate::table::Entry;
use tesuji_shogi::{Bound, Key, Move, Value};

/// The role of a node, known to the compiler.
pub(super) trait Node {
    /// Whether the exact value is wanted.
    const PV: bool;
    /// Whether it is the first node.
    const ROOT: bool;
}

/// Where a search begins.
pub(super) struct First;
/// A node whose exact value is wanted.
pub(super) struct Principal;
/// A node that only has to show on which side of a bound it lies.
pub(super) struct Scout;

impl Node for First {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for Principal {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// A node under search.
pub(super) struct Visit {
    pub(super) alpha: Value,
    pub(super) beta: Value,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether a cut is expected.
    pub(super) cut: bool,
    pub(super) in_check: bool,
    /// By how many plies it is searched less than it might be.
    pub(super) reduction: i32,
    /// A move that is left out, to see what the others are worth.
    pub(super) excluded: Option<Move>,
    pub(super) key: Key,
    /// What the table says, its value counted from the root.
    pub(super) entry: Option<Entry>,
    /// The move of the table, if it is legal here, and whether it takes.
    pub(super) table_move: Option<Move>,
    pub(super) table_takes: bool,
    pub(super) was_pv: bool,
    /// Whether only moves of the line that the last iteration found led here.
    pub(super) expected: bool,
    /// The evaluation, and the same corrected.
    pub(super) raw: Option<Value>,
    pub(super) corrected: Value,
    pub(super) correction: Correction,
    pub(super) likeness: Likeness,
    /// The corrected evaluation, or what the table knows better.
    pub(super) guess: Value,
    pub(super) improving: bool,
    pub(super) worsening: bool,
    pub(super) pawn_structure: u64,
    pub(super) trail: Trail,
    pub(super) best: Value,
    pub(super) best_move: Option<Move>,
    /// Alpha as it was at first.
    pub(super) floor: Value,
}

impl Visit {
    pub(super) fn new(
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
        key: Key,
    ) -> Self {
        Self {
            alpha,
            beta,
            depth,
            ply,
            cut,
            in_check: false,
            reduction: 0,
            excluded: None,
            key,
            entry: None,
            table_move: None,
            table_takes: false,
            was_pv: false,
            expected: false,
            raw: None,
            corrected: Value::ZERO,
            correction: Correction::default(),
            likeness: Likeness::default(),
            guess: Value::ZERO,
            improving: false,
            worsening: false,
            pawn_structure: 0,
            trail: [crate::order::history::NOWHERE; 6],
            best: -Value::INFINITE,
            best_move: None,
            floor: alpha,
        }
    }

    /// The value of the table, if it has one, and what it says.
    #[inline(always)]
    pub(super) fn table_value(&self) -> Option<(Value, Bound)> {
        self.entry.and_then(|entry| entry.value)
    }

    /// How deep the entry of the table was searched.
    #[inline(always)]
    pub(super) fn table_depth(&self) -> i32 {
        self.entry.map_or(-8, |entry| entry.depth)
    }

    /// Whether neither side expects a cut: every move will be tried.
    #[inline(always)]
    pub(super) fn is_all(&self, pv: bool) -> bool {
        !pv && !self.cut
    }
}

/// Whether a bound allows to say that the true value is at least, or at most, the stored one.
#[inline(always)]
pub(super) fn says(bound: Bound, at_least: bool) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => at_least,
        Bound::Upper => !at_least,
    }
}
