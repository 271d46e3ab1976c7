//! The mate solver.
#![forbid(unsafe_code)]

mod check;
mod cycles;
mod dfpn;
mod dominance;
mod expand;
mod line;
mod node;
mod number;
mod solver;
mod table;
mod team;

pub use check::Flaw;
pub use solver::{Limits, ProblemError, Progress, Reason, Report, Solver, Verdict};
