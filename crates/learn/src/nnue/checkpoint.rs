//! A training on disk: plan, parameters, moments, and how far it has come.
//!
//! Everything that is left to chance is drawn anew from the seed and the number of the epoch, so
//! that nothing else need be kept. The file is written under another name and renamed, and ends with
//! a checksum.

use super::averaging::Average;
use super::plan::Plan;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tesuji_record::file::NewFile;

const MAGIC: &[u8; 8] = b"TESUJITR";

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
struct Header {
    plan: Plan,
    /// How many samples there were to learn from.
    samples: usize,
    step: u64,
    pending: (f64, u64),
    seconds: f64,
    parameters: usize,
    averaged: u32,
}

/// Why a training cannot go on from a checkpoint, or cannot write one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file cannot be written. What was there before is still there.
    #[error("{}: cannot write it: {source}; what was there before is still there", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file is no checkpoint, or a damaged one.
    #[error("{}: no whole checkpoint of this program: {what}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// In what way.
        what: &'static str,
    },
    /// The checkpoint belongs to another training.
    #[error(
        "{}: the training there was begun with {setting} {theirs}, not {ours}: go on with the same \
         settings, choose another folder, or begin anew with --restart",
        path.display()
    )]
    Differs {
        /// Which.
        path: PathBuf,
        /// In which setting.
        setting: String,
        /// What it has.
        theirs: String,
        /// What was asked for.
        ours: String,
    },
}

/// Mixes words of four bytes into a number that changes with each of them (after Fowler, Noll and Vo
/// 1991).
#[derive(Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        // Everything that is written is whole words.
        let (words, _) = bytes.as_chunks::<4>();
        for word in words {
            let mixed = self.0 ^ u64::from(u32::from_le_bytes(*word));
            self.0 = mixed.wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
        }
    }
}

struct Summed<W> {
    out: W,
    sum: Checksum,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.out.write_all(bytes)
    }

    fn numbers(&mut self, numbers: &[f32]) -> io::Result<()> {
        for part in numbers.chunks(65_536) {
            let bytes: Vec<u8> = part.iter().flat_map(|n| n.to_le_bytes()).collect();
            self.put(&bytes)?;
        }
        Ok(())
    }
}

/// Writes a checkpoint.
pub(super) fn write(
    path: &Path,
    plan: &Plan,
    samples: usize,
    state: &TrainingState,
) -> Result<(), CheckpointError> {
    let header = Header {
        plan: plan.clone(),
        samples,
        step: state.step,
        pending: state.pending,
        seconds: state.seconds,
        parameters: state.parameters.len(),
        averaged: state.average.count,
    };
    let write = || -> io::Result<()> {
        let mut header = serde_json::to_vec(&header)?;
        header.resize(header.len().next_multiple_of(4), b' ');
        let mut out = Summed {
            out: NewFile::create(path)?,
            sum: Checksum::new(),
        };
        out.put(MAGIC)?;
        out.put(&(header.len() as u64).to_le_bytes())?;
        out.put(&header)?;
        for numbers in [
            &state.parameters,
            &state.mean,
            &state.square,
            &state.average.sums,
        ] {
            out.numbers(numbers)?;
        }
        let sum = out.sum.0.to_le_bytes();
        out.out.write_all(&sum)?;
        out.out.keep()
    };
    write().map_err(|source| CheckpointError::Write {
        path: path.into(),
        source,
    })
}

/// Reads the checkpoint of a plan, if there is one.
pub(super) fn read(
    path: &Path,
    plan: &Plan,
    samples: usize,
) -> Result<Option<TrainingState>, CheckpointError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            let path = path.into();
            return Err(CheckpointError::Read { path, source });
        }
    };
    let damaged = |what| CheckpointError::Damaged {
        path: path.into(),
        what,
    };
    let (body, sum) = bytes
        .split_last_chunk::<8>()
        .ok_or_else(|| damaged("it is too short"))?;
    let rest = body.strip_prefix(MAGIC);
    let rest = rest.ok_or_else(|| damaged("it begins with something else"))?;
    let mut expected = Checksum::new();
    expected.add(body);
    if !body.len().is_multiple_of(4) || expected.0 != u64::from_le_bytes(*sum) {
        return Err(damaged("its checksum is wrong"));
    }
    let short = || damaged("it is too short");
    let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (text, numbers) = rest.split_at_checked(length).ok_or_else(short)?;
    let header: Header =
        serde_json::from_slice(text).map_err(|_| damaged("its header cannot be read"))?;
    if let Some((setting, theirs, ours)) = header.plan.difference(plan) {
        return Err(CheckpointError::Differs {
            path: path.into(),
            setting,
            theirs,
            ours,
        });
    }
    if header.samples != samples {
        return Err(CheckpointError::Differs {
            path: path.into(),
            setting: "samples".into(),
            theirs: header.samples.to_string(),
            ours: samples.to_string(),
        });
    }
    let (numbers, _) = numbers.as_chunks::<4>();
    let count = header.parameters;
    let parts = if header.averaged > 0 { 4 } else { 3 };
    if count.checked_mul(parts) != Some(numbers.len()) {
        return Err(damaged("its length is not that of its parameters"));
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
