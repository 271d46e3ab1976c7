//! The mate solver.
//!
//! [`Solver`] finds out whether one side can mate by checks alone, and how: any mating line, or the
//! shortest one against the longest defence. It never guesses: if time, nodes or memory end the
//! search, the verdict is [`MateVerdict::Unknown`]. [`Solver::verify`] walks through a whole proof
//! on the plain board, [`Solver::probe`] says what it knows of positions inside it,
//! [`Solver::brinkmate`] looks for a quiet move after which mate cannot be avoided, and
//! [`LeafSolver`] serves the leaves of another search.
//!
//! ```
//! use tesuji_mate::{MateLimits, Solver, MateVerdict};
//! use tesuji_shogi::Position;
//! let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
//! let mut solver = Solver::new(16 << 20);
//! let verdict = solver.solve(&pos, pos.turn(), &MateLimits::NONE, &mut ()).unwrap();
//! assert_eq!(verdict, MateVerdict::Mate(vec!["G*5b".parse().unwrap()]));
//! ```
//!
//! `docs/mate.md` explains proof numbers to newcomers.
#![forbid(unsafe_code)]

mod brinkmate;
mod compose;
mod cycles;
mod dfpn;
mod distill;
mod dominance;
mod expand;
mod heuristic_init;
mod leaf;
mod limits;
mod line;
mod log_odds;
mod memory;
mod move_samples;
mod node;
mod number;
mod parallel;
mod path_registry;
mod probe;
mod problems;
mod proof_search;
mod solver;
mod table;
mod table_growth;
mod verify;

pub use brinkmate::BrinkmateVerdict;
pub use compose::{Alternative, ComposerCount, count};
pub use distill::{Distilled, DistilledGame, Solutions};
pub use heuristic_init::MoveFeatures;
pub use leaf::{LeafSolver, QuickVerdict};
pub use limits::{MateLimits, MateProgress, MateReport, StopReason};
pub use move_samples::{MoveOutcome, MoveSample};
pub use probe::Probe;
pub use problems::PROBLEM_SETS;
pub use solver::{MateVerdict, ProblemError, Solver};
pub use verify::Flaw;
