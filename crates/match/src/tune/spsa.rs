//! Simultaneous perturbation stochastic approximation (SPSA, Spall 1992).
//!
//! Every parameter goes up or down by chance, all at once, and the two players that differ so much
//! meet. If one wins, every parameter moves a little towards its side: what does not matter walks at
//! random, what matters drifts. How gains and perturbations shrink is Spall's advice (1998); steps
//! and rates that are told by their values at the end are fishtest's way of asking for them.

use super::optimizer::{Optimizer, ParameterEstimate, TuneSchedule};
use super::parameter::TunedParameter;
use super::trial::PairOutcome;

/// How fast gains and perturbations shrink.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of the run after which gains begin to shrink in earnest.
const STABILITY: f64 = 0.1;
/// What wins less losses of a pair mean in Elo, near even.
const ELO_PER_DIFFERENCE: f64 = 400.0 / std::f64::consts::LN_10;
/// The share of the path, at its end, whose mean is the result.
const TAIL: f64 = 0.3;

/// SPSA.
pub(super) struct Spsa {
    parameters: Vec<TunedParameter>,
    schedule: TuneSchedule,
    values: Vec<f64>,
    /// How many pairs were heard of.
    pairs: u64,
    /// The values after each iteration.
    path: Vec<Vec<f64>>,
    slopes: Vec<SlopeSums>,
}

/// What results say about one parameter, older ones counting less.
#[derive(Clone, Copy, Default)]
struct SlopeSums {
    /// Sums of products: result and change, change and change, both squared.
    cross: f64,
    square: f64,
    noise: f64,
}

impl Spsa {
    pub(super) fn new(parameters: &[TunedParameter], schedule: &TuneSchedule) -> Self {
        Self {
            values: parameters.iter().map(|p| f64::from(p.start)).collect(),
            slopes: vec![SlopeSums::default(); parameters.len()],
            parameters: parameters.to_vec(),
            schedule: *schedule,
            pairs: 0,
            path: Vec::new(),
        }
    }

    /// How much wider than at the end parameters are changed now.
    fn width(&self) -> f64 {
        let share = self.schedule.pairs as f64 / (self.pairs + 1) as f64;
        // The first trials of a long run would be far too wide.
        share.max(1.0).powf(GAMMA).min(2.0)
    }

    /// By which share of its change a pair moves a parameter now.
    fn rate(&self) -> f64 {
        let all = self.schedule.pairs as f64;
        let now = STABILITY * all + self.pairs as f64 + 1.0;
        let end = (STABILITY + 1.0) * all;
        let gain = (end / now).max(1.0).powf(ALPHA);
        self.schedule.rate * gain / self.width().powi(2)
    }

    fn learn(&mut self, [plus, minus]: [&[i32]; 2], difference: f64, rate: f64) {
        // A pair of long ago tells little of the place where the values are now.
        let fade = 1.0 - 2.0 / self.schedule.pairs.max(2) as f64;
        for (n, parameter) in self.parameters.iter().enumerate() {
            let change = f64::from(plus[n] - minus[n]) / 2.0;
            self.values[n] = parameter.clamped(self.values[n] + rate * difference * change);
            let (sums, steps) = (&mut self.slopes[n], 2.0 * change / parameter.step);
            sums.cross = sums.cross * fade + difference * steps;
            sums.square = sums.square * fade + steps * steps;
            sums.noise = sums.noise * fade * fade + (difference * steps).powi(2);
        }
    }
}

impl SlopeSums {
    /// Elo per step, and its error.
    fn slope(&self) -> Option<(f64, f64)> {
        (self.square > 0.0).then(|| {
            let error = 1.96 * self.noise.sqrt() / self.square;
            (
                ELO_PER_DIFFERENCE * self.cross / self.square,
                ELO_PER_DIFFERENCE * error,
            )
        })
    }
}

impl Optimizer for Spsa {
    fn ask(&mut self, rng: &mut fastrand::Rng) -> [Vec<i32>; 2] {
        let width = self.width();
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let side = if rng.bool() { 1.0 } else { -1.0 };
            let change = side * parameter.step * width;
            plus.push(parameter.rounded(value + change, rng));
            minus.push(parameter.rounded(value - change, rng));
        }
        [plus, minus]
    }

    fn tell(&mut self, outcomes: &[([&[i32]; 2], PairOutcome)]) {
        let rate = self.rate();
        for &(values, outcome) in outcomes {
            self.learn(values, outcome.difference(), rate);
            self.pairs += 1;
        }
        self.path.push(self.values.clone());
    }

    fn center(&mut self) -> Vec<f64> {
        self.values.clone()
    }

    /// The mean over the end of the path, which is steadier than its last point (Polyak and Juditsky
    /// 1992), and how far the path strayed from it.
    fn estimates(&mut self) -> Vec<ParameterEstimate> {
        let tail = ((self.path.len() as f64 * TAIL).ceil() as usize).max(1);
        let tail = &self.path[self.path.len().saturating_sub(tail)..];
        let count = tail.len() as f64;
        let estimate = |n: usize| {
            if tail.is_empty() {
                return (self.values[n], None);
            }
            let mean = tail.iter().map(|values| values[n]).sum::<f64>() / count;
            let square = |values: &Vec<f64>| (values[n] - mean).powi(2);
            let spread = (tail.iter().map(square).sum::<f64>() / count).sqrt();
            (mean, Some(1.96 * spread).filter(|_| tail.len() > 9))
        };
        let all = self.slopes.iter().enumerate().map(|(n, sums)| {
            let (value, error) = estimate(n);
            let slope = sums.slope();
            ParameterEstimate {
                value,
                error,
                slope,
            }
        });
        all.collect()
    }
}
