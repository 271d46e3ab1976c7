//! The evaluation that a search is compiled for: an evaluator, or any evaluator behind a pointer.
//!
//! Compiled for an evaluator, nothing in a search is dynamic. Compiled for [`AnyEval`] it serves
//! all of them: two calls through a pointer for every move, which is less than a hundredth of what
//! a network costs, and one search in the program instead of thirty.

use crate::accumulator_stack::AccumulatorStack;
use crate::choose::{ChooseError, EvalSettings, EvalSpec, EvaluatorVisitor, choose};
use crate::evaluator::Evaluator;
use crate::nnue::{self, Network, NetworkFile, NetworkVisitor, NnueError};
use std::sync::Arc;
use tesuji_kernels::Kernels;
use tesuji_shogi::{Change, Position, Value};

/// Evaluates the positions along the path of a search.
pub trait Eval: Sync {
    /// The accumulators along the path.
    type Stack: Send;
    /// A stack whose path begins with the position it is first asked about.
    fn stack(&self) -> Self::Stack;
    /// Follows a move, or a null move with the empty change.
    fn push(stack: &mut Self::Stack, change: Change);
    /// Takes the last move back.
    fn pop(stack: &mut Self::Stack);
    /// The value of the position at the end of the path, for the side to move.
    fn value(&self, stack: &mut Self::Stack, pos: &Position) -> Value;
}

impl<E: Evaluator> Eval for E {
    type Stack = AccumulatorStack<E>;

    fn stack(&self) -> AccumulatorStack<E> {
        AccumulatorStack::new()
    }
    #[inline(always)]
    fn push(stack: &mut AccumulatorStack<E>, change: Change) {
        stack.push(change);
    }
    #[inline(always)]
    fn pop(stack: &mut AccumulatorStack<E>) {
        stack.pop();
    }
    #[inline(always)]
    fn value(&self, stack: &mut AccumulatorStack<E>, pos: &Position) -> Value {
        stack.value(self, pos)
    }
}

/// Any evaluator behind a pointer, as it is chosen at run time. Clones share the evaluator.
///
/// ```
/// use tesuji_eval::{AnyEval, Eval, EvalSettings, EvalSpec, Evaluator, Material};
/// use tesuji_shogi::Position;
/// let eval = AnyEval::choose(&EvalSpec::Material, &EvalSettings::default()).unwrap();
/// let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1").unwrap();
/// assert_eq!(eval.value(&mut eval.stack(), &pos), Material.evaluate(&pos));
/// assert_eq!(eval.evaluate(&pos), Material.evaluate(&pos));
/// ```
#[derive(Clone)]
pub struct AnyEval(Arc<dyn DynEvaluator + Send + Sync>);

impl AnyEval {
    /// Hides which evaluator it is.
    pub fn new<E: Evaluator + Send + 'static>(evaluator: E) -> Self {
        Self(Arc::new(Erased(Arc::new(evaluator))))
    }

    /// The evaluator that a name means, with the files that belong to it.
    ///
    /// # Errors
    /// As [`choose`].
    pub fn choose(spec: &EvalSpec, settings: &EvalSettings) -> Result<Self, ChooseError> {
        choose(spec, settings, Erase)
    }

    /// A network of whatever width, as it is in memory.
    ///
    /// # Errors
    /// If there is no network of such a shape.
    pub fn of_network(file: NetworkFile, kernels: Kernels) -> Result<Self, NnueError> {
        nnue::enter(file, kernels, Erase)
    }

    /// The same evaluator, of which `watch` is told every position that a search asks it about.
    #[must_use]
    pub fn watched(&self, watch: impl Fn(&Position) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Watched {
            eval: self.clone(),
            watch: Arc::new(watch),
        }))
    }

    /// As [`Evaluator::evaluate`].
    pub fn evaluate(&self, pos: &Position) -> Value {
        self.0.evaluate(pos)
    }

    /// As [`Evaluator::evaluate_raw`].
    pub fn evaluate_raw(&self, pos: &Position) -> i32 {
        self.0.evaluate_raw(pos)
    }
}

