//! Opening books: positions, moves, and what is known about them.
//!
//! [`Graph`] holds a book in memory. [`Solver`] gives every position the value that follows from its
//! leaves, [`Wins`] says who wins by what was played; [`make`] lets a book grow by playing. [`mod@format`] reads and writes the files of the
//! field, one [`BookEntry`] at a time; [`Store`] is our own, to which a book that grows appends.
//! [`probe`] is what a player asks.
#![forbid(unsafe_code)]

mod codec;
mod connect;
mod entry;
mod error;
pub mod format;
mod graph;
pub mod make;
pub mod probe;
mod solve;
mod sort;
pub mod store;

pub use entry::{BookEntry, BookMove};
pub use error::{BookError, BookProblem, Place};
pub use format::{BookFormat, BookFormatError};
pub use graph::{Edge, EdgeId, Graph, NodeFlags, NodeId, Source};
pub use solve::{Evaluations, Outcome, Payoff, RepetitionRule, Score, Solver, WinPayoff, Wins};
pub use sort::{Order, Sorted, Sorter};
pub use store::Store;
