//! What a training says about itself: a line of JSON for every few steps and every test.

use super::output::TrainingFileError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tesuji_record::file;

/// A line of a log.
pub(crate) trait LogEntry: Serialize + DeserializeOwned {
    /// The last step that it tells of.
    fn step(&self) -> u64;
}

/// The log of a training, in a file and in memory.
#[derive(Debug)]
pub(crate) struct Log<E> {
    path: PathBuf,
    pub(crate) entries: Vec<E>,
}

impl<E: LogEntry> Log<E> {
    /// Opens the log of a folder and drops what was written after a step: it will happen again.
    pub(crate) fn open(folder: &Path, step: u64) -> Result<Self, TrainingFileError> {
        let path = folder.join("log.jsonl");
        Self::read(&path, step).map_err(TrainingFileError::at(&path))
    }

    fn read(path: &Path, step: u64) -> io::Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        // A line that was cut off by a kill is not whole JSON, and is written again.
        let entries = text
            .lines()
            .map_while(|line| serde_json::from_str(line).ok());
        let entries: Vec<E> = entries
            .take_while(|entry: &E| entry.step() <= step)
            .collect();
        let mut lines = Vec::new();
        for entry in &entries {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        file::save(path, &lines)?;
        Ok(Self {
            path: path.into(),
            entries,
        })
    }

    pub(crate) fn add(&mut self, entry: E) -> Result<(), TrainingFileError> {
        self.append(&entry)
            .map_err(TrainingFileError::at(&self.path))?;
        self.entries.push(entry);
        Ok(())
    }

    fn append(&self, entry: &E) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.path)?;
        file.write_all(&line)
    }
}
