//! Games of the engine against itself: samples in a file, a line about each game in the result.

use super::{FinishedWork, WorkContext, WorkError};
use crate::digest::sha256_hex;
use crate::files::FileStore;
use crate::spec::{ChunkJob, SelfplaySpec, json};
use crate::store::JobReport;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use tesuji_eval::{AnyEval, EvalSettings};
use tesuji_learn::selfplay::{GameEntry, GamesBatch, SelfplayTally, check_samples, play_batch};

/// The most games a job may have.
const MOST_GAMES: u64 = 100_000;

/// What a result says about its games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SelfplayPayload {
    /// One for each game, in order.
    pub entries: Vec<GameEntry>,
    /// The SHA-256 of the samples.
    pub samples: String,
}

pub(super) fn play(
    context: &WorkContext,
    spec: &SelfplaySpec,
    job: &ChunkJob,
    stop: &AtomicBool,
) -> Result<FinishedWork, WorkError> {
    if job.count > MOST_GAMES {
        return Err(WorkError::because("too many games for one job"));
    }
    let eval = spec.eval.local(&context.files).map_err(WorkError::Failed)?;
    let eval = AnyEval::choose(&eval, &EvalSettings::default()).map_err(WorkError::because)?;
    let batch = GamesBatch {
        seed: spec.seed,
        games: job.first..job.first.saturating_add(job.count),
        table_bytes: spec.table_bytes,
        openings: spec.openings().map_err(WorkError::because)?,
        rules: spec.rules.clone(),
        format: spec.format,
    };
    let played = play_batch(&batch, &eval, stop).map_err(WorkError::because)?;
    let played = played.ok_or(WorkError::Stopped)?;
    let payload = SelfplayPayload {
        entries: played.entries,
        samples: sha256_hex(&played.bytes),
    };
    let text = json(&payload);
    let mut tally = SelfplayTally::default();
    payload.entries.iter().for_each(|entry| tally.add(entry));
    Ok(FinishedWork {
        report: JobReport {
            digest: sha256_hex(text.as_bytes()),
            payload: text.into_bytes(),
            file: Some(payload.samples),
            games: tally.games as i64,
            positions: tally.positions as i64,
            nodes: tally.nodes as i64,
            ..JobReport::default()
        },
        file: Some(played.bytes),
    })
}

pub(super) fn check(
    files: &FileStore,
    spec: &SelfplaySpec,
    job: &ChunkJob,
    report: &JobReport,
) -> Result<String, String> {
    let payload: SelfplayPayload =
        serde_json::from_slice(&report.payload).map_err(|error| format!("the result: {error}"))?;
    let numbers = payload.entries.iter().map(|entry| entry.game);
    if !numbers.eq(job.first..job.first.saturating_add(job.count)) {
        return Err("it has other games than were asked for".into());
    }
    if report.file.as_deref() != Some(payload.samples.as_str()) {
        return Err("it names another file than its result".into());
    }
    let bytes = files
        .get(&payload.samples)
        .map_err(|error| error.to_string())?;
    let count = check_samples(&bytes, spec.format)?;
    let told: u64 = payload
        .entries
        .iter()
        .map(|entry| u64::from(entry.positions))
        .sum();
    match count as u64 == told {
        true => Ok(sha256_hex(&report.payload)),
        false => Err(format!("it has {count} positions and says {told}")),
    }
}
