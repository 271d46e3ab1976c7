//! A training of a network on disk: plan, parameters, moments, and how far it has come.

use super::averaging::Average;
use super::plan::Plan;
use crate::training::checkpoint::{self, CheckpointError};
use serde::{Deserialize, Serialize};
use std::path::Path;

const LETTERS: &[u8; 8] = b"TESUJITR";

/// Where a training stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TrainingState {
    /// How many steps are done.
    pub(super) step: u64,
    /// What the losses since the last line of the log add up to, and of how many samples.
    pub(super) pending: (f64, u64),
    /// Seconds of work so far.
    pub(super) seconds: f64,
    pub(super) parameters: Vec<f32>,
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
    pub(super) average: Average,
}

#[derive(Serialize, Deserialize)]
struct NnueCheckpointHeader {
    plan: Plan,
    /// How many samples there were to learn from.
    samples: usize,
    step: u64,
    pending: (f64, u64),
    seconds: f64,
    parameters: usize,
    averaged: u32,
}

/// Writes a checkpoint.
pub(super) fn write(
    path: &Path,
    plan: &Plan,
    samples: usize,
    state: &TrainingState,
) -> Result<(), CheckpointError> {
    let header = NnueCheckpointHeader {
        plan: plan.clone(),
        samples,
        step: state.step,
        pending: state.pending,
        seconds: state.seconds,
        parameters: state.parameters.len(),
        averaged: state.average.count,
    };
    let parts = [
        &state.parameters,
        &state.mean,
        &state.square,
        &state.average.sums,
    ];
    checkpoint::write(path, LETTERS, &header, |out| {
        parts
            .into_iter()
            .try_for_each(|numbers| out.numbers(numbers))
    })
}

/// Reads the checkpoint of a plan, if there is one.
pub(super) fn read(
    path: &Path,
    plan: &Plan,
    samples: usize,
) -> Result<Option<TrainingState>, CheckpointError> {
    let Some(checkpoint) = checkpoint::read::<NnueCheckpointHeader>(path, LETTERS)? else {
        return Ok(None);
    };
    let header = &checkpoint.header;
    checkpoint::require_same(path, (&header.plan, header.samples), (plan, samples))?;
    let numbers = checkpoint.words();
    let count = header.parameters;
    let parts = if header.averaged > 0 { 4 } else { 3 };
    if count.checked_mul(parts) != Some(numbers.len()) {
        let what = "its length is not that of its parameters";
        return Err(CheckpointError::damaged(path, what));
    }
    let mut parts = numbers.chunks(count.max(1)).map(|part| {
        part.iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect::<Vec<f32>>()
    });
    let mut next = || parts.next().unwrap_or_default();
    Ok(Some(TrainingState {
        step: header.step,
        pending: header.pending,
        seconds: header.seconds,
        parameters: next(),
        mean: next(),
        square: next(),
        average: Average {
            sums: next(),
            count: header.averaged,
        },
    }))
}
