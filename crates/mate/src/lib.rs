//! The mate solver.
//!
//! [`Solver`] finds out whether one side can mate by checks alone, and how: any mating line, or the
//! shortest one against the longest defence. It never guesses: if time, nodes or memory end the
//! search, the verdict is [`Verdict::Unknown`]. [`Solver::verify`] walks through a whole proof on
//! the plain board, [`Solver::recall`] says what it knows of positions inside it,
//! [`Solver::brinkmate`] looks for a quiet move after which mate cannot be avoided,
//! and [`LeafSolver`] serves the leaves of another search.
//!
//! ```
//! use tesuji_mate::{Limits, Solver, Verdict};
//! use tesuji_shogi::Position;
//! let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
//! let mut solver = Solver::new(16 << 20);
//! let verdict = solver.solve(&pos, pos.turn(), &Limits::NONE, &mut ()).unwrap();
//! assert_eq!(verdict, Verdict::Mate(vec!["G*5b".parse().unwrap()]));
//! ```
//!
//! `docs/mate.md` explains proof numbers to newcomers.
#![forbid(unsafe_code)]

mod brink;
mod check;
mod compose;
mod conclude;
mod crowd;
mod cycles;
mod dfpn;
mod dominance;
mod expand;
mod guess;
mod leaf;
mod lesson;
mod line;
mod node;
mod number;
mod odds;
mod pour;
mod recall;
mod simulate;
mod solver;
mod table;
mod team;
mod twice;

pub use brink::Brink;
pub use check::Flaw;
pub use compose::{Alternative, Count, count};
pub use guess::Features;
pub use leaf::{Glance, LeafSolver};
pub use lesson::{Fate, Lesson};
pub use recall::Recall;
pub use solver::{Limits, ProblemError, Progress, Reason, Report, Solver, Verdict};
