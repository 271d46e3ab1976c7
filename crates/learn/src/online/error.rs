//! What can go wrong in a training.

use crate::training::checkpoint::CheckpointError;
use crate::training::output::TrainingFileError;
use std::io;
use tesuji_eval::pairs::PairError;

/// Why a training stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OnlineError {
    /// A checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A file of the output cannot be written.
    #[error(transparent)]
    Write(#[from] TrainingFileError),
    /// The system has no room for the tables.
    #[error("no memory for the tables: {0}")]
    Memory(io::Error),
    /// The tables cannot be written, or not be read again.
    #[error(transparent)]
    Tables(#[from] PairError),
    /// The engine computes something else than the learner.
    #[error("the engine says {engine} and the learner {learner} about {sfen}: a bug")]
    Disagreement {
        /// The engine's value.
        engine: i32,
        /// The learner's value.
        learner: i32,
        /// Where.
        sfen: String,
    },
}
