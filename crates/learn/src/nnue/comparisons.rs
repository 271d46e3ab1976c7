//! Moves of strong players as a second thing to learn: the leaf behind the move that was played should be
//! worth more to the side that moved than the leaves behind its rivals (comparison training, Tesauro
//! 2001; Hoki's Bonanza, 2006).
//!
//! Positions with scores say how good a position is, and records of games say which of two is better,
//! where the scores of short searches cannot tell.

use super::batches::DrawnSample;
use super::dataset_error::DatasetError;
use super::plan::ComparisonPlan;
use super::sample::TrainingSample;
use super::skip_eval::SkipEval;
use crate::data::{DataError, DataReader, DataRecord};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;
use tesuji_eval::nnue::Skip;
use tesuji_record::samples::SampleProblem;

/// How many records are unpacked at a time.
const BLOCK: usize = 1 << 16;

/// Leaves, so many to a comparison, the chosen one first. Their result says whose turn it is: 1 for the
/// side that chose, -1 for the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparisons {
    leaves: Vec<TrainingSample>,
    size: usize,
    tested: usize,
}

/// What a network makes of comparisons.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct ComparisonTest {
    /// The mean loss.
    pub(super) loss: f64,
    /// In which share of them the chosen leaf is valued highest.
    pub(super) agreement: f64,
}

impl Comparisons {
    /// Reads a file of `tesuji data comparisons`; the last of them, `tested_share` of all, are only
    /// tested on.
    ///
    /// # Errors
    /// If it cannot be read or is no such file.
    pub fn load(path: &Path, skip: Skip, tested_share: f64) -> Result<Self, DatasetError> {
        let skip = SkipEval::new(skip);
        let records: Vec<DataRecord> = DataReader::open(path)?.collect::<Result<_, DataError>>()?;
        let size = records.iter().skip(1).position(|record| record.ply() == 0);
        let size = size.map_or(records.len(), |place| place + 1);
        let no_comparison = |number: usize| DatasetError::Comparison {
            path: path.into(),
            record: number as u64 + 1,
        };
        let unpacked = |number: usize, record: &DataRecord| {
            let wrong = |problem| DatasetError::Record {
                path: path.into(),
                record: number as u64 + 1,
                problem,
            };
            let place = number % size.max(1);
            if size < 2 || usize::from(record.ply()) != place {
                return Err(no_comparison(number));
            }
            let sample = record.unpack().map_err(wrong)?;
            let result = sample.result.ok_or(wrong(SampleProblem::NoResult))?;
            let result = result.for_side(sample.position.turn());
            if result == 0 {
                return Err(no_comparison(number));
            }
            Ok(TrainingSample {
                packed: *record.position_bytes(),
                score: record.score(),
                skip: skip.value(&sample.position),
                result,
            })
        };
        let leaves: Result<Vec<_>, _> = records
            .par_iter()
            .enumerate()
            .with_min_len(BLOCK / 64)
            .map(|(number, record)| unpacked(number, record))
            .collect();
        Self::of(leaves?, size, tested_share).ok_or_else(|| no_comparison(records.len()))
    }

    /// Leaves, `size` to a comparison.
    pub(super) fn of(leaves: Vec<TrainingSample>, size: usize, tested_share: f64) -> Option<Self> {
        let is_whole = size > 1 && leaves.len().is_multiple_of(size);
        let count = leaves.len() / size.max(1);
        is_whole.then(|| Self {
            tested: (count as f64 * tested_share).ceil() as usize,
            leaves,
            size,
        })
    }

    /// How many there are to learn from.
    pub fn len(&self) -> usize {
        self.leaves.len() / self.size.max(1) - self.tested
    }

    /// Whether there are none to learn from.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many leaves make a comparison.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The leaves that are only tested on.
    pub(super) fn tested(&self) -> &[TrainingSample] {
        &self.leaves[self.len() * self.size..]
    }

