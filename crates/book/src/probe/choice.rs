//! The choice among the moves of one position, by the options of USI engines.

use super::Selection;
use super::won::WonAdvice;
use crate::entry::{BookEntry, BookMove};
use crate::graph::BookSource;
use tesuji_shogi::{Move, Position};

/// The moves of a position and how one of them is chosen.
pub(super) struct MoveChoice<'a> {
    moves: Vec<(Move, BookMove)>,
    floor: i32,
    selection: &'a Selection,
    /// Whether a move of depth 0 is one that nobody searched.
    pub holds_depths: bool,
}

impl<'a> MoveChoice<'a> {
    pub(super) fn new(pos: &Position, entry: BookEntry, selection: &'a Selection) -> Self {
        let moves = entry.moves.into_iter();
        Self {
            moves: moves
                .filter_map(|book_move| Some((book_move.mv?, book_move)))
                .collect(),
            floor: selection.eval_limit[pos.turn()],
            selection,
            holds_depths: true,
        }
    }

    /// A move that wins if there is one, otherwise one of those that are good enough and not refuted.
    ///
    /// # Errors
    /// If the first move was searched too little, and nobody typed another one: its depth.
    pub(super) fn choose(
        mut self,
        advice: &WonAdvice,
        dice: &mut fastrand::Rng,
    ) -> Result<Option<(Move, BookMove)>, i32> {
        if let Some(winning) = advice.winning {
            return Ok(self.moves.into_iter().find(|(mv, _)| *mv == winning));
        }
        self.moves.retain(|(mv, _)| !advice.refuted.contains(mv));
        let is_searched = self
            .moves
            .iter()
            .any(|(_, mv)| mv.depth != 0 || mv.value != 0);
        let is_typed: Vec<Move> = self
            .moves
            .iter()
            .filter(|(_, mv)| self.is_typed(mv, is_searched))
            .map(|&(mv, _)| mv)
            .collect();
        if self.selection.narrow {
            let all = self.sum(|mv| mv.count);
            self.moves.retain(|(mv, known)| {
                known.count.saturating_mul(10) >= all || is_typed.contains(mv)
            });
        }
        let Some((_, first)) = self.moves.first().cloned() else {
            return Ok(None);
        };
        if first.depth != 0 && first.depth < self.selection.depth_limit {
            self.moves.retain(|(mv, _)| is_typed.contains(mv));
            if self.moves.is_empty() {
                return Err(first.depth);
            }
        }
        let nearly = first.value.saturating_sub(self.selection.eval_diff);
        let floor = nearly.max(self.floor);
        self.moves
            .retain(|(mv, known)| known.value >= floor || is_typed.contains(mv));
        Ok(self.draw(dice))
    }

    /// Whether a person typed a move and nobody searched it: whoever typed it wants it played. Files
    /// that do not say who did it leave value and depth out beside moves that have them.
    fn is_typed(&self, book_move: &BookMove, is_searched: bool) -> bool {
        let is_bare = book_move.depth == 0 && book_move.value == 0;
        match book_move.source {
            BookSource::Person => book_move.depth == 0,
            BookSource::Unknown => is_bare && is_searched && self.holds_depths,
            _ => false,
        }
    }

    fn sum(&self, weight: impl Fn(&BookMove) -> u64) -> u64 {
        let weights = self.moves.iter().map(|(_, mv)| weight(mv));
        weights.fold(0, u64::saturating_add)
    }

    fn draw(self, dice: &mut fastrand::Rng) -> Option<(Move, BookMove)> {
        let weight = |mv: &BookMove| match self.selection.by_count {
            true => mv.count,
            false => 1,
        };
        let all = self.sum(weight);
        if all == 0 {
            return self.moves.into_iter().next();
        }
        let mut at = dice.u64(0..all);
        self.moves.into_iter().find(|(_, mv)| {
            let is_here = at < weight(mv);
            at = at.saturating_sub(weight(mv));
            is_here
        })
    }
}
