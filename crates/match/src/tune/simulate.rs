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
mod tests {
    use super::super::parameter::select_parameters;
    use super::*;

    /// What is left of the distance after tuning, on average over a few optima.
    fn left(method: TuningMethod, pattern: &str, pairs: u64, elo: f64) -> f64 {
        let parameters = select_parameters(pattern).unwrap();
        let runs = 4;
        let left: f64 = (1..=runs)
            .map(|seed| {
                let mut optimum = KnownOptimum::below(&parameters, elo, seed);
                let schedule = TuneSchedule::new(pairs, 8);
                let (report, _) = simulate(method, &parameters, &schedule, &mut optimum, seed);
                assert!((report.start + elo).abs() < 1e-6);
                report.result / report.start
            })
            .sum();
        left / runs as f64
    }

    #[test]
    fn spsa_finds_the_optimum_of_many_parameters() {
        let left = left(TuningMethod::Spsa, "lmr_*", 10_000, 80.0);
        assert!(left < 0.35, "{left}");
    }

    #[test]
    fn clop_finds_the_optimum_of_few_parameters() {
        let left = left(TuningMethod::Clop, "razor_*,rfp_slope", 2_000, 60.0);
        assert!(left < 0.35, "{left}");
    }

    #[test]
    fn local_search_climbs_step_by_step() {
        let left = left(TuningMethod::Local, "razor_*,rfp_slope", 5_000, 60.0);
        assert!(left < 0.5, "{left}");
    }

    #[test]
    fn where_nothing_is_to_be_gained_little_is_lost() {
        let parameters = select_parameters("razor_*,rfp_slope,hindsight_margin").unwrap();
        let mut optimum = KnownOptimum::below(&parameters, 60.0, 3);
        optimum.best = parameters.iter().map(|p| f64::from(p.start)).collect();
        for method in [TuningMethod::Spsa, TuningMethod::Local] {
            let schedule = TuneSchedule::new(3_000, 8);
            let (report, _) = simulate(method, &parameters, &schedule, &mut optimum, 5);
            assert!(report.result > -8.0, "{method}: {report:?}");
        }
    }

    #[test]
    fn a_run_that_goes_on_from_its_lines_ends_where_it_would_have_ended() {
        let parameters = select_parameters("razor_*").unwrap();
        for method in [TuningMethod::Spsa, TuningMethod::Local, TuningMethod::Clop] {
            let mut optimum = KnownOptimum::below(&parameters, 40.0, 2);
            let header = TuneHeader {
                method,
                parameters: parameters.clone(),
                schedule: TuneSchedule::new(200, 8),
                seed: 9,
                players: String::new(),
                openings: String::new(),
            };
            let mut whole = Tuning::new(header.clone());
            let mut lines = Vec::new();
            while let Ok(Some(line)) = whole.step(&mut optimum) {
                lines.push(line);
            }
            let mut second = Tuning::new(header);
            for line in &lines[..lines.len() / 2] {
                second.replay(line);
            }
            while let Ok(Some(line)) = second.step(&mut optimum) {
                assert_eq!(line, lines[line.iteration.number as usize]);
            }
            assert_eq!(second.result(), whole.result(), "{method}");
        }
    }
}
