//! What a worker shows before it gets any work: the signature of its search, and its answer to a job
//! whose answer is known.
//!
//! This is the spot-checking of volunteer computing (Sarmenta 2001, Anderson's BOINC 2004).

use crate::files::FileStore;
use crate::spec::{ChunkJob, EvalName, JobKind, SelfplaySpec, SharedEval, json};
use crate::store::{Store, StoreError};
use crate::work::{WorkContext, WorkError, do_job};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tesuji_engine::bench::{TABLE_BYTES, run};
use tesuji_engine::{MakeSearchError, SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_learn::selfplay::{DataFormat, GameRules};
use tesuji_search::{Phase, SearchControl};

/// What workers are asked to show.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// How deep the positions of the signature are searched.
    pub bench_depth: u32,
    /// The job whose answer is known.
    pub canary: SelfplaySpec,
}

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum TermsError {
    /// The search cannot be set up.
    #[error(transparent)]
    Search(#[from] MakeSearchError),
    /// The canary cannot be played.
    #[error("the canary: {0}")]
    Canary(#[from] WorkError),
    /// The store does not say what is asked.
    #[error("the farm does not say what workers have to show: tesuji farm init")]
    Missing,
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Terms {
    /// Terms with a signature of this depth, and a few games of the built-in evaluation.
    pub fn new(bench_depth: u32) -> Self {
        Self {
            bench_depth,
            canary: SelfplaySpec {
                eval: SharedEval::Own(EvalName::Builtin),
                seed: 20_230_923,
                games: 2,
                games_per_job: 2,
                table_bytes: 1 << 20,
                openings: None,
                random_plies: (4, 8),
                rules: GameRules {
                    nodes: 200,
                    stray_percent: 5,
                    ..GameRules::default()
                },
                format: DataFormat::Psv,
            },
        }
    }

    /// Reads what a store says.
    ///
    /// # Errors
    /// If it says nothing, or nothing that makes sense.
    pub fn read(terms: &BTreeMap<String, String>) -> Result<Self, TermsError> {
        let depth = terms
            .get("terms.bench_depth")
            .and_then(|text| text.parse().ok());
        let canary = terms
            .get("terms.canary")
            .and_then(|text| serde_json::from_str(text).ok());
        match (depth, canary) {
            (Some(bench_depth), Some(canary)) => Ok(Self {
                bench_depth,
                canary,
            }),
            _ => Err(TermsError::Missing),
        }
    }

    /// The signature of this program.
    ///
    /// # Errors
    /// If the search cannot be set up.
    pub fn bench(&self) -> Result<i64, TermsError> {
        let eval = EvalSpec::Builtin;
        let mut search = TournamentFactory.make(&eval, &EvalSettings::default(), 1, TABLE_BYTES)?;
        let control = SearchControl::new(Phase::Thinking, None);
        let total = run(search.as_mut(), self.bench_depth, &control, |_| ());
        Ok(i64::try_from(total.nodes).unwrap_or(i64::MAX))
    }

    /// The fingerprint of this program's answer to the canary.
    ///
    /// # Errors
    /// If it cannot be played.
    pub fn canary(&self) -> Result<String, TermsError> {
        let context = WorkContext {
            files: FileStore::new(&std::env::temp_dir()),
            program: PathBuf::new(),
        };
        let job = json(&ChunkJob {
            first: 0,
            count: self.canary.games,
        });
        let spec = json(&self.canary);
        let stop = AtomicBool::new(false);
        let work = do_job(&context, JobKind::Selfplay, &spec, &job, None, &stop)?;
        Ok(work.report.digest)
    }

    /// Keeps terms and the right answers, which are this program's own.
    ///
    /// # Errors
    /// If they cannot be found out or kept.
    pub async fn keep(&self, store: &Store, bench: i64, canary: &str) -> Result<(), StoreError> {
        store
            .set("terms.bench_depth", &self.bench_depth.to_string())
            .await?;
        store.set("answer.bench", &bench.to_string()).await?;
        store.set("terms.canary", &json(&self.canary)).await?;
        store.set("answer.canary", canary).await
    }
}
