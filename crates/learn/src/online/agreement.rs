//! How often the played move is the best one: one ply and quiescence, on games that are not learnt
//! from.

use crate::leaf_search::{INFINITE, LeafDepth, LeafSearch};
use serde::{Deserialize, Serialize};
use tesuji_eval::{AnyEval, ChooseError, Eval, EvalSettings, EvalSpec};
use tesuji_shogi::{Move, MoveList, Position, movegen};

/// A position and the move that was played there.
pub type PlayedPosition = (Position, Move);

/// How often the moves of some players were found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Agreement {
    /// Of how many.
    pub positions: usize,
    /// How many were found; a move that shares the first place was not.
    pub agreed: usize,
}

impl Agreement {
    /// The share that was found.
    pub fn share(&self) -> f64 {
        self.agreed as f64 / self.positions.max(1) as f64
    }

    /// The standard error of the share.
    pub fn standard_error(&self) -> f64 {
        let share = self.share();
        (share * (1.0 - share) / self.positions.max(1) as f64).sqrt()
    }
}

/// Measures an evaluator.
pub(super) fn measure<E: Eval>(
    eval: &E,
    depth: LeafDepth,
    positions: &[PlayedPosition],
    threads: usize,
) -> Agreement {
    let share = positions.len().div_ceil(threads.max(1)).max(1);
    let count = |part: &[PlayedPosition]| {
        let mut search = LeafSearch::new(eval, depth);
        part.iter()
            .filter(|played| finds(&mut search, played))
            .count()
    };
    let agreed = std::thread::scope(|scope| {
        let parts = positions.chunks(share);
        let started: Vec<_> = parts.map(|part| scope.spawn(move || count(part))).collect();
        let counts = started.into_iter().map(|thread| thread.join());
        counts
            .map(|count| count.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .sum()
    });
    Agreement {
        positions: positions.len(),
        agreed,
    }
}

/// Measures the evaluator of a name in the same way.
///
/// # Errors
/// If there is no such evaluator.
pub fn agreement_of(
    spec: &EvalSpec,
    depth: LeafDepth,
    positions: &[PlayedPosition],
    threads: usize,
) -> Result<Agreement, ChooseError> {
    let eval = AnyEval::choose(spec, &EvalSettings::default())?;
    Ok(measure(&eval, depth, positions, threads))
}

/// Whether every other move is worth less than the one that was played.
fn finds<E: Eval>(search: &mut LeafSearch<'_, E>, (pos, played): &PlayedPosition) -> bool {
    let mut moves = MoveList::new();
    let _ = movegen::legal_without_worse(pos, &mut moves);
    search.begin(pos.clone());
    let value = search.value_of(*played, -INFINITE, INFINITE);
    let mut others = moves.iter().filter(|mv| mv != played);
    others.all(|mv| search.value_of(mv, value - 1, value) < value)
}
