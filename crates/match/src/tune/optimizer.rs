//! What every method of tuning can do.

use super::trial::PairOutcome;
use serde::{Deserialize, Serialize};

/// What is known about a parameter.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ParameterEstimate {
    /// The value that seems best.
    pub value: f64,
    /// How far the truth may be away with 95 % probability, as far as the method can tell.
    pub error: Option<f64>,
    /// How much stronger the player gets when the parameter grows by a step, in Elo, and how far the
    /// truth may be away from that with 95 % probability. About nothing at an optimum.
    pub slope: Option<(f64, f64)>,
}

/// How long a tuning is.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuneSchedule {
    /// How many pairs of games in all.
    pub pairs: u64,
    /// How many trials make an iteration.
    pub batch: usize,
    /// By which share of a step a pair that is won moves a parameter at the end (SPSA).
    pub rate: f64,
    /// How many Elo a change must promise to be taken (local search).
    pub elo: f64,
}

impl TuneSchedule {
    /// So many pairs in batches, with the rate that suits so many: few pairs must move the
    /// parameters far, many need not.
    pub fn new(pairs: u64, batch: usize) -> Self {
        Self {
            pairs: pairs.max(1),
            batch: batch.max(1),
            rate: (1.2 / (pairs.max(1) as f64).sqrt()).clamp(0.002, 0.06),
            elo: 10.0,
        }
    }
}

/// A method of tuning. It asks for trials and hears what came of them; nothing else changes it.
pub trait Optimizer {
    /// The two sets of values that should meet next.
    fn ask(&mut self, rng: &mut fastrand::Rng) -> [Vec<i32>; 2];

    /// Hears what came of the trials of one iteration.
    fn tell(&mut self, outcomes: &[([&[i32]; 2], PairOutcome)]);

    /// Where it stands.
    fn center(&mut self) -> Vec<f64>;

    /// What it knows about each parameter.
    fn estimates(&mut self) -> Vec<ParameterEstimate>;

    /// Whether it has nothing more to ask.
    fn is_done(&self) -> bool {
        false
    }
}
