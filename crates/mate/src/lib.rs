//! The mate solver.
#![forbid(unsafe_code)]

mod cycles;
mod dfpn;
mod dominance;
mod expand;
mod line;
mod node;
mod number;
mod solver;
mod table;

pub use solver::{Limits, ProblemError, Progress, Reason, Report, Solver, Verdict};
