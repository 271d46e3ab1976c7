//! Opening books: positions, moves, and what is known about them.
//!
//! [`Graph`] holds a book in memory. [`Solver`] gives every position the value that follows from its
//! leaves, [`Wins`] says who wins by what was played.
#![forbid(unsafe_code)]

mod graph;
mod solve;

pub use graph::{Edge, EdgeId, Graph, NodeFlags, NodeId, Source};
pub use solve::{Evaluations, Outcome, Payoff, RepetitionRule, Score, Solver, WinPayoff, Wins};
