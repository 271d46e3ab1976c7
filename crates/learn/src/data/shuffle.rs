//! Shuffling files larger than memory.
//!
//! Records are dealt at random to as many temporary piles as are needed for one pile to fit into
//! memory; then pile after pile is shuffled and written. Every order is equally likely.

use super::record::DataRecord;
use super::sink::DataWriter;
use super::source::{DataError, DataReader};
use fastrand::Rng;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What is shuffled, and how.
#[derive(Clone, Debug)]
pub struct Shuffle {
    /// The files.
    pub inputs: Vec<PathBuf>,
    /// Decides the order.
    pub seed: u64,
    /// How many records are held in memory at most.
    pub memory: u64,
}

/// Writes the records of all inputs in random order; how many there were. `tell` is told now and
/// then how many were read.
///
/// # Errors
/// If a file cannot be read or written. Then nothing is written.
pub fn shuffle(plan: &Shuffle, output: &Path, tell: &mut dyn FnMut(u64)) -> Result<u64, DataError> {
    let mut rng = Rng::with_seed(plan.seed);
    let mut writer = DataWriter::create(output)?;
    let counted: Option<u64> = plan.inputs.iter().map(|path| DataReader::count(path)).sum();
    // Formats that do not tell their count pack a position into three bytes at least.
    let guess = || plan.inputs.iter().filter_map(|path| path.metadata().ok());
    let total = counted.unwrap_or_else(|| guess().map(|data| data.len() / 3).sum());
    let piles = total / plan.memory.max(1) + 1;
    let folder = output.parent().filter(|path| !path.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut files = Vec::new();
    for _ in 0..piles {
        let file = tempfile::tempfile_in(folder).map_err(DataError::file(folder))?;
        files.push(BufWriter::with_capacity(1 << 16, file));
    }
    let mut read = 0;
    for path in &plan.inputs {
        for record in DataReader::open(path)? {
            let pile = &mut files[rng.usize(..piles as usize)];
            pile.write_all(&record?.0)
                .map_err(DataError::file(folder))?;
            read += 1;
            if read % 65_536 == 0 {
                tell(read);
            }
        }
    }
    for pile in files {
        let mut file = pile
            .into_inner()
            .map_err(|error| DataError::file(folder)(error.into_error()))?;
        file.seek(SeekFrom::Start(0))
            .map_err(DataError::file(folder))?;
        let mut bytes = Vec::new();
        BufReader::new(file)
            .read_to_end(&mut bytes)
            .map_err(DataError::file(folder))?;
        let (records, _) = bytes.as_chunks_mut::<{ DataRecord::SIZE }>();
        rng.shuffle(records);
        for record in records {
            writer.write(&DataRecord(*record))?;
        }
    }
    tell(read);
    writer.finish()
}
