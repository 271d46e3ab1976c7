//! What is to be learnt: a winning probability mixed from score and result, and how far off a guess
//! is.
//!
//! Score and result are mixed as in Takizawa's elmo (2017); the scale of 600 is that of Yamamoto's
//! Ponanza.

use super::sample::TrainingSample;
use serde::{Deserialize, Serialize};

/// How the distance between a probability and its target is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The squared difference.
    #[default]
    SquaredError,
    /// The relative entropy: cross-entropy less what no guess could avoid.
    CrossEntropy,
}

/// What a network is trained towards.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The share of the score; the rest is the share of the result.
    pub lambda: f32,
    /// The score that stands for a winning probability of e to one.
    pub scale: f32,
    /// How far a guess is off.
    pub loss: Loss,
}

impl Default for Target {
    fn default() -> Self {
        Self {
            lambda: 0.9,
            scale: 600.0,
            loss: Loss::default(),
        }
    }
}

/// The logistic curve.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Target {
    /// The probability to be learnt.
    pub fn probability(&self, sample: &TrainingSample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / self.scale);
        let result = (f32::from(sample.result) + 1.0) / 2.0;
        self.lambda * score + (1.0 - self.lambda) * result
    }

    /// The loss of an output, in which the scale is one, and its derivative.
    pub(super) fn loss(&self, output: f32, sample: &TrainingSample) -> (f32, f32) {
        let guess = sigmoid(output + f32::from(sample.skip) / self.scale);
        let target = self.probability(sample);
        match self.loss {
            Loss::SquaredError => {
                let error = guess - target;
                (error * error, 2.0 * error * guess * (1.0 - guess))
            }
            Loss::CrossEntropy => (relative_entropy(target, guess), guess - target),
        }
    }
}

fn relative_entropy(target: f32, guess: f32) -> f32 {
    let guess = guess.clamp(1e-7, 1.0 - 1e-7);
    let part = |t: f32, g: f32| if t > 0.0 { t * (t / g).ln() } else { 0.0 };
    part(target, guess) + part(1.0 - target, 1.0 - guess)
}
