//! How a farm stands: campaigns, workers, the queue, tests as they run, books as they grow, failures.

use crate::spec::{JobKind, MatchSpec};
use crate::store::{
    CampaignRow, DecisionLine, FailureLine, QueueCounts, Store, StoreError, WorkerStatus,
};
use serde::Serialize;
use serde_json::Value as Json;
use tesuji_match::score::MatchStats;

/// How a farm stands.
#[derive(Clone, Debug, Serialize)]
pub struct FarmStatus {
    /// When, by the clock of the database, in milliseconds since 1970.
    pub now: i64,
    /// Every campaign.
    pub campaigns: Vec<CampaignStatus>,
    /// Every worker that was heard of in the last day.
    pub workers: Vec<WorkerStatus>,
    /// The last failures, the newest first.
    pub failures: Vec<FailureLine>,
    /// The last decisions, the newest first.
    pub decisions: Vec<DecisionLine>,
}

/// How a campaign stands.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignStatus {
    /// What it is called.
    pub name: String,
    /// Its kind.
    pub kind: JobKind,
    /// `running`, `paused` or `done`.
    pub state: &'static str,
    /// Jobs that wait.
    pub ready: i64,
    /// Jobs that are being done.
    pub leased: i64,
    /// Jobs that are done.
    pub done: i64,
    /// Jobs that failed too often.
    pub dead: i64,
    /// Results that count.
    pub results: i64,
    /// Games in them.
    pub games: i64,
    /// Positions in them.
    pub positions: i64,
    /// Positions searched for them.
    pub nodes: i64,
    /// Results that were compared with another one.
    pub checked: i64,
    /// Results that do not count.
    pub refused: i64,
    /// The test of a match.
    pub test: Option<TestStatus>,
    /// How a book or a tuning stands, as its keeper says.
    pub progress: Option<Json>,
}

/// How the test of a match stands.
#[derive(Clone, Debug, Serialize)]
pub struct TestStatus {
    /// Pairs by the points of the first player: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// The difference in Elo.
    pub elo: Option<f64>,
    /// The ends of its interval of 95 %.
    pub interval: Option<(f64, f64)>,
    /// The log-likelihood ratio.
    pub llr: Option<f64>,
    /// Where the test rejects and accepts.
    pub bounds: Option<(f64, f64)>,
}

impl FarmStatus {
    /// Reads everything; nothing is changed.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn read(store: &Store) -> Result<Self, StoreError> {
        let mut campaigns = Vec::new();
        for campaign in store.campaigns().await? {
            campaigns.push(CampaignStatus::read(store, &campaign).await?);
        }
        Ok(Self {
            now: store.now().await?,
            campaigns,
            workers: store.worker_status().await?,
            failures: store.recent_failures(20).await?,
            decisions: store.recent_decisions(20).await?,
        })
    }
}

impl CampaignStatus {
    /// Reads how a campaign stands.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn read(store: &Store, campaign: &CampaignRow) -> Result<Self, StoreError> {
        let queue: QueueCounts = store.queue(campaign.id).await?;
        let sums = store.result_sums(campaign.id).await?;
        let test = match campaign.kind {
            JobKind::Match => Some(TestStatus::new(
                store.pair_counts(campaign.id).await?,
                &campaign.spec,
            )),
            _ => None,
        };
        let progress = store.progress(campaign.id).await?;
        Ok(Self {
            name: campaign.name.clone(),
            kind: campaign.kind,
            state: campaign.state.name(),
            ready: queue.ready,
            leased: queue.leased,
            done: queue.done,
            dead: queue.dead,
            results: sums.results,
            games: sums.games,
            positions: sums.positions,
            nodes: sums.nodes,
            checked: sums.checked,
            refused: sums.refused,
            test,
            progress: progress.and_then(|text| serde_json::from_str(&text).ok()),
        })
    }
}

impl TestStatus {
    /// What pairs of games say.
    pub fn new(pairs: [u64; 5], spec: &str) -> Self {
        let mut stats = MatchStats {
            pairs,
            ..MatchStats::default()
        };
        // A pair of one point may be a win and a loss or two draws: the score is the same.
        for (points, &count) in pairs.iter().enumerate() {
            let points = points as u64;
            stats.wins += count * (points / 2);
            stats.draws += count * (points % 2);
            stats.losses += count * (2 - points / 2 - points % 2);
        }
        let elo = stats.elo();
        let spec: Option<MatchSpec> = serde_json::from_str(spec).ok();
        let sprt = spec.and_then(|spec| spec.plan.sprt);
        Self {
            pairs,
            elo: elo.map(|elo| elo.value),
            interval: elo.map(|elo| (elo.low, elo.high)),
            llr: sprt.map(|sprt| sprt.llr(&pairs)),
            bounds: sprt.map(|sprt| sprt.bounds()),
        }
    }
}
