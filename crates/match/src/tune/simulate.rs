//! A tuning whose optimum is known: games are drawn by chance from how far two players are from it.
//!
//! It shows that a method finds what there is to find, and how many games that takes.

use super::method::TuningMethod;
use super::optimizer::TuneSchedule;
use super::parameter::TunedParameter;
use super::run::{TuneHeader, Tuning};
use super::trial::{PairOutcome, TrialPlayer, TuningIteration};
use crate::score::score_of;
use std::convert::Infallible;

/// How often a game is drawn.
const DRAWS: f64 = 0.015;
/// How lopsided openings are, in Elo (standard deviation): both games of a pair begin with the same.
const OPENING_ELO: f64 = 60.0;

/// A player's strength falls with the squared distance of each parameter from its optimum.
#[derive(Clone, Debug)]
pub struct KnownOptimum {
    /// The best value of each parameter.
    pub best: Vec<f64>,
    /// How many Elo one step away from it costs.
    pub elo_per_step: Vec<f64>,
    steps: Vec<f64>,
}

impl KnownOptimum {
    /// An optimum some steps from where each parameter begins, on a side chosen by chance, such
    /// that the start is so many Elo below it. One parameter matters much, the next one less.
    pub fn below(parameters: &[TunedParameter], elo: f64, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut best, mut shares) = (Vec::new(), Vec::new());
        for parameter in parameters {
            let side = if rng.bool() { 1.0 } else { -1.0 };
            let away = side * parameter.step * (1.5 + 2.0 * rng.f64());
            let wanted = f64::from(parameter.start) + away;
            // Where there is no room on one side there is some on the other.
            let best_value = if parameter.clamped(wanted) == wanted {
                wanted
            } else {
                parameter.clamped(f64::from(parameter.start) - away)
            };
            best.push(best_value);
            shares.push(0.3 + rng.f64());
        }
        let total: f64 = shares.iter().sum();
        let costs = parameters.iter().zip(&best).zip(&shares);
        let elo_per_step = costs.map(|((p, best), share)| {
            let steps = (best - f64::from(p.start)) / p.step;
            elo * share / total / (steps * steps).max(1e-9)
        });
        Self {
            elo_per_step: elo_per_step.collect(),
            steps: parameters.iter().map(|p| p.step).collect(),
            best,
        }
    }

    /// How far below the optimum a player with these values is, in Elo; never above 0.
    pub fn elo(&self, values: impl IntoIterator<Item = f64>) -> f64 {
        let all = values.into_iter().zip(&self.best);
        let all = all.zip(self.steps.iter().zip(&self.elo_per_step));
        let cost = |((value, best), (step, elo)): ((f64, &f64), (&f64, &f64))| {
            elo * ((value - best) / step).powi(2)
        };
        -all.map(cost).sum::<f64>()
    }

    fn pair(&self, plus: &[i32], minus: &[i32], rng: &mut fastrand::Rng) -> PairOutcome {
        let elo = |values: &[i32]| self.elo(values.iter().map(|&value| f64::from(value)));
        let ahead = elo(plus) - elo(minus);
        // The sum of three even numbers is about normal.
        let lean: f64 = (0..3).map(|_| 2.0 * rng.f64() - 1.0).sum();
        let points = [lean, -lean].map(|lean| {
            let score = score_of(ahead + lean * OPENING_ELO);
            match rng.f64() {
                drawn if drawn < DRAWS => 1,
                _ if rng.f64() < score => 2,
                _ => 0,
            }
        });
        PairOutcome {
            points,
            plies: 0,
            faults: 0,
        }
    }
}

impl TrialPlayer for KnownOptimum {
    type Error = Infallible;

    fn play(&mut self, iteration: &TuningIteration) -> Result<Vec<PairOutcome>, Infallible> {
        let mut rng = fastrand::Rng::with_seed(iteration.seed ^ 0x5bd1_e995);
        let trials = iteration.trials.iter();
        Ok(trials
            .map(|trial| self.pair(&trial.plus, &trial.minus, &mut rng))
            .collect())
    }
}

/// What a simulation found.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulationReport {
    /// How far below the optimum the start was, in Elo.
    pub start: f64,
    /// How far below the result is.
    pub result: f64,
    /// How many games were played.
    pub games: u64,
    /// After how many games the path stayed within half of the first distance; `None` if it did not.
    pub half_way: Option<u64>,
}

/// Tunes towards a known optimum.
pub fn simulate(
    method: TuningMethod,
    parameters: &[TunedParameter],
    schedule: &TuneSchedule,
    optimum: &mut KnownOptimum,
    seed: u64,
) -> (SimulationReport, Tuning) {
    let mut tuning = Tuning::new(TuneHeader {
        method,
        parameters: parameters.to_vec(),
        schedule: *schedule,
        seed,
        players: "a simulation".into(),
        openings: String::new(),
    });
    while let Ok(Some(_)) = tuning.step(optimum) {}
    let start = optimum.elo(parameters.iter().map(|p| f64::from(p.start)));
    let found = tuning.result();
    let is_far = |center: &[f64]| optimum.elo(center.iter().copied()) < start / 2.0;
    let path = tuning.path();
    let last_far = path.iter().rposition(|point| is_far(&point.center));
    let half_way = path
        .get(last_far.map_or(0, |at| at + 1))
        .map(|point| point.games);
    let report = SimulationReport {
        start,
        result: optimum.elo(found.iter().map(|(_, value)| f64::from(*value))),
        games: tuning.games(),
        half_way,
    };
    (report, tuning)
}

#[cfg(test)]
mod tests;
