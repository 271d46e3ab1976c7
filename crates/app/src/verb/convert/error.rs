//! Why a game or a position cannot be converted.

use crate::answer::Failure;
use std::error::Error;
use std::io;
use std::path::Path;
use tesuji_record::samples::{SampleError, SampleProblem};
use tesuji_record::sbinpack::ChainError;
use tesuji_record::{StreamError, WriteError};

/// Why something cannot be converted.
#[derive(Debug)]
pub(super) enum ConvertError {
    /// One game or position; the next one may be better.
    Record(String),
    /// The input cannot be read on.
    Input(Box<dyn Error>),
    /// The output cannot be written.
    Output(io::Error),
}

impl ConvertError {
    /// The same, with the number of the game or position.
    pub(super) fn in_record(self, record: u64) -> Self {
        match self {
            Self::Record(what) => Self::Record(format!("record {record}: {what}")),
            other => other,
        }
    }

    /// What people are told.
    pub(super) fn into_failure(self, input: &Path, output: &Path) -> Failure {
        let (path, what) = match self {
            Self::Record(what) => (input, what.into()),
            Self::Input(what) => (input, what),
            Self::Output(error) if output == Path::new("-") => return Failure::Output(error),
            Self::Output(error) => (output, error.into()),
        };
        Failure::File {
            path: path.into(),
            what,
        }
    }
}

impl From<io::Error> for ConvertError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<WriteError> for ConvertError {
    fn from(error: WriteError) -> Self {
        Self::Record(error.to_string())
    }
}

impl From<SampleProblem> for ConvertError {
    fn from(problem: SampleProblem) -> Self {
        match problem {
            SampleProblem::Io(error) => Self::Output(error),
            problem => Self::Record(problem.to_string()),
        }
    }
}

impl From<SampleError> for ConvertError {
    fn from(error: SampleError) -> Self {
        Self::Input(error.into())
    }
}

impl From<ChainError> for ConvertError {
    fn from(error: ChainError) -> Self {
        Self::Input(error.into())
    }
}

impl From<StreamError> for ConvertError {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Game(error) => Self::Record(error.to_string()),
            error => Self::Input(error.into()),
        }
    }
}
