//! Confident local optimization (after CLOP, Rémi Coulom 2011): a quadratic model of the winning
//! chance, fitted where it is high, for few parameters.
//!
//! Points are drawn at random, each plays against the values of the start, and a quadratic function
//! is fitted to all results. A point that is surely worse than the average counts less, so that the
//! model need only be right near the optimum, and new points are drawn where they count. Coulom keeps
//! the weights of all earlier models; here they follow from the last one.

use super::optimizer::{Optimizer, ParameterEstimate};
use super::parameter::TunedParameter;
use super::quadratic::{MeasuredPoint, Quadratic, QuadraticFit};
use super::trial::PairOutcome;

/// How many errors below the average a point may be before it counts less.
const CONFIDENCE: f64 = 3.0;
/// How often weights and model are made to agree.
const ROUNDS: usize = 4;
/// How many random steps lead to the next point.
const WALK: usize = 60;
/// How many models are drawn to see how far the optimum may be away.
const DRAWS: usize = 60;

/// CLOP.
pub(super) struct Clop {
    parameters: Vec<TunedParameter>,
    samples: Vec<MeasuredPoint>,
    /// The model of the samples so far, until there are more.
    model: Option<Weighted>,
}

/// A model with what decides how much points count.
struct Weighted {
    fit: QuadraticFit,
    /// The log-odds that the weighted points have on average, and their error.
    average: f64,
    error: f64,
    /// Where the weighted points lie on average.
    mean: Vec<f64>,
}

impl Weighted {
    fn weight(&self, at: &[f64]) -> f64 {
        let above = self.fit.model.value(at) - self.average;
        (above / (CONFIDENCE * self.error)).exp().min(1.0)
    }
}

impl Clop {
    pub(super) fn new(parameters: &[TunedParameter]) -> Self {
        Self {
            parameters: parameters.to_vec(),
            samples: Vec::new(),
            model: None,
        }
    }

    /// A point of the cube from −1 to 1 as values of the parameters.
    fn values(&self, at: &[f64]) -> Vec<f64> {
        let all = self.parameters.iter().zip(at);
        let value = |(p, x): (&TunedParameter, &f64)| {
            let (least, most) = (f64::from(p.least), f64::from(p.most));
            p.clamped(f64::midpoint(least, most) + x * (most - least) / 2.0)
        };
        all.map(value).collect()
    }

    fn point(&self, values: &[i32]) -> Vec<f64> {
        let all = self.parameters.iter().zip(values);
        let coordinate = |(p, &value): (&TunedParameter, &i32)| {
            let (least, most) = (f64::from(p.least), f64::from(p.most));
            (2.0 * f64::from(value) - least - most) / (most - least)
        };
        all.map(coordinate).collect()
    }

    fn start(&self) -> Vec<i32> {
        self.parameters.iter().map(|p| p.start).collect()
    }

    fn model(&mut self) -> Option<&Weighted> {
        if self.model.is_none() {
            self.model = self.fit();
        }
        self.model.as_ref()
    }

    fn fit(&self) -> Option<Weighted> {
        let dimensions = self.parameters.len();
        if self.samples.len() < 2 * Quadratic::size(dimensions) {
            return None;
        }
        let mut weights = vec![1.0; self.samples.len()];
        let mut found = None;
        for _ in 0..ROUNDS {
            let fit = Quadratic::fit(dimensions, &self.samples, &weights)?;
            let weighted = self.weigh(fit, &weights);
            weights = self
                .samples
                .iter()
                .map(|s| weighted.weight(&s.at))
                .collect();
            found = Some(weighted);
        }
        found
    }

    fn weigh(&self, fit: QuadraticFit, weights: &[f64]) -> Weighted {
        let total: f64 = weights.iter().sum();
        let all = || self.samples.iter().zip(weights);
        // A game won and one lost beside the others keep the odds finite.
        let won: f64 = all().map(|(sample, w)| sample.score * w).sum();
        let chance = (won + 0.5) / (total + 1.0);
        let mut mean = vec![0.0; self.parameters.len()];
        for (sample, w) in all() {
            for (sum, x) in mean.iter_mut().zip(&sample.at) {
                *sum += x * w / total;
            }
        }
        Weighted {
            fit,
            average: (chance / (1.0 - chance)).ln(),
            error: 1.0 / (2.0 * total * chance * (1.0 - chance)).sqrt(),
            mean,
        }
    }

    /// A point drawn with a chance that grows with its weight (Metropolis and others 1953).
    fn draw(&mut self, rng: &mut fastrand::Rng) -> Vec<f64> {
        let uniform = |rng: &mut fastrand::Rng| 2.0 * rng.f64() - 1.0;
        let dimensions = self.parameters.len();
        let Some(model) = self.model() else {
            return (0..dimensions).map(|_| uniform(rng)).collect();
        };
        let mut at = model.mean.clone();
        let mut weight = model.weight(&at);
        for step in 0..WALK * dimensions {
            let n = step % dimensions;
            let before = std::mem::replace(&mut at[n], uniform(rng));
            let new = model.weight(&at);
            if rng.f64() * weight < new {
                weight = new;
            } else {
                at[n] = before;
            }
        }
        at
    }
}

impl Optimizer for Clop {
    fn ask(&mut self, rng: &mut fastrand::Rng) -> [Vec<i32>; 2] {
        let at = self.draw(rng);
        let values = self.values(&at);
        let all = self.parameters.iter().zip(values);
        let plus = all.map(|(p, value)| p.rounded(value, rng)).collect();
        [plus, self.start()]
    }

    fn tell(&mut self, outcomes: &[([&[i32]; 2], PairOutcome)]) {
        for ([plus, _], outcome) in outcomes {
            self.samples.push(MeasuredPoint {
                at: self.point(plus),
                score: (outcome.difference() + 2.0) / 4.0,
            });
        }
        self.model = None;
    }

    fn center(&mut self) -> Vec<f64> {
        let best = self.model().map(|model| model.fit.model.climb(&model.mean));
        match best {
            Some(best) => self.values(&best),
            None => self.start().into_iter().map(f64::from).collect(),
        }
    }

    fn estimates(&mut self) -> Vec<ParameterEstimate> {
        let start = self.start();
        let Some(model) = self.model() else {
            let alone = |&value: &i32| ParameterEstimate {
                value: f64::from(value),
                error: None,
                slope: None,
            };
            return start.iter().map(alone).collect();
        };
        let mut rng = fastrand::Rng::with_seed(1);
        let best = model.fit.model.climb(&model.mean);
        let tops: Vec<Vec<f64>> = (0..DRAWS)
            .map(|_| {
                let other = model.fit.model.perturbed(&model.fit.certainty, &mut rng);
                other.climb(&best)
            })
            .collect();
        let values = self.values(&best);
        let all = self.parameters.iter().enumerate().zip(values);
        let estimate = |((n, p), value): ((usize, &TunedParameter), f64)| {
            let half = (f64::from(p.most) - f64::from(p.least)) / 2.0;
            let square = |top: &Vec<f64>| (top[n] - best[n]).powi(2);
            let spread = (tops.iter().map(square).sum::<f64>() / DRAWS as f64).sqrt();
            ParameterEstimate {
                value,
                error: Some(1.96 * half * spread),
                slope: None,
            }
        };
        all.map(estimate).collect()
    }
}
