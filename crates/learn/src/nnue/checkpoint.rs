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

/// How far the training of a plan has come, by its checkpoint; nothing if there is none.
///
/// # Errors
/// If it cannot be read, is damaged, or belongs to another plan or number of samples.
pub fn checkpoint_step(
    path: &Path,
    plan: &Plan,
    samples: usize,
) -> Result<Option<u64>, CheckpointError> {
    Ok(read(path, plan, samples)?.map(|state| state.step))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkpoint on disk.
    fn written(path: &Path) -> TrainingState {
        let state = TrainingState {
            step: 3,
            pending: (0.5, 7),
            seconds: 2.0,
            parameters: vec![1.0; 9],
            mean: vec![2.0; 9],
            square: vec![3.0; 9],
            average: Average::default(),
        };
        write(path, &Plan::default(), 10, &state).unwrap();
        state
    }

    #[test]
    fn what_was_written_is_read_and_what_was_damaged_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        let plan = Plan::default();
        assert_eq!(checkpoint_step(&path, &plan, 10).unwrap(), None);
        let state = written(&path);
        assert_eq!(read(&path, &plan, 10).unwrap(), Some(state));
        assert!(checkpoint_step(&path, &plan, 11).is_err());
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(checkpoint_step(&path, &plan, 10).is_err(), "{length}");
        }
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x55;
            std::fs::write(&path, &bytes).unwrap();
            assert!(checkpoint_step(&path, &plan, 10).is_err(), "{place}");
        }
    }

    #[test]
    fn no_bytes_with_a_right_checksum_make_the_reader_panic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        written(&path);
        let whole = std::fs::read(&path).unwrap();
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..3000 {
            let mut bytes = whole[..rng.usize(16..=whole.len())].to_vec();
            for _ in 0..rng.usize(1..4) {
                let place = rng.usize(8..bytes.len());
                bytes[place] = match rng.bool() {
                    true => rng.u8(..),
                    false => b"0919e-,\"}"[rng.usize(..9)],
                };
            }
            checkpoint::seal(&mut bytes);
            std::fs::write(&path, &bytes).unwrap();
            let _ = checkpoint_step(&path, &Plan::default(), 10);
        }
    }
}
