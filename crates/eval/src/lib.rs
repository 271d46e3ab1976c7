//! The family of evaluators: one trait, many static evaluations.
//!
//! An [`Evaluator`] sums over the pieces of a position and turns the sums into a value: piece
//! values, relations, pair tables ([`pairs`], after Bonanza and Apery) or a network ([`nnue`],
//! after Nasu). The sums are its accumulators; an [`AccumulatorStack`] keeps them along the moves
//! of a search and brings them up to date only when a value is asked for. A search takes an
//! [`Eval`]: an evaluator known to the compiler, or [`AnyEval`], which is chosen at run time.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod accumulator_stack;
pub mod bona_piece;
mod choose;
mod combined;
mod eval;
mod evaluator;
#[cfg(feature = "laws")]
pub mod laws;
mod material;
pub mod nnue;
pub mod pairs;
pub mod relation;
mod spread;

pub use accumulator_stack::AccumulatorStack;
pub use choose::{
    ChooseError, EvalSettings, EvalSpec, EvalSpecError, EvaluatorVisitor, LARGEST_NETWORK, choose,
};
pub use combined::Combined;
pub use eval::{AnyAccumulatorStack, AnyEval, Eval};
pub use evaluator::Evaluator;
pub use material::Material;
pub use relation::Relation;
pub use spread::spread;
