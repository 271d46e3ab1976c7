//! What the results of a match say about strength.

use pyo3::prelude::*;
use tesuji_match::score::MatchStats;
use tesuji_match::sprt::{Decision, Sprt};

/// The difference in Elo, the ends of the interval around it that holds the truth with 95 %
/// probability, and the likelihood of superiority; `None` with fewer than two games.
type Strength = Option<(f64, f64, f64, Option<f64>)>;

/// How much stronger the first player is. `pairs` counts pairs of games by points (0 to 2 in
/// halves), if games were played in pairs.
#[pyfunction]
#[pyo3(signature = (wins, draws, losses, pairs=[0; 5]))]
fn elo(wins: u64, draws: u64, losses: u64, pairs: [u64; 5]) -> Strength {
    let stats = MatchStats {
        wins,
        draws,
        losses,
        pairs,
    };
    let elo = stats.elo()?;
    Some((elo.value, elo.low, elo.high, stats.los()))
}

/// The log-likelihood ratio of a sequential test, and whether it decides: `accept`, `reject` or
/// `None`.
#[pyfunction]
#[pyo3(signature = (pairs, elo0=0.0, elo1=5.0, alpha=0.05, beta=0.05))]
fn sprt(
    py: Python<'_>,
    pairs: [u64; 5],
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
) -> (f64, Option<&'static str>) {
    let test = Sprt {
        elo0,
        elo1,
        alpha,
        beta,
    };
    py.detach(|| {
        let decision = match test.decide(&pairs) {
            Decision::Accept => Some("accept"),
            Decision::Reject => Some("reject"),
            Decision::GoOn => None,
        };
        (test.llr(&pairs), decision)
    })
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(elo, module)?)?;
    module.add_function(wrap_pyfunction!(sprt, module)?)
}
