//! A training on disk, whatever is trained: a header that says what it is and how far it has come,
//! then numbers.
//!
//! Everything that is left to chance is drawn anew from the seed and the number of the pass, so that
//! nothing else need be kept. The file is written under another name and renamed, and ends with a
//! checksum.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tesuji_record::file::NewFile;

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

impl CheckpointError {
    /// A file that is no whole checkpoint.
    pub(crate) fn damaged(path: &Path, what: &'static str) -> Self {
        Self::Damaged {
            path: path.into(),
            what,
        }
    }
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

/// A checkpoint that is being written.
pub(crate) struct CheckpointWriter {
    out: NewFile,
    sum: Checksum,
}

impl CheckpointWriter {
    /// Appends bytes, whole words of four.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.out.write_all(bytes)
    }

    /// Appends numbers.
    pub(crate) fn numbers(&mut self, numbers: &[f32]) -> io::Result<()> {
        for part in numbers.chunks(65_536) {
            let bytes: Vec<u8> = part.iter().flat_map(|n| n.to_le_bytes()).collect();
            self.put(&bytes)?;
        }
        Ok(())
    }
}

/// Writes a checkpoint: the eight letters of its kind, a header, and what `fill` puts behind it.
pub(crate) fn write(
    path: &Path,
    letters: &[u8; 8],
    header: &impl Serialize,
    fill: impl FnOnce(&mut CheckpointWriter) -> io::Result<()>,
) -> Result<(), CheckpointError> {
    let write = || -> io::Result<()> {
        let mut header = serde_json::to_vec(header)?;
        header.resize(header.len().next_multiple_of(4), b' ');
        let mut out = CheckpointWriter {
            out: NewFile::create(path)?,
            sum: Checksum::new(),
        };
        out.put(letters)?;
        out.put(&(header.len() as u64).to_le_bytes())?;
        out.put(&header)?;
        fill(&mut out)?;
        let sum = out.sum.0.to_le_bytes();
        out.out.write_all(&sum)?;
        out.out.keep()
    };
    write().map_err(|source| CheckpointError::Write {
        path: path.into(),
        source,
    })
}

/// A checkpoint that was read: its header, and words of four bytes behind it.
pub(crate) struct ReadCheckpoint<H> {
    pub(crate) header: H,
    bytes: Vec<u8>,
    start: usize,
}

impl<H> ReadCheckpoint<H> {
    /// What lies behind the header.
    pub(crate) fn words(&self) -> &[[u8; 4]] {
        let end = self.bytes.len() - 8;
        self.bytes[self.start..end].as_chunks().0
    }
}

/// Reads the checkpoint of a kind, if there is one.
pub(crate) fn read<H: DeserializeOwned>(
    path: &Path,
    letters: &[u8; 8],
) -> Result<Option<ReadCheckpoint<H>>, CheckpointError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            let path = path.into();
            return Err(CheckpointError::Read { path, source });
        }
    };
    let damaged = |what| CheckpointError::damaged(path, what);
    let (body, sum) = bytes
        .split_last_chunk::<8>()
        .ok_or_else(|| damaged("it is too short"))?;
    let rest = body.strip_prefix(letters);
    let rest = rest.ok_or_else(|| damaged("it begins with something else"))?;
    let mut expected = Checksum::new();
    expected.add(body);
    // A fuzzer never guesses a checksum, and is to see what lies behind it.
    let is_sound = cfg!(fuzzing) || expected.0 == u64::from_le_bytes(*sum);
    if !body.len().is_multiple_of(4) || !is_sound {
        return Err(damaged("its checksum is wrong"));
    }
    let short = || damaged("it is too short");
    let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (text, _) = rest.split_at_checked(length).ok_or_else(short)?;
    let header = serde_json::from_slice(text).map_err(|_| damaged("its header cannot be read"))?;
    let start = 16 + length;
    Ok(Some(ReadCheckpoint {
        header,
        bytes,
        start,
    }))
}

/// Puts the right checksum at the end of bytes that a test has damaged.
#[cfg(test)]
pub(crate) fn seal(bytes: &mut [u8]) {
    if let Some((body, end)) = bytes.split_last_chunk_mut::<8>() {
        let mut sum = Checksum::new();
        sum.add(body);
        *end = sum.0.to_le_bytes();
    }
}

/// Sees that a checkpoint was made with the same settings and as many samples.
pub(crate) fn require_same<P: Serialize>(
    path: &Path,
    (plan, samples): (&P, usize),
    (asked_plan, asked_samples): (&P, usize),
) -> Result<(), CheckpointError> {
    let differs = |(setting, theirs, ours)| CheckpointError::Differs {
        path: path.into(),
        setting,
        theirs,
        ours,
    };
    if let Some(difference) = difference(plan, asked_plan) {
        return Err(differs(difference));
    }
    if samples != asked_samples {
        let numbers = (samples.to_string(), asked_samples.to_string());
        return Err(differs(("samples".into(), numbers.0, numbers.1)));
    }
    Ok(())
}

/// The first setting in which two plans differ, with both values.
fn difference<P: Serialize>(one: &P, other: &P) -> Option<(String, String, String)> {
    let value = |plan: &P| serde_json::to_value(plan).unwrap_or_default();
    let (mine, others) = (value(one), value(other));
    let keys = mine.as_object()?.keys();
    let mut differing = keys.filter(|key| mine[*key] != others[*key]);
    let key = differing.next()?;
    Some((key.clone(), mine[key].to_string(), others[key].to_string()))
}
