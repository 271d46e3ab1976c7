//! A trial of a tuning: two sets of values meet in a pair of games; and the tuning as it stands after the
//! trials that it has heard.

use super::{FinishedWork, WorkContext, WorkError};
use crate::digest::sha256_hex;
use crate::spec::{SharedEval, TuneJob, TuneSpec, json};
use crate::store::JobReport;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_eval::{AnyEval, EvalSettings};
use tesuji_match::tune::{
    IterationLine, PairOutcome, TuneHeader, Tuning, TuningGames, TuningGamesError, TuningIteration,
};
use tesuji_shogi::Position;

pub(super) fn play(
    context: &WorkContext,
    spec: &TuneSpec,
    job: &TuneJob,
    stop: &AtomicBool,
) -> Result<FinishedWork, WorkError> {
    let eval = |shared: &SharedEval| {
        let local = shared.local(&context.files).map_err(WorkError::Failed)?;
        AnyEval::choose(&local, &EvalSettings::default()).map_err(WorkError::because)
    };
    let [first, second] = &spec.evals;
    let first = eval(first)?;
    let second = match spec.evals[0] == *second {
        true => first.clone(),
        false => eval(second)?,
    };
    let opening = |sfen: &String| Position::from_sfen(sfen).map_err(WorkError::because);
    let openings: Vec<Position> = spec
        .openings
        .iter()
        .map(opening)
        .collect::<Result<_, _>>()?;
    if openings.is_empty() {
        return Err(WorkError::because("a tuning needs openings"));
    }
    let evals = [first, second];
    let mut games = TuningGames::new(&spec.header.parameters, evals, spec.limit, openings);
    games.table_bytes = spec.table_bytes;
    games.rules.move_limit = Some(spec.max_moves).filter(|&limit| limit > 0);
    games.adjudication = spec.adjudication;
    // A pair of short games: whoever says stop is heard before it.
    if stop.load(Relaxed) {
        return Err(WorkError::Stopped);
    }
    let outcome = games.play_trial(&job.trial).map_err(|error| match error {
        TuningGamesError::Interrupted => WorkError::Stopped,
        error => WorkError::because(error),
    })?;
    let payload = json(&outcome).into_bytes();
    Ok(FinishedWork {
        report: JobReport {
            digest: sha256_hex(&payload),
            payload,
            games: 2,
            positions: i64::from(outcome.plies),
            points: Some(outcome.points.iter().map(|&points| i64::from(points)).sum()),
            ..JobReport::default()
        },
        file: None,
    })
}

/// The outcome of a result.
///
/// # Errors
/// If it has none: a message for people.
pub fn outcome_of(payload: &[u8]) -> Result<PairOutcome, String> {
    let outcome: PairOutcome =
        serde_json::from_slice(payload).map_err(|error| format!("the result: {error}"))?;
    match outcome.points.iter().all(|&points| points <= 2) && outcome.faults <= 2 {
        true => Ok(outcome),
        false => Err("a game has two half points and one fault at most".into()),
    }
}

pub(super) fn check(report: &JobReport) -> Result<String, String> {
    let outcome = outcome_of(&report.payload)?;
    let points: i64 = outcome.points.iter().map(|&points| i64::from(points)).sum();
    if report.points != Some(points) || report.games != 2 {
        return Err("the points are not those of the games".into());
    }
    Ok(sha256_hex(&report.payload))
}

/// A tuning as it stands after the trials that it has heard, each with a number of its own, in their order.
pub struct TuneReplica {
    tuning: Tuning,
    /// What is being played.
    open: Option<TuningIteration>,
    /// What is known of it: the first trials of the iteration.
    heard: Vec<PairOutcome>,
    /// How many trials were heard before it.
    before: i64,
}

impl TuneReplica {
    /// A tuning that has heard nothing.
    pub fn new(header: TuneHeader) -> Self {
        let mut tuning = Tuning::new(header);
        Self {
            open: tuning.next_iteration(),
            tuning,
            heard: Vec::new(),
            before: 0,
        }
    }

    /// The iteration that is being played, and the number of its first trial; `None` when the tuning is
    /// over.
    pub fn open(&self) -> Option<(&TuningIteration, i64)> {
        self.open.as_ref().map(|open| (open, self.before))
    }

    /// How many trials it has heard.
    pub fn trials(&self) -> i64 {
        self.before + self.heard.len() as i64
    }

    /// The tuning itself.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// Hears the next trial; the iteration that it completes.
    pub fn hear(&mut self, outcome: PairOutcome) -> Option<IterationLine> {
        let open = self.open.as_ref()?;
        self.heard.push(outcome);
        if self.heard.len() < open.trials.len() {
            return None;
        }
        let iteration = self.open.take()?;
        self.before += iteration.trials.len() as i64;
        let mut line = IterationLine {
            iteration,
            outcomes: std::mem::take(&mut self.heard),
            center: Vec::new(),
        };
        self.tuning.replay(&line);
        line.center = self.tuning.center();
        self.open = self.tuning.next_iteration();
        Some(line)
    }
}
