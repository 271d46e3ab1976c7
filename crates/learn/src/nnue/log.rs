//! What a training says about itself: one line of JSON for every few steps and every test.

use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tesuji_record::file;

/// A line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Entry {
    /// Steps of training.
    Train {
        /// The last of the steps, from 1.
        step: u64,
        epoch: u32,
        /// The mean over the steps.
        loss: f64,
        rate: f32,
        /// Samples per second of the steps.
        speed: f64,
    },
    /// A test on samples that are not trained on.
    Test { step: u64, epoch: u32, loss: f64 },
}

impl Entry {
    pub(super) const fn step(&self) -> u64 {
        match self {
            Self::Train { step, .. } | Self::Test { step, .. } => *step,
        }
    }
}

/// The log of a training, in a file and in memory.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    pub(super) entries: Vec<Entry>,
}

impl Log {
    /// Opens the log and drops what was written after a step: it will happen again.
    pub(super) fn open(path: &Path, step: u64) -> io::Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        // A line that was cut off by a kill is not whole JSON, and is written again.
        let entries = text
            .lines()
            .map_while(|line| serde_json::from_str(line).ok());
        let entries: Vec<Entry> = entries
            .take_while(|entry: &Entry| entry.step() <= step)
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

    pub(super) fn add(&mut self, entry: Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.path)?;
        file.write_all(&line)?;
        self.entries.push(entry);
        Ok(())
    }

    /// The loss of the last test.
    pub(super) fn last_test(&self) -> Option<f64> {
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Test { loss, .. } => Some(*loss),
            Entry::Train { .. } => None,
        })
    }
}
