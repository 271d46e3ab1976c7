//! Whole games apart: some for training, some to validate with.
//!
//! Positions of one game are alike. A network that has learnt one of them knows the others, and a
//! validation set that shares games with the training set says nothing.

use super::record::DataRecord;
use super::sink::DataWriter;
use super::source::{DataError, DataReader};
use fastrand::Rng;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// How games are split.
#[derive(Clone, Debug)]
pub struct Split {
    /// The files, in the order in which games were played: not shuffled.
    pub inputs: Vec<PathBuf>,
    /// How many games of a thousand go to the second file.
    pub per_mille: u32,
    /// Decides which.
    pub seed: u64,
}

/// Writes the games to two files; how many records each got. A new game begins where the ply does
/// not grow.
///
/// # Errors
/// If a file cannot be read or written, or both outputs are one. Then neither is written.
pub fn split(plan: &Split, first: &Path, second: &Path) -> Result<(u64, u64), DataError> {
    if place(first) == place(second) {
        return Err(DataError::SameOutput(second.into()));
    }
    let mut rng = Rng::with_seed(plan.seed);
    let mut outputs = [DataWriter::create(first)?, DataWriter::create(second)?];
    for path in &plan.inputs {
        let (mut last_ply, mut chosen) = (u16::MAX, 0);
        for record in DataReader::open(path)? {
            let record: DataRecord = record?;
            if record.ply() <= last_ply {
                chosen = usize::from(rng.u32(..1000) < plan.per_mille);
            }
            last_ply = record.ply();
            outputs[chosen].write(&record)?;
        }
    }
    let [first, second] = outputs;
    Ok((first.finish()?, second.finish()?))
}

/// Where a file will lie, however its folder is written.
fn place(path: &Path) -> (PathBuf, Option<&OsStr>) {
    let folder = path.parent().filter(|path| !path.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.into());
    (folder, path.file_name())
}
