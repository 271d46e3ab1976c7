//! Counts how likely checks and answers are to end in mate, by what can be seen of them.
//!
//! Arguments: files with one problem per line, an SFEN and, after a tabulator, whatever. Each is
//! searched for a while; every move met on the way is a training sample: it mated, or it did not
//! although it was searched. Logistic regression then finds the rows of `src/log_odds.rs`, which
//! are printed.

use std::{env, error::Error, fs};
use tesuji_mate::{MateLimits, MoveFeatures, MoveOutcome, MoveSample, Solver};
use tesuji_shogi::Position;

/// How long a problem is searched, and how many of its moves are recorded.
const NODES: u64 = 400_000;
const SAMPLES: usize = 60_000;
/// A move that is undecided after two to this power positions did not mate.
const ENOUGH: u8 = 4;

const WEIGHTS: usize = 12 * 16;
const STEPS: usize = 400;
/// How strongly weights are drawn to zero, in samples.
const MODESTY: f64 = 10.0;
/// Entries in the program for one unit of the natural logarithm.
const UNIT: f64 = 16.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut samples = Vec::new();
    for name in env::args().skip(1) {
        for line in fs::read_to_string(&name)?.lines() {
            samples.extend(study(line));
        }
        eprintln!("{name}: {} samples so far", samples.len());
    }
    for (name, is_check) in [("CHECKS", true), ("ANSWERS", false)] {
        let sample: Vec<_> = samples
            .iter()
            .filter(|sample| sample.is_check == is_check)
            .filter_map(|sample| Some((sample.features, mated(sample.outcome)?)))
            .collect();
        print_rows(name, &fit(&sample));
    }
    Ok(())
}

/// The samples of one problem; none if the line has no position.
fn study(line: &str) -> Vec<MoveSample> {
    let sfen = line.split('\t').next().unwrap_or_default();
    let Ok(pos) = Position::from_sfen(sfen.trim_start_matches("sfen ")) else {
        return Vec::new();
    };
    let limits = MateLimits {
        nodes: Some(NODES),
        ..MateLimits::NONE
    };
    let mut solver = Solver::new(1 << 30).with_move_samples(SAMPLES);
    match solver.solve(&pos, pos.turn(), &limits, &mut ()) {
        Ok(_) => solver.move_samples(),
        Err(_) => Vec::new(),
    }
}

/// Whether a move mated; `None` if it was hardly looked at.
fn mated(outcome: MoveOutcome) -> Option<bool> {
    match outcome {
        MoveOutcome::Mate => Some(true),
        MoveOutcome::Escape => Some(false),
        MoveOutcome::Open(amount) => (amount >= ENOUGH).then_some(false),
    }
}

/// Weights, and the bias as the last: steepest descent with a step of its own for each (Adam).
fn fit(sample: &[(MoveFeatures, bool)]) -> Vec<f64> {
    let mut weights = vec![0.0; WEIGHTS + 1];
    let (mut mean, mut square) = (weights.clone(), weights.clone());
    let (mut fade, mut fade_square) = (1.0, 1.0);
    for _ in 0..STEPS {
        let slope = slope(sample, &weights);
        (fade, fade_square) = (fade * 0.9, fade_square * 0.99);
        for (i, slope) in slope.iter().enumerate() {
            mean[i] += 0.1 * (slope - mean[i]);
            square[i] += 0.01 * (slope * slope - square[i]);
            let spread = (square[i] / (1.0 - fade_square)).sqrt() + 1e-9;
            weights[i] -= 0.03 * mean[i] / (1.0 - fade) / spread;
        }
    }
    weights
}

/// In which direction the samples are predicted worse.
fn slope(sample: &[(MoveFeatures, bool)], weights: &[f64]) -> Vec<f64> {
    let mut slope: Vec<f64> = weights.iter().map(|weight| MODESTY * weight).collect();
    slope[WEIGHTS] = 0.0;
    for (features, mated) in sample {
        let index = |(i, &feature): (usize, &u8)| 16 * i + usize::from(feature & 15);
        let indices = features.iter().enumerate().map(index);
        let odds: f64 = indices.clone().map(|i| weights[i]).sum::<f64>() + weights[WEIGHTS];
        let error = 1.0 / (1.0 + (-odds).exp()) - f64::from(u8::from(*mated));
        for i in indices.chain([WEIGHTS]) {
            slope[i] += error;
        }
    }
    slope
}

fn print_rows(name: &str, weights: &[f64]) {
    let entry = |weight: &f64| (weight * UNIT).round().clamp(-127.0, 127.0);
    println!("{name}: bias {}", entry(&weights[WEIGHTS]));
    for row in weights[..WEIGHTS].chunks(16) {
        let row: Vec<_> = row.iter().map(|weight| entry(weight).to_string()).collect();
        println!("    [{}],", row.join(", "));
    }
}
