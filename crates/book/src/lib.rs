//! Opening books: positions, moves, and what is known about them.
//!
//! [`Graph`] holds a book in memory. [`GraphSolver`] gives every position the value that follows from its
//! leaves, [`Wins`] says who wins by what was played; [`make`] lets a book grow by playing. [`mod@format`] reads and writes the files of the
//! field, one [`BookEntry`] at a time; [`mod@store`] has those to which a book that grows appends: a log,
//! and with the feature `sqlite` tables.
//! [`probe`] is what a player asks.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod builtin;
mod codec;
mod connect;
mod entry;
mod error;
pub mod format;
mod graph;
mod grow;
pub mod make;
pub mod minimax;
mod numbers;
pub mod probe;
mod repetition_rule;
mod solve;
mod sort;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod store;

pub use builtin::{BUILTIN, builtin, builtin_bytes};
pub use entry::{BookEntry, BookMove};
pub use error::{BookError, BookPlace, BookProblem};
pub use format::{BookFormat, BookFormatError};
pub use graph::{BookNodeId, BookSource, Edge, EdgeId, Graph, NodeFlags};
pub use grow::open_store;
pub use repetition_rule::RepetitionRule;
pub use solve::{BookOutcome, Evaluations, GraphSolver, Payoff, Score, WinPayoff, Wins};
pub use sort::{EntryOrder, Sorted, Sorter};
pub use store::{BookStore, lock_store};
