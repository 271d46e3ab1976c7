//! A board and an evaluator of one's own: what somebody writes who uses the library as a laboratory.
//!
//! `cargo test --manifest-path examples/own_parts/Cargo.toml` checks both with the law kit.

mod own_board;
mod own_eval;

pub use own_board::OwnBoard;
pub use own_eval::OwnEval;
