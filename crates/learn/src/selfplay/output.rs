//! One file of samples and one journal for every thread, whole after a kill.
//!
//! A game is appended to the data and flushed before a line about it goes to the journal. Whatever
//! of the data has no line in the journal was being written when the run ended, and is cut off.

use super::game::SelfplayEnding;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tesuji_record::samples::{Sample, SampleFormat};
use tesuji_record::sbinpack::ChainWriter;

/// How samples are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum DataFormat {
    /// PackedSfenValue: forty bytes a position.
    #[default]
    Psv,
    /// Chains of positions: three bytes each where moves follow each other.
    Sbinpack,
}

impl DataFormat {
    /// The usual extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Psv => "psv",
            Self::Sbinpack => "sbinpack",
        }
    }

    pub(super) fn encode(
        self,
        samples: &[Sample],
    ) -> Result<Vec<u8>, tesuji_record::samples::SampleError> {
        let mut bytes = Vec::with_capacity(samples.len() * 40 + 16);
        match self {
            Self::Psv => {
                tesuji_record::samples::write_all(&mut bytes, SampleFormat::Psv, samples)?;
            }
            Self::Sbinpack => {
                let mut writer = ChainWriter::new(&mut bytes);
                for sample in samples {
                    writer.write(sample)?;
                }
                writer.finish().expect("memory can be written to");
            }
        }
        Ok(bytes)
    }
}

/// What the journal says of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameEntry {
    /// Its number; with the seed of the run it decides how the game begins.
    pub game: u64,
    /// How long the data was after it.
    pub bytes: u64,
    /// How many positions were searched.
    pub plies: u32,
    /// How many positions were written.
    pub positions: u32,
    /// `b`, `w` or `d`.
    pub winner: char,
    /// Why it ended.
    pub ending: SelfplayEnding,
    /// How many nodes were searched.
    pub nodes: u64,
}

/// Why games cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The journal is not one.
    #[error("{}:{}: this is no journal of self-play: {}", path.display(), source.line, source.source)]
    Journal {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        source: JournalLineError,
    },
    /// The data is shorter than its journal says.
    #[error(
        "{}: has {found} bytes, but its journal speaks of {wanted}: put the pair aside, or restore the data",
        path.display()
    )]
    Short {
        /// Which file.
        path: PathBuf,
        /// How long it is.
        found: u64,
        /// How long it should be at least.
        wanted: u64,
    },
    /// A position does not fit into the format.
    #[error("{}: {source}", path.display())]
    Sample {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        source: tesuji_record::samples::SampleError,
    },
}

/// The files of one thread.
#[derive(Debug)]
pub(super) struct SelfplayOutput {
    format: DataFormat,
    data_path: PathBuf,
    data: File,
    bytes: u64,
    journal_path: PathBuf,
    journal: File,
}

impl SelfplayOutput {
    /// Whether a thread of an earlier run has kept games.
    pub(super) fn exists(folder: &Path, thread: usize) -> bool {
        journal_path(folder, thread).exists()
    }

    /// Opens the files of a thread, cuts off a game that was being written, and tells which games
    /// are there.
    pub(super) fn open(
        folder: &Path,
        thread: usize,
        format: DataFormat,
    ) -> Result<(Self, Vec<GameEntry>), OutputError> {
        let data_path = folder.join(format!("games-{thread}.{}", format.extension()));
        let journal_path = journal_path(folder, thread);
        let (entries, journal_bytes) = read_journal(&journal_path)?;
        let bytes = entries.last().map_or(0, |entry| entry.bytes);
        let data = append(&data_path)?;
        let found = data.metadata().map_err(at(&data_path))?.len();
        if found < bytes {
            return Err(OutputError::Short {
                path: data_path,
                found,
                wanted: bytes,
            });
        }
        data.set_len(bytes).map_err(at(&data_path))?;
        let journal = append(&journal_path)?;
        journal.set_len(journal_bytes).map_err(at(&journal_path))?;
        let output = Self {
            format,
            data_path,
            data,
            bytes,
            journal_path,
            journal,
        };
        Ok((output, entries))
    }

    /// Where the samples are.
    pub(super) fn data_path(&self) -> &Path {
        &self.data_path
    }

    /// Keeps a game.
    pub(super) fn write(
        &mut self,
        mut entry: GameEntry,
        samples: &[Sample],
    ) -> Result<GameEntry, OutputError> {
        let bytes = self.format.encode(samples);
        let bytes = bytes.map_err(|source| OutputError::Sample {
            path: self.data_path.clone(),
            source,
        })?;
        self.data.write_all(&bytes).map_err(at(&self.data_path))?;
        self.bytes += bytes.len() as u64;
        entry.bytes = self.bytes;
        let mut line = serde_json::to_vec(&entry).expect("an entry is plain data");
        line.push(b'\n');
        self.journal
            .write_all(&line)
            .map_err(at(&self.journal_path))?;
        Ok(entry)
    }
}

/// Whether a run has kept a game in a folder.
pub(super) fn has_games(folder: &Path) -> Result<bool, OutputError> {
    for thread in (0..).take_while(|&thread| SelfplayOutput::exists(folder, thread)) {
        if !read_journal(&journal_path(folder, thread))?.0.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn journal_path(folder: &Path, thread: usize) -> PathBuf {
    folder.join(format!("games-{thread}.jsonl"))
}

/// The games of a journal, and how many bytes of it are whole lines.
fn read_journal(path: &Path) -> Result<(Vec<GameEntry>, u64), OutputError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(source) => return Err(at(path)(source)),
    };
    journal_entries(&bytes).map_err(|source| OutputError::Journal {
        path: path.into(),
        source,
    })
}

/// A line of a journal that is none.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {source}")]
pub struct JournalLineError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub source: serde_json::Error,
}

/// The games that a journal speaks of, and how many of its bytes are whole lines: a line without an end
/// was being written when the run ended.
///
/// # Errors
/// If a whole line is no entry.
pub fn journal_entries(bytes: &[u8]) -> Result<(Vec<GameEntry>, u64), JournalLineError> {
    let (mut entries, mut whole) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if !line.ends_with(b"\n") {
            break;
        }
        let entry = serde_json::from_slice(line).map_err(|source| JournalLineError {
            line: entries.len() + 1,
            source,
        })?;
        entries.push(entry);
        whole += line.len() as u64;
    }
    Ok((entries, whole))
}

fn append(path: &Path) -> Result<File, OutputError> {
    let mut options = OpenOptions::new();
    options
        .append(true)
        .create(true)
        .open(path)
        .map_err(at(path))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> OutputError + '_ {
    |source| OutputError::File {
        path: path.into(),
        source,
    }
}
