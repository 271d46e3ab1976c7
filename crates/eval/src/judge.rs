//! Whoever can follow a line of play and judge its end: an evaluator, or any evaluator behind a
//! pointer.
//!
//! A search is compiled for one judge. Compiled for an evaluator, nothing in it is dynamic. Compiled
//! for [`AnyJudge`] it serves all of them: two calls through a pointer for every move, which is less
//! than a hundredth of what a network costs, and one search in the program instead of thirty.

use crate::choose::{ChooseError, Settings, Spec, Visitor, choose};
use crate::evaluator::Evaluator;
use crate::line::Line;
use std::sync::Arc;
use tesuji_shogi::{Change, Position, Value};

/// Judges the positions of a line of play.
pub trait Judge: Sync {
    /// What is kept along a line.
    type Line: Send;
    /// A line that begins with the position it is first asked about.
    fn line(&self) -> Self::Line;
    /// Follows a move, or a pass with the empty change.
    fn push(line: &mut Self::Line, change: Change);
    /// Follows a move back.
    fn pop(line: &mut Self::Line);
    /// The value of the position that the line has reached, for the side to move.
    fn value(&self, line: &mut Self::Line, pos: &Position) -> Value;
}

impl<E: Evaluator> Judge for E {
    type Line = Line<E>;

    fn line(&self) -> Line<E> {
        Line::new()
    }
    #[inline(always)]
    fn push(line: &mut Line<E>, change: Change) {
        line.push(change);
    }
    #[inline(always)]
    fn pop(line: &mut Line<E>) {
        line.pop();
    }
    #[inline(always)]
    fn value(&self, line: &mut Line<E>, pos: &Position) -> Value {
        line.value(self, pos)
    }
}

/// Any evaluator behind a pointer, as it is chosen at run time. Clones share the evaluator.
///
/// ```
/// use tesuji_eval::{AnyJudge, Evaluator, Judge, Material, Settings, Spec};
/// use tesuji_shogi::Position;
/// let judge = AnyJudge::choose(&Spec::Material, &Settings::default()).unwrap();
/// let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1").unwrap();
/// assert_eq!(judge.value(&mut judge.line(), &pos), Material.fresh(&pos));
/// assert_eq!(judge.fresh(&pos).1, Material.fresh(&pos));
/// ```
#[derive(Clone)]
pub struct AnyJudge(Arc<dyn Open + Send + Sync>);

impl AnyJudge {
    /// Hides which evaluator it is.
    pub fn new<E: Evaluator + Send + 'static>(eval: E) -> Self {
        Self(Arc::new(Opener(Arc::new(eval))))
    }

    /// The evaluator that a name means, with the files that belong to it.
    ///
    /// # Errors
    /// As [`choose`].
    pub fn choose(spec: &Spec, settings: &Settings) -> Result<Self, ChooseError> {
        choose(spec, settings, Hide)
    }

    /// What the value of a position is made of, and the value itself, from nothing but the position.
    pub fn fresh(&self, pos: &Position) -> (i32, Value) {
        self.0.fresh(pos)
    }
}

struct Hide;

impl Visitor for Hide {
    type Out = AnyJudge;

    fn visit<E: Evaluator + Send + 'static>(self, eval: E) -> AnyJudge {
        AnyJudge::new(eval)
    }
}

impl Judge for AnyJudge {
    type Line = AnyLine;

    fn line(&self) -> AnyLine {
        AnyLine(self.0.open())
    }
    #[inline(always)]
    fn push(line: &mut AnyLine, change: Change) {
        line.0.push(change);
    }
    #[inline(always)]
    fn pop(line: &mut AnyLine) {
        line.0.pop();
    }
    #[inline(always)]
    fn value(&self, line: &mut AnyLine, pos: &Position) -> Value {
        line.0.value(pos)
    }
}

/// A line of an evaluator behind a pointer.
pub struct AnyLine(Box<dyn Follow + Send>);

trait Open {
    fn fresh(&self, pos: &Position) -> (i32, Value);
    fn open(&self) -> Box<dyn Follow + Send>;
}

trait Follow {
    fn push(&mut self, change: Change);
    fn pop(&mut self);
    fn value(&mut self, pos: &Position) -> Value;
}

struct Opener<E>(Arc<E>);

impl<E: Evaluator + Send + 'static> Open for Opener<E> {
    fn fresh(&self, pos: &Position) -> (i32, Value) {
        let halves = self.0.halves(pos);
        (self.0.raw(pos, &halves), self.0.read(pos, &halves))
    }

    fn open(&self) -> Box<dyn Follow + Send> {
        Box::new(Followed {
            eval: Arc::clone(&self.0),
            line: Line::new(),
        })
    }
}

struct Followed<E: Evaluator> {
    eval: Arc<E>,
    line: Line<E>,
}

impl<E: Evaluator> Follow for Followed<E> {
    fn push(&mut self, change: Change) {
        self.line.push(change);
    }
    fn pop(&mut self) {
        self.line.pop();
    }
    fn value(&mut self, pos: &Position) -> Value {
        self.line.value(&*self.eval, pos)
    }
}
