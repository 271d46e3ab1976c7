//! Tuning: parameters of the search, moved by the results of games.
//!
//! An [`Optimizer`] says which two sets of values are to meet, a [`TrialPlayer`] lets them meet, in
//! pairs of games or in a simulation whose optimum is known, and [`Tuning`] leads both and keeps
//! every iteration in a journal. The journal is all there is to a run: an optimizer that hears the
//! same outcomes again stands where it stood, so that a run that was killed goes on.
//!
//! An iteration is a job by itself ([`TuningIteration`] in, [`PairOutcome`]s out): at a fixed
//! number of nodes the outcome depends on nothing else, whoever plays it.

mod clop;
mod games;
mod linear;
mod local;
mod method;
mod optimizer;
mod page;
mod parameter;
mod patch;
mod quadratic;
mod run;
mod simulate;
mod spsa;
mod trial;

pub use games::{TuningGames, TuningGamesError};
pub use method::{TuningMethod, TuningMethodError};
pub use optimizer::{Optimizer, ParameterEstimate, TuneSchedule};
pub use page::page;
pub use parameter::{ParameterError, TunedParameter, parse_parameters, select_parameters};
pub use patch::{PatchError, patch_of};
pub use run::{IterationLine, PathPoint, TuneHeader, Tuning};
pub use simulate::{KnownOptimum, SimulationReport, simulate};
pub use trial::{PairOutcome, Trial, TrialPlayer, TuningIteration};