    /// The comparisons of a step, a list of leaves for each thread: in an epoch of `steps` each comes
    /// about once, in an order drawn from the seed.
    pub(super) fn batch(
        &self,
        step: u64,
        steps: u64,
        seed: u64,
        threads: usize,
    ) -> Vec<Vec<DrawnSample>> {
        let (epoch, place) = (step / steps, step % steps);
        let count = self.len() as u64;
        let Range { start, end } = place * count / steps..(place + 1) * count / steps;
        let mut rng = fastrand::Rng::with_seed(seed ^ step.wrapping_mul(0xd134_2543_de82_ef95));
        let order = Order::new(count, seed.wrapping_add(epoch));
        let drawn: Vec<u64> = (start..end).map(|place| order.at(place)).collect();
        let share = drawn.len().div_ceil(threads).max(1);
        let leaves_of = |numbers: &[u64]| {
            let mut leaves = Vec::with_capacity(numbers.len() * self.size);
            for &number in numbers {
                let is_mirrored = rng.bool();
                let first = number as usize * self.size;
                let group = &self.leaves[first..first + self.size];
                leaves.extend(group.iter().map(|leaf| (*leaf, is_mirrored)));
            }
            leaves
        };
        drawn.chunks(share).map(leaves_of).collect()
    }
}

/// A permutation that needs no memory: steps of a length that has no divisor in common with the count.
struct Order {
    count: u64,
    stride: u64,
    offset: u64,
}

impl Order {
    fn new(count: u64, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut stride = rng.u64(..) % count.max(1);
        while gcd(stride, count) != 1 {
            stride = (stride + 1) % count.max(1);
            if count <= 1 {
                break;
            }
        }
        Self {
            count,
            stride,
            offset: rng.u64(..) % count.max(1),
        }
    }

    fn at(&self, place: u64) -> u64 {
        let product = u128::from(place) * u128::from(self.stride) + u128::from(self.offset);
        (product % u128::from(self.count)) as u64
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl ComparisonPlan {
    /// What a leaf is worth to the side that chose, in temperatures.
    fn worth(&self, leaf: &TrainingSample, output: f32, scale: f32) -> f32 {
        f32::from(leaf.result) * (output * scale + f32::from(leaf.skip)) / self.temperature
    }

    /// The loss of a comparison, the negative logarithm of the chance of the chosen leaf; the outputs
    /// become what the loss changes with each.
    pub(super) fn loss(&self, leaves: &[DrawnSample], outputs: &mut [f32], scale: f32) -> f32 {
        for ((leaf, _), output) in leaves.iter().zip(&mut *outputs) {
            *output = self.worth(leaf, *output, scale);
        }
        let most = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = outputs.iter().map(|worth| (worth - most).exp()).sum();
        let loss = sum.ln() + most - outputs[0];
        for (place, ((leaf, _), output)) in leaves.iter().zip(&mut *outputs).enumerate() {
            let chance = (*output - most).exp() / sum;
            let chosen = if place == 0 { 1.0 } else { 0.0 };
            *output = (chance - chosen) * f32::from(leaf.result) * scale / self.temperature;
        }
        loss
    }

    /// What outputs make of comparisons of `size` leaves.
    pub(super) fn test(
        &self,
        leaves: &[TrainingSample],
        outputs: &[f32],
        size: usize,
        scale: f32,
    ) -> ComparisonTest {
        let mut test = ComparisonTest::default();
        for (leaves, outputs) in leaves.chunks(size).zip(outputs.chunks(size)) {
            let drawn: Vec<DrawnSample> = leaves.iter().map(|leaf| (*leaf, false)).collect();
            let mut slopes = outputs.to_vec();
            test.loss += f64::from(self.loss(&drawn, &mut slopes, scale));
            let worth = |place: usize| self.worth(&leaves[place], outputs[place], scale);
            if (1..leaves.len()).all(|rival| worth(rival) < worth(0)) {
                test.agreement += 1.0;
            }
        }
        let count = (leaves.len() / size.max(1)).max(1) as f64;
        test.loss /= count;
        test.agreement /= count;
        test
    }
}

#[cfg(test)]
mod tests;
