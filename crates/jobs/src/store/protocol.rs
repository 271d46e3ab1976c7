//! What workers and the store say to each other.

use super::StoreError;
use crate::spec::JobKind;
use sqlx::Row;

/// How many bytes a result may have; what is larger goes into a file.
pub const LARGEST_PAYLOAD: usize = 4 << 20;

/// A worker that shows what it is and what it can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enrollment {
    /// What it calls itself; unique for the role that it logs in with.
    pub name: String,
    /// Which processor it has.
    pub cpu: String,
    /// Which program it is.
    pub program: String,
    /// How many jobs it does at a time.
    pub threads: i64,
    /// The signature of its search.
    pub bench: i64,
    /// The fingerprint of its answer to the canary.
    pub canary: String,
}

/// A job that was taken on a lease.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// Its number.
    pub job: i64,
    /// Of which campaign.
    pub campaign: i64,
    /// Of which kind.
    pub kind: JobKind,
    /// What shows that it is ours.
    pub lease: String,
    /// For how long, if nobody hears of us.
    pub seconds: u64,
    /// What is to be done.
    pub spec: String,
}

/// What came of a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JobReport {
    /// The fingerprint of what must be the same whoever does the job.
    pub digest: String,
    /// The result.
    pub payload: Vec<u8>,
    /// The name of the file beside it.
    pub file: Option<String>,
    /// How many games were played.
    pub games: i64,
    /// How many positions came out.
    pub positions: i64,
    /// How many positions were searched.
    pub nodes: i64,
    /// The points of the first player in a pair of games, doubled.
    pub points: Option<i64>,
    /// How long it took.
    pub millis: i64,
}

/// What became of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// It is stored.
    Stored,
    /// It was stored before, or the job is no longer ours. Nothing changes.
    NotTaken,
    /// It is corrupt; the job is open again.
    Refused,
}

impl Completion {
    pub(super) fn of(number: i64) -> Self {
        match number {
            1 => Self::Stored,
            0 => Self::NotTaken,
            _ => Self::Refused,
        }
    }
}

/// Reads a row of a claim.
pub(super) fn claimed(row: &sqlx::any::AnyRow) -> Result<Claimed, StoreError> {
    let kind: String = row.try_get(2)?;
    let seconds: i64 = row.try_get(4)?;
    Ok(Claimed {
        job: row.try_get(0)?,
        campaign: row.try_get(1)?,
        kind: kind.parse().map_err(|_| StoreError::Unknown {
            what: "kind of job",
            name: kind,
        })?,
        lease: row.try_get(3)?,
        seconds: u64::try_from(seconds).unwrap_or(1),
        spec: row.try_get(5)?,
    })
}
