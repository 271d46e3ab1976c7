//! Why samples cannot be had, and how many were left out and why.

use crate::data::DataError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::PathBuf;
use tesuji_record::samples::SampleProblem;

/// How many samples were read and why some were left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FilterCounts {
    /// Read.
    pub read: u64,
    /// Left out: too early in the game.
    pub early: u64,
    /// Left out: as good as decided.
    pub decided: u64,
    /// Left out: in check.
    pub in_check: u64,
    /// Left out: the move takes or promotes.
    pub tactical: u64,
    /// Left out: without a result.
    pub no_result: u64,
    /// Kept.
    pub kept: u64,
}

impl FilterCounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.early += other.early;
        self.decided += other.decided;
        self.in_check += other.in_check;
        self.tactical += other.tactical;
        self.no_result += other.no_result;
        self.kept += other.kept;
    }
}

impl fmt::Display for FilterCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} read, {} kept", self.read, self.kept)?;
        let left_out = [
            (self.early, "too early"),
            (self.decided, "decided"),
            (self.in_check, "in check"),
            (self.tactical, "before a capture or promotion"),
            (self.no_result, "without a result"),
        ];
        let left_out = left_out.iter().filter(|(count, _)| *count > 0);
        left_out
            .into_iter()
            .try_for_each(|(count, why)| write!(f, ", {count} {why}"))
    }
}

/// Why samples cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Samples that are more than memory cannot be put into files.
    #[error("cannot put samples into files in {}: {source}", folder.display())]
    Spill {
        /// Where.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A record is wrong.
    #[error("{}: record {record}: {problem}", path.display())]
    Record {
        /// In which file.
        path: PathBuf,
        /// Which, from 1.
        record: u64,
        /// What is wrong with it.
        problem: SampleProblem,
    },
    /// A file of comparisons is none.
    #[error(
        "{}: record {record}: this is no file of comparisons, or it was cut off; `tesuji data \
         comparisons` writes them",
        path.display()
    )]
    Comparison {
        /// Which file.
        path: PathBuf,
        /// Where it is seen, from 1.
        record: u64,
    },
    /// Its records cannot be had.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Memory does not hold the samples.
    #[error("no room in memory for the samples: a lower --memory puts more of them into files")]
    Memory,
    /// Nothing is left to learn from.
    #[error("no position is left to {0}: {1}")]
    Empty(&'static str, FilterCounts),
}