struct Erase;

impl EvaluatorVisitor for Erase {
    type Out = AnyEval;

    fn visit<E: Evaluator + Send + 'static>(self, evaluator: E) -> AnyEval {
        AnyEval::new(evaluator)
    }
}

impl NetworkVisitor for Erase {
    type Out = AnyEval;

    fn visit<const N: usize>(self, network: Network<N>) -> AnyEval {
        AnyEval::new(network)
    }
}

impl Eval for AnyEval {
    type Stack = AnyAccumulatorStack;

    fn stack(&self) -> AnyAccumulatorStack {
        AnyAccumulatorStack(self.0.stack())
    }
    #[inline(always)]
    fn push(stack: &mut AnyAccumulatorStack, change: Change) {
        stack.0.push(change);
    }
    #[inline(always)]
    fn pop(stack: &mut AnyAccumulatorStack) {
        stack.0.pop();
    }
    #[inline(always)]
    fn value(&self, stack: &mut AnyAccumulatorStack, pos: &Position) -> Value {
        stack.0.value(pos)
    }
}

/// The stack of an evaluator behind a pointer.
pub struct AnyAccumulatorStack(Box<dyn DynStack + Send>);

/// An evaluator as a trait object.
trait DynEvaluator {
    fn evaluate(&self, pos: &Position) -> Value;
    fn evaluate_raw(&self, pos: &Position) -> i32;
    fn stack(&self) -> Box<dyn DynStack + Send>;
}

/// An evaluator with its stack as a trait object.
trait DynStack {
    fn push(&mut self, change: Change);
    fn pop(&mut self);
    fn value(&mut self, pos: &Position) -> Value;
}

struct Erased<E>(Arc<E>);

impl<E: Evaluator + Send + 'static> DynEvaluator for Erased<E> {
    fn evaluate(&self, pos: &Position) -> Value {
        self.0.evaluate(pos)
    }

    fn evaluate_raw(&self, pos: &Position) -> i32 {
        self.0.evaluate_raw(pos)
    }

    fn stack(&self) -> Box<dyn DynStack + Send> {
        Box::new(ErasedStack {
            evaluator: Arc::clone(&self.0),
            stack: AccumulatorStack::new(),
        })
    }
}

struct ErasedStack<E: Evaluator> {
    evaluator: Arc<E>,
    stack: AccumulatorStack<E>,
}

impl<E: Evaluator> DynStack for ErasedStack<E> {
    fn push(&mut self, change: Change) {
        self.stack.push(change);
    }
    fn pop(&mut self) {
        self.stack.pop();
    }
    fn value(&mut self, pos: &Position) -> Value {
        self.stack.value(&*self.evaluator, pos)
    }
}

type Watch = Arc<dyn Fn(&Position) + Send + Sync>;

/// An evaluator and somebody who looks at what it is asked.
struct Watched {
    eval: AnyEval,
    watch: Watch,
}

impl DynEvaluator for Watched {
    fn evaluate(&self, pos: &Position) -> Value {
        self.eval.evaluate(pos)
    }

    fn evaluate_raw(&self, pos: &Position) -> i32 {
        self.eval.evaluate_raw(pos)
    }

    fn stack(&self) -> Box<dyn DynStack + Send> {
        Box::new(WatchedStack {
            stack: self.eval.0.stack(),
            watch: Arc::clone(&self.watch),
        })
    }
}

struct WatchedStack {
    stack: Box<dyn DynStack + Send>,
    watch: Watch,
}

impl DynStack for WatchedStack {
    fn push(&mut self, change: Change) {
        self.stack.push(change);
    }
    fn pop(&mut self) {
        self.stack.pop();
    }
    fn value(&mut self, pos: &Position) -> Value {
        (self.watch)(pos);
        self.stack.value(pos)
    }
}
