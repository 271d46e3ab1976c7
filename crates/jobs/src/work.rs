//! The work itself: a pure function from a specification to a result, and the check of a result that
//! somebody else brings.

pub mod book;
mod match_pair;
mod rescore;
mod selfplay;
mod tune;

pub use book::{BookGame, BookReplica, book_plan};
pub use match_pair::{games_of, pair_points};
pub use selfplay::SelfplayPayload;
pub use tune::{TuneReplica, outcome_of};

use crate::files::FileStore;
use crate::spec::JobKind;
use crate::store::JobReport;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What this machine has.
#[derive(Clone, Debug)]
pub struct WorkContext {
    /// Files by their sums.
    pub files: FileStore,
    /// This program, which plays the games of matches.
    pub program: PathBuf,
}

/// What came of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedWork {
    /// What is handed in.
    pub report: JobReport,
    /// The file beside it.
    pub file: Option<Vec<u8>>,
}

/// Why nothing came of a job.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// Somebody said stop.
    #[error("stopped")]
    Stopped,
    /// It cannot be done here, perhaps nowhere: a message for people.
    #[error("{0}")]
    Failed(String),
}

impl WorkError {
    pub(crate) fn because(error: impl ToString) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Does a job. A book needs the games it is built on.
///
/// # Errors
/// If the job makes no sense or cannot be done here.
pub fn do_job(
    context: &WorkContext,
    kind: JobKind,
    campaign: &str,
    job: &str,
    book: Option<&BookReplica>,
    stop: &AtomicBool,
) -> Result<FinishedWork, WorkError> {
    match kind {
        JobKind::Selfplay => selfplay::play(context, &read(campaign)?, &read(job)?, stop),
        JobKind::Match => match_pair::play(context, &read(campaign)?, &read(job)?),
        JobKind::Rescore => rescore::search(context, &read(campaign)?, &read(job)?, stop),
        JobKind::Book => match book {
            Some(book) => book::play(context, &read(campaign)?, &read(job)?, book),
            None => Err(WorkError::because("a challenge needs a book")),
        },
        JobKind::Tune => tune::play(context, &read(campaign)?, &read(job)?, stop),
    }
}

/// Looks at a result that somebody brings: whether it is what the job asked for, every move is legal, and
/// the fingerprint is that of the result.
///
/// # Errors
/// What is wrong with it: a message for people.
pub fn check_result(
    files: &FileStore,
    kind: JobKind,
    campaign: &str,
    job: &str,
    report: &JobReport,
) -> Result<(), String> {
    let digest = match kind {
        JobKind::Selfplay => {
            selfplay::check(files, &read_spec(campaign)?, &read_spec(job)?, report)?
        }
        JobKind::Match => match_pair::check(&read_spec(campaign)?, &read_spec(job)?, report)?,
        JobKind::Rescore => rescore::check(files, &read_spec(job)?, report)?,
        JobKind::Book => book::check(&read_spec(campaign)?, &read_spec(job)?, report)?,
        JobKind::Tune => tune::check(report)?,
    };
    match digest == report.digest {
        true => Ok(()),
        false => Err("the fingerprint is not that of the result".into()),
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, WorkError> {
    read_spec(text).map_err(WorkError::Failed)
}

fn read_spec<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("the specification: {error}"))
}
