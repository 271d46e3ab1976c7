//! Sums along a line of play, brought up to date only when read.

use crate::evaluator::Evaluator;
use tesuji_shogi::{ByColor, Change, Color, Position, Value};

/// The sums of an evaluator along the moves that lead to a position.
///
/// Whoever plays a move tells the line ([`Line::push`]), whoever takes it back too ([`Line::pop`]).
/// Nothing is computed until [`Line::value`] asks; a position that is never asked about, and a
/// pass, cost nothing.
///
/// ```
/// use tesuji_eval::{Evaluator, Line, Material};
/// use tesuji_shogi::Position;
/// let (eval, mut pos) = (Material, Position::start());
/// let mut line = Line::new();
/// for mv in ["7g7f", "3c3d", "8h2b+"] {
///     line.push(pos.play(mv.parse().unwrap()));
/// }
/// assert_eq!(line.value(&eval, &pos), eval.fresh(&pos));
/// ```
pub struct Line<E: Evaluator> {
    steps: Vec<Step<E::Half>>,
    /// How many of `steps` are in use; the ones behind are kept for their room.
    len: usize,
    memory: E::Memory,
}

/// A position of the line: the change that led to it, how often was passed in it, and the halves as
/// far as they are known. Passing changes nothing, so that the halves stay where they are.
struct Step<H> {
    change: Change,
    passes: u32,
    known: ByColor<bool>,
    halves: ByColor<H>,
}

impl<H: Default> Default for Step<H> {
    fn default() -> Self {
        Self {
            change: Change::default(),
            passes: 0,
            known: ByColor::default(),
            halves: ByColor::default(),
        }
    }
}

impl<E: Evaluator> Line<E> {
    /// A line that begins with the position it is first asked about.
    pub fn new() -> Self {
        Self {
            steps: vec![Step::default()],
            len: 1,
            memory: E::Memory::default(),
        }
    }

    /// Forgets everything: the next position has nothing to do with the last.
    pub fn restart(&mut self) {
        self.len = 1;
        self.steps[0].passes = 0;
        self.steps[0].known = ByColor::default();
    }

    /// Follows a move, or a pass with the empty change.
    #[inline]
    pub fn push(&mut self, change: Change) {
        if change == Change::default() {
            self.steps[self.len - 1].passes += 1;
            return;
        }
        if self.len == self.steps.len() {
            self.steps.push(Step::default());
        }
        let step = &mut self.steps[self.len];
        step.change = change;
        step.passes = 0;
        step.known = ByColor::default();
        self.len += 1;
    }

    /// Follows a move back.
    ///
    /// # Panics
    /// If no move was followed.
    #[inline]
    pub fn pop(&mut self) {
        let top = &mut self.steps[self.len - 1];
        if top.passes > 0 {
            top.passes -= 1;
            return;
        }
        assert!(self.len > 1, "a move was followed");
        self.len -= 1;
    }

    /// The value of the position that the line has reached, for the side to move.
    #[inline]
    pub fn value(&mut self, eval: &E, pos: &Position) -> Value {
        for pov in Color::ALL {
            match self.nearest(eval, pov) {
                Some(known) => self.catch_up(eval, pos, pov, known),
                None => self.begin(eval, pos, pov),
            }
        }
        eval.read(pos, &self.steps[self.len - 1].halves)
    }

    /// The last step whose half is known and can be carried up to here.
    #[inline]
    fn nearest(&self, eval: &E, pov: Color) -> Option<usize> {
        let top = self.len - 1;
        let oldest = top.saturating_sub(E::REACH);
        for at in (oldest..=top).rev() {
            let step = &self.steps[at];
            if step.known[pov] {
                return Some(at);
            }
            if eval.breaks(pov, &step.change) {
                return None;
            }
        }
        None
    }

    /// Carries a half forward.
    #[inline]
    fn catch_up(&mut self, eval: &E, pos: &Position, pov: Color, known: usize) {
        for at in known + 1..self.len {
            let (before, after) = self.steps.split_at_mut(at);
            let (old, new) = (&before[at - 1].halves[pov], &mut after[0]);
            eval.follow(pos, pov, &new.change, old, &mut new.halves[pov]);
            new.known[pov] = true;
        }
    }

    /// Begins a half, and carries it back as far as it reaches: the lines that branch off there need
    /// not begin again.
    #[cold]
    fn begin(&mut self, eval: &E, pos: &Position, pov: Color) {
        let top = self.len - 1;
        let step = &mut self.steps[top];
        eval.begin(pos, pov, &mut step.halves[pov], &mut self.memory);
        step.known[pov] = true;
        for at in (top.saturating_sub(E::REACH)..top).rev() {
            let (before, after) = self.steps.split_at_mut(at + 1);
            let (old, new) = (&mut before[at], &after[0]);
            if eval.breaks(pov, &new.change) {
                return;
            }
            let way_back = new.change.reversed();
            eval.follow(pos, pov, &way_back, &new.halves[pov], &mut old.halves[pov]);
            old.known[pov] = true;
        }
    }
}

impl<E: Evaluator> Default for Line<E> {
    fn default() -> Self {
        Self::new()
    }
}
