//! The family of evaluators: one trait, many ways to judge a position.
//!
//! An evaluator is chosen once, at the door; below that nothing is dynamic. [`Line`] keeps its sums
//! along a line of play and brings them up to date only when a value is asked for.
#![forbid(unsafe_code)]

mod choose;
mod evaluator;
mod judge;
mod line;
mod material;
pub mod nnue;
pub mod pairs;
pub mod relation;

pub use choose::{ChooseError, Settings, Spec, SpecError, Visitor, choose};
pub use evaluator::Evaluator;
pub use judge::{AnyJudge, AnyLine, Judge};
pub use line::Line;
pub use material::Material;
pub use relation::Relation;
