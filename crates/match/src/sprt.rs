//! When a match has shown enough: the sequential probability ratio test (Wald 1945), generalised to
//! pairs of games by likelihoods that are as large as the hypothesis allows (Van den Bergh 2017).

use crate::score::score_of;
use serde::{Deserialize, Serialize};

/// Two hypotheses about a difference in Elo, and how often a wrong one may be accepted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference if the change is worth nothing.
    pub elo0: f64,
    /// The difference if it is worth something.
    pub elo1: f64,
    /// How often `elo1` may be accepted though `elo0` is true.
    pub alpha: f64,
    /// How often `elo0` may be accepted though `elo1` is true.
    pub beta: f64,
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The first hypothesis holds.
    Reject,
    /// The second hypothesis holds.
    Accept,
    /// More games are needed.
    GoOn,
}

impl Sprt {
    /// Below the first the test rejects, above the second it accepts.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log-likelihood ratio (LLR): the logarithm of how much likelier pairs with these points (0, ½, 1, 1½, 2) are under the
    /// second hypothesis than under the first.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        let all: u64 = pairs.iter().sum();
        if all == 0 {
            return 0.0;
        }
        // What never happened may happen yet.
        let counts = pairs.map(|count| (count as f64).max(1e-3));
        let sum: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / sum);
        let under0 = likeliest(&seen, score_of(self.elo0));
        let under1 = likeliest(&seen, score_of(self.elo1));
        let terms = seen.iter().zip(under0.iter().zip(under1));
        sum * terms.map(|(p, (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }

    /// What the pairs so far decide.
    pub fn decide(&self, pairs: &[u64; 5]) -> Decision {
        let (lower, upper) = self.bounds();
        match self.llr(pairs) {
            llr if llr >= upper => Decision::Accept,
            llr if llr <= lower => Decision::Reject,
            _ => Decision::GoOn,
        }
    }
}

/// The distribution with a given mean that makes what was seen likeliest.
fn likeliest(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    let away = [0.0, 0.25, 0.5, 0.75, 1.0].map(|points: f64| points - mean);
    // It has the form p / (1 + x·away); its mean falls with x, and x is found by halving.
    let excess = |x: f64| -> f64 {
        let terms = seen.iter().zip(away);
        terms.map(|(p, away)| p * away / (1.0 + x * away)).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|i| seen[i] / (1.0 + x * away[i]))
}

#[cfg(test)]
mod tests;
