//! Short searches for the sake of their leaves: a few plies of alpha-beta, then quiescence.
//!
//! There is no table, so that the principal variation is always whole and its last position has the
//! value that was found. Quiescence takes and promotes as long as the exchange loses nothing, for a
//! few plies; checks are answered while it is shallow.

use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use tesuji_eval::Eval;
use tesuji_shogi::tactics::see;
use tesuji_shogi::{Move, MoveList, Position, Value, movegen};

/// How far the searches go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeafDepth {
    /// Plies with all moves behind the compared move.
    pub full: u32,
    /// Plies of quiescence.
    pub quiescence: u32,
    /// In how many of them a check is answered; behind them a position in check is valued as it is.
    pub evasions: u32,
}

impl Default for LeafDepth {
    fn default() -> Self {
        Self {
            full: 0,
            quiescence: 8,
            evasions: 2,
        }
    }
}

/// By how much an exchange may fall short of the window and still be looked at.
const FUTILITY_MARGIN: i32 = 300;
/// More than any value.
pub(crate) const INFINITE: i32 = Value::MATE.points() + 1;
/// A value that is at least this is no evaluation.
pub(crate) const DECIDED: i32 = Value::MATE_FLOOR.points();

/// A searcher with its board and its sums.
pub(crate) struct LeafSearch<'e, E: Eval> {
    eval: &'e E,
    depth: LeafDepth,
    stack: E::Stack,
    pub(crate) pos: Position,
    /// The best line from every ply.
    lines: Vec<Vec<Move>>,
    pub(crate) nodes: u64,
}

impl<'e, E: Eval> LeafSearch<'e, E> {
    pub(crate) fn new(eval: &'e E, depth: LeafDepth) -> Self {
        let plies = (depth.full + depth.quiescence.max(depth.evasions)) as usize + 3;
        Self {
            eval,
            depth,
            stack: eval.stack(),
            pos: Position::start(),
            lines: vec![Vec::new(); plies],
            nodes: 0,
        }
    }

    /// Goes to a position.
    pub(crate) fn begin(&mut self, pos: Position) {
        self.pos = pos;
        self.stack = self.eval.stack();
        // Every compared move starts from these sums.
        let _ = self.eval.value(&mut self.stack, &self.pos);
    }

    /// The value of a move for the side that plays it, exact if it lies between the bounds.
    pub(crate) fn value_of(&mut self, mv: Move, alpha: i32, beta: i32) -> i32 {
        self.lines[0].clear();
        self.after(mv, |search| {
            -search.full_width(search.depth.full, -beta, -alpha, 1)
        })
    }

    /// The value of the position itself for the side to move.
    pub(crate) fn value(&mut self) -> i32 {
        self.full_width(self.depth.full, -INFINITE, INFINITE, 1)
    }

    /// Lets `f` look at the leaf behind some moves and the line that was found last.
    pub(crate) fn at_leaf<R>(&mut self, first: Option<Move>, f: impl FnOnce(&Position) -> R) -> R {
        let line = std::mem::take(&mut self.lines[1]);
        let moves = || first.iter().chain(&line);
        for &mv in moves() {
            self.pos.play(mv);
        }
        let out = f(&self.pos);
        moves().for_each(|_| self.pos.undo());
        self.lines[1] = line;
        out
    }

    #[inline]
    fn after<R>(&mut self, mv: Move, f: impl FnOnce(&mut Self) -> R) -> R {
        self.nodes += 1;
        let change = self.pos.play(mv);
        E::push(&mut self.stack, change);
        let out = f(self);
        E::pop(&mut self.stack);
        self.pos.undo();
        out
    }

    fn static_value(&mut self) -> i32 {
        self.eval.value(&mut self.stack, &self.pos).points()
    }

    fn full_width(&mut self, depth: u32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if depth == 0 {
            return self.quiescence(0, alpha, beta, ply);
        }
        self.lines[ply].clear();
        let mut moves = MoveList::new();
        let _ = movegen::legal_without_worse(&self.pos, &mut moves);
        self.order(&mut moves);
        let mut best = Value::mated_in(ply as i32).points();
        for mv in &moves {
            let value = self.after(mv, |search| {
                -search.full_width(depth - 1, -beta, -alpha, ply + 1)
            });
            if self
                .raise(&mut best, &mut alpha, beta, (mv, value, ply))
                .is_break()
            {
                break;
            }
        }
        best
    }

    fn quiescence(&mut self, taken: u32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.lines[ply].clear();
        let must_answer = self.pos.in_check() && taken < self.depth.evasions;
        let mut moves = MoveList::new();
        let mut best;
        if must_answer {
            best = Value::mated_in(ply as i32).points();
            let _ = movegen::evasions(&self.pos, &mut moves);
        } else {
            best = self.static_value();
            if best >= beta || taken >= self.depth.quiescence || self.pos.in_check() {
                return best;
            }
            alpha = alpha.max(best);
            self.tactical_moves(alpha - best - FUTILITY_MARGIN, &mut moves);
        }
        self.order(&mut moves);
        for mv in &moves {
            if !must_answer && !see::is_at_least(&self.pos, mv, Value::ZERO) {
                continue;
            }
            let value = self.after(mv, |search| {
                -search.quiescence(taken + 1, -beta, -alpha, ply + 1)
            });
            if self
                .raise(&mut best, &mut alpha, beta, (mv, value, ply))
                .is_break()
            {
                break;
            }
        }
        best
    }

    /// Takes note of the value of a move; breaks if it is too good to be reached.
    #[inline]
    fn raise(
        &mut self,
        best: &mut i32,
        alpha: &mut i32,
        beta: i32,
        (mv, value, ply): (Move, i32, usize),
    ) -> ControlFlow<()> {
        if value <= *best {
            return ControlFlow::Continue(());
        }
        *best = value;
        if value <= *alpha {
            return ControlFlow::Continue(());
        }
        *alpha = value;
        let (line, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut line[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
        if value >= beta {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Moves that take or promote and may gain at least `least`.
    fn tactical_moves(&self, least: i32, moves: &mut MoveList) {
        let mut all = MoveList::new();
        let _ = movegen::captures_without_worse(&self.pos, &mut all);
        let _ = movegen::promotions(&self.pos, &mut all);
        moves.extend(all.iter().filter(|&mv| self.gain(mv) >= least));
    }

    /// What a move takes and what its piece becomes.
    fn gain(&self, mv: Move) -> i32 {
        let taken = self.pos.at(mv.to());
        let taken = taken.map_or(0, |piece| piece.kind().worth().points());
        let promoted = mv.from().filter(|_| mv.is_promotion());
        let promoted = promoted.and_then(|from| self.pos.at(from)).map(|piece| {
            let after = piece.kind().promoted().unwrap_or(piece.kind());
            after.worth().points() - piece.kind().worth().points()
        });
        taken + promoted.unwrap_or(0)
    }

    /// What gains most by what is worth least comes first.
    fn order(&self, moves: &mut MoveList) {
        moves.sort_by_cached_key(|&mv| {
            let mover = mv.from().and_then(|from| self.pos.at(from));
            let worth = mover.map_or(0, |piece| piece.kind().worth().points());
            -16 * self.gain(mv) + worth
        });
    }
}
