//! The accumulator stack: accumulators along the path of a search, updated only when read.
//!
//! Lazy updates and updates backwards over the path follow Stockfish's accumulator stack.

use crate::evaluator::Evaluator;
use tesuji_shogi::{ByColor, Change, Color, Position, Value};

/// The accumulators of an evaluator along the moves that lead to a position.
///
/// A search pushes every move that it plays ([`AccumulatorStack::push`]) and pops every move that
/// it takes back ([`AccumulatorStack::pop`]). Nothing is computed until [`AccumulatorStack::value`]
/// asks; a position that is never asked about, and a null move, cost nothing.
///
/// ```
/// use tesuji_eval::{AccumulatorStack, Evaluator, Material};
/// use tesuji_shogi::Position;
/// let (eval, mut pos) = (Material, Position::start());
/// let mut stack = AccumulatorStack::new();
/// for mv in ["7g7f", "3c3d", "8h2b+"] {
///     stack.push(pos.play(mv.parse().unwrap()));
/// }
/// assert_eq!(stack.value(&eval, &pos), eval.evaluate(&pos));
/// ```
pub struct AccumulatorStack<E: Evaluator> {
    entries: Vec<StackEntry<E::Accumulator>>,
    /// How many of `entries` are in use; the ones above are kept for their room.
    len: usize,
    cache: E::RefreshCache,
}

/// A position of the path: the change that led to it, how many null moves were made in it, and the
/// accumulators as far as they are computed. A null move changes none of them.
struct StackEntry<A> {
    change: Change,
    null_moves: u32,
    is_computed: ByColor<bool>,
    accumulators: ByColor<A>,
}

impl<A: Default> Default for StackEntry<A> {
    fn default() -> Self {
        Self {
            change: Change::default(),
            null_moves: 0,
            is_computed: ByColor::default(),
            accumulators: ByColor::default(),
        }
    }
}

impl<E: Evaluator> AccumulatorStack<E> {
    /// A stack whose path begins with the position it is first asked about.
    pub fn new() -> Self {
        Self {
            entries: vec![StackEntry::default()],
            len: 1,
            cache: E::RefreshCache::default(),
        }
    }

    /// Begins a new path: the next position has nothing to do with the last.
    pub fn reset(&mut self) {
        self.len = 1;
        self.entries[0].null_moves = 0;
        self.entries[0].is_computed = ByColor::default();
    }

    /// Follows a move, or a null move with the empty change.
    #[inline]
    pub fn push(&mut self, change: Change) {
        if change == Change::default() {
            self.entries[self.len - 1].null_moves += 1;
            return;
        }
        if self.len == self.entries.len() {
            self.entries.push(StackEntry::default());
        }
        let entry = &mut self.entries[self.len];
        entry.change = change;
        entry.null_moves = 0;
        entry.is_computed = ByColor::default();
        self.len += 1;
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn pop(&mut self) {
        let top = &mut self.entries[self.len - 1];
        if top.null_moves > 0 {
            top.null_moves -= 1;
            return;
        }
        assert!(self.len > 1, "a move was pushed");
        self.len -= 1;
    }

    /// The value of the position at the end of the path, for the side to move.
    #[inline]
    pub fn value(&mut self, eval: &E, pos: &Position) -> Value {
        for pov in Color::ALL {
            match self.last_usable(eval, pov) {
                Some(computed) => self.update_from(eval, pos, pov, computed),
                None => self.refresh(eval, pos, pov),
            }
        }
        let accumulators = &self.entries[self.len - 1].accumulators;
        eval.output(pos, ByColor(accumulators.0.each_ref()))
    }

    /// The last entry whose accumulator is computed and can be updated up to the top.
    #[inline]
    fn last_usable(&self, eval: &E, pov: Color) -> Option<usize> {
        let top = self.len - 1;
        let oldest = top.saturating_sub(E::MAX_UPDATES);
        for at in (oldest..=top).rev() {
            let entry = &self.entries[at];
            if entry.is_computed[pov] {
                return Some(at);
            }
            if eval.needs_refresh(pov, &entry.change) {
                return None;
            }
        }
        None
    }

    /// Updates forwards from a computed entry to the top.
    #[inline]
    fn update_from(&mut self, eval: &E, pos: &Position, pov: Color, computed: usize) {
        for at in computed + 1..self.len {
            let (before, after) = self.entries.split_at_mut(at);
            let (old, new) = (&before[at - 1].accumulators[pov], &mut after[0]);
            eval.update(pos, pov, &new.change, old, &mut new.accumulators[pov]);
            new.is_computed[pov] = true;
        }
    }

    /// Refreshes the top and updates backwards from it as far as possible: paths that branch off
    /// there need no refresh of their own.
    #[cold]
    fn refresh(&mut self, eval: &E, pos: &Position, pov: Color) {
        let top = self.len - 1;
        let entry = &mut self.entries[top];
        eval.refresh(pos, pov, &mut entry.accumulators[pov], &mut self.cache);
        entry.is_computed[pov] = true;
        for at in (top.saturating_sub(E::MAX_UPDATES)..top).rev() {
            let (before, after) = self.entries.split_at_mut(at + 1);
            let (old, new) = (&mut before[at], &after[0]);
            if eval.needs_refresh(pov, &new.change) {
                return;
            }
            let way_back = new.change.reversed();
            let (from, to) = (&new.accumulators[pov], &mut old.accumulators[pov]);
            eval.update(pos, pov, &way_back, from, to);
            old.is_computed[pov] = true;
        }
    }
}

impl<E: Evaluator> Default for AccumulatorStack<E> {
    fn default() -> Self {
        Self::new()
    }
}
