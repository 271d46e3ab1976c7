//! A quadratic model of winning chances: logistic regression on a point, its squares and products.

use super::linear::Cholesky;

/// How much is known before anything is: a large coefficient is unlikely. It keeps a model of few
/// results from seeing mountains.
const PRIOR_PRECISION: f64 = 0.02;
/// Newton's method needs no more steps.
const NEWTON_STEPS: usize = 12;

/// A result at a point of the cube from −1 to 1.
#[derive(Clone, Debug)]
pub(super) struct MeasuredPoint {
    pub(super) at: Vec<f64>,
    /// The share of the points that was won.
    pub(super) score: f64,
}

/// Log-odds of winning as a quadratic function of the point.
#[derive(Clone, Debug)]
pub(super) struct Quadratic {
    dimensions: usize,
    coefficients: Vec<f64>,
}

/// A model that fits, and how well it is known.
pub(super) struct QuadraticFit {
    pub(super) model: Quadratic,
    pub(super) certainty: Cholesky,
}

/// What a point contributes: one, itself, squares and products.
fn features(at: &[f64]) -> Vec<f64> {
    let mut all = vec![1.0];
    all.extend(at);
    for (i, x) in at.iter().enumerate() {
        all.extend(at[..=i].iter().map(|y| x * y));
    }
    all
}

impl Quadratic {
    pub(super) const fn new(dimensions: usize, coefficients: Vec<f64>) -> Self {
        Self {
            dimensions,
            coefficients,
        }
    }

    pub(super) fn size(dimensions: usize) -> usize {
        1 + dimensions + dimensions * (dimensions + 1) / 2
    }

    pub(super) fn value(&self, at: &[f64]) -> f64 {
        let terms = features(at).into_iter().zip(&self.coefficients);
        terms.map(|(x, c)| x * c).sum()
    }

    /// The best point of the cube, climbed to from another one coordinate after the other.
    pub(super) fn climb(&self, from: &[f64]) -> Vec<f64> {
        let mut at = from.to_vec();
        for _ in 0..40 {
            for n in 0..self.dimensions {
                at[n] = self.best_coordinate(&at, n);
            }
        }
        at
    }

    /// The best place on a line: the top of a parabola, or an end.
    fn best_coordinate(&self, at: &[f64], n: usize) -> f64 {
        let mut point = at.to_vec();
        let mut value = |x: f64| {
            point[n] = x;
            self.value(&point)
        };
        let [low, middle, high] = [-1.0, 0.0, 1.0].map(&mut value);
        let (slope, bend) = ((high - low) / 2.0, (high + low) / 2.0 - middle);
        let top = if bend < 0.0 {
            (-slope / (2.0 * bend)).clamp(-1.0, 1.0)
        } else {
            slope.signum()
        };
        [at[n], top]
            .into_iter()
            .max_by(|&a, &b| value(a).total_cmp(&value(b)))
            .unwrap_or(top)
    }

    /// The model that makes weighted results likeliest.
    pub(super) fn fit(
        dimensions: usize,
        samples: &[MeasuredPoint],
        weights: &[f64],
    ) -> Option<QuadraticFit> {
        let size = Self::size(dimensions);
        let rows: Vec<Vec<f64>> = samples.iter().map(|sample| features(&sample.at)).collect();
        let mut model = Self::new(dimensions, vec![0.0; size]);
        let mut certainty = None;
        for _ in 0..NEWTON_STEPS {
            let (gradient, hessian) = model.derivatives(&rows, samples, weights);
            let factor = Cholesky::new(&hessian, size)?;
            let step = factor.solve(&gradient);
            let largest = step.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            let scale = (2.0 / largest.max(1e-300)).min(1.0);
            for (c, step) in model.coefficients.iter_mut().zip(step) {
                *c += scale * step;
            }
            certainty = Some(factor);
            if largest < 1e-7 {
                break;
            }
        }
        certainty.map(|certainty| QuadraticFit { model, certainty })
    }

    /// The gradient of the log-likelihood and the negative of its second derivatives.
    fn derivatives(
        &self,
        rows: &[Vec<f64>],
        samples: &[MeasuredPoint],
        weights: &[f64],
    ) -> (Vec<f64>, Vec<f64>) {
        let size = self.coefficients.len();
        let mut gradient: Vec<f64> = self
            .coefficients
            .iter()
            .map(|c| -PRIOR_PRECISION * c)
            .collect();
        let mut hessian = vec![0.0; size * size];
        for n in 0..size {
            hessian[n * size + n] = PRIOR_PRECISION;
        }
        for ((row, sample), &weight) in rows.iter().zip(samples).zip(weights) {
            let log_odds: f64 = row.iter().zip(&self.coefficients).map(|(x, c)| x * c).sum();
            let chance = 1.0 / (1.0 + (-log_odds).exp());
            // A sample is a pair of games.
            let (error, bend) = (
                2.0 * weight * (sample.score - chance),
                2.0 * weight * chance * (1.0 - chance),
            );
            for (i, x) in row.iter().enumerate() {
                gradient[i] += error * x;
                for (j, y) in row[..=i].iter().enumerate() {
                    hessian[i * size + j] += bend * x * y;
                }
            }
        }
        for i in 0..size {
            for j in 0..i {
                hessian[j * size + i] = hessian[i * size + j];
            }
        }
        (gradient, hessian)
    }

    /// Another model that would fit about as well, by chance.
    pub(super) fn perturbed(&self, certainty: &Cholesky, rng: &mut fastrand::Rng) -> Self {
        let noise = (0..self.coefficients.len()).map(|_| normal(rng)).collect();
        let noise = certainty.correlated(noise);
        let coefficients = self.coefficients.iter().zip(noise).map(|(c, e)| c + e);
        Self::new(self.dimensions, coefficients.collect())
    }
}

/// A normally distributed number (Box and Muller 1958).
pub(super) fn normal(rng: &mut fastrand::Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_again_from_its_results() {
        let truth = Quadratic::new(2, vec![0.3, 0.8, -0.4, -1.0, 0.3, -0.7]);
        let mut rng = fastrand::Rng::with_seed(7);
        let samples: Vec<MeasuredPoint> = (0..20_000)
            .map(|_| {
                let at = vec![2.0 * rng.f64() - 1.0, 2.0 * rng.f64() - 1.0];
                let chance = 1.0 / (1.0 + (-truth.value(&at)).exp());
                let won = |rng: &mut fastrand::Rng| f64::from(u8::from(rng.f64() < chance));
                let score = f64::midpoint(won(&mut rng), won(&mut rng));
                MeasuredPoint { at, score }
            })
            .collect();
        let fit = Quadratic::fit(2, &samples, &vec![1.0; samples.len()]).unwrap();
        for (found, true_one) in fit.model.coefficients.iter().zip(&truth.coefficients) {
            assert!((found - true_one).abs() < 0.1, "{found} {true_one}");
        }
        let top = fit.model.climb(&[0.0, 0.0]);
        let best = truth.climb(&[0.0, 0.0]);
        assert!((top[0] - best[0]).abs() + (top[1] - best[1]).abs() < 0.15);
    }
}
