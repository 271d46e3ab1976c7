//! What a store can carry: claims and completions by many clients at a time, heartbeats, a long queue.
//!
//! The clients are made up; every call goes to the store as a worker's would.

use crate::digest::sha256_hex;
use crate::spec::JobKind;
use crate::store::{CampaignState, Dialect, Enrollment, JobReport, NewCampaign, Store, StoreError};
use serde::Serialize;
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoadRow {
    /// What was done.
    pub what: String,
    /// By how many clients at a time.
    pub clients: usize,
    /// How often.
    pub calls: u64,
    /// How many of that in a second.
    pub per_second: f64,
    /// How long half of the calls took at most, in milliseconds.
    pub median_ms: f64,
    /// How long 99 of 100 took at most.
    pub p99_ms: f64,
    /// How long the slowest took.
    pub most_ms: f64,
    /// Processor time of the server for each call, in milliseconds, where it can be seen.
    pub server_ms: Option<f64>,
}

impl LoadRow {
    fn new(
        what: &str,
        clients: usize,
        mut times: Vec<Duration>,
        wall: Duration,
        cpu: Option<f64>,
    ) -> Self {
        times.sort_unstable();
        let at = |share: f64| {
            let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
            times
                .get(place)
                .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let calls = times.len() as u64;
        Self {
            what: what.into(),
            clients,
            calls,
            per_second: calls as f64 / wall.as_secs_f64().max(1e-9),
            median_ms: at(0.5),
            p99_ms: at(0.99),
            most_ms: at(1.0),
            server_ms: cpu.map(|seconds| 1000.0 * seconds / calls.max(1) as f64),
        }
    }
}

/// A campaign of made-up jobs, and clients that do them.
pub struct Load {
    store: Store,
    campaign: i64,
    workers: Vec<i64>,
    next_unit: i64,
}

impl Load {
    /// Begins a campaign of so many jobs for so many clients. The store must have its terms.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn begin(
        store: Store,
        name: &str,
        clients: usize,
        jobs: i64,
    ) -> Result<Self, StoreError> {
        let campaign = store
            .add_campaign(&NewCampaign {
                name: name.into(),
                kind: JobKind::Selfplay,
                spec: "{}".into(),
                prio: 1000,
                lease_seconds: 300,
                check_share: 0.0,
                units: jobs,
                jobs: Vec::new(),
            })
            .await?;
        let (bench, canary) = store.answers().await?;
        let mut workers = Vec::new();
        for client in 0..clients {
            let who = Enrollment {
                name: format!("{name} {client}"),
                cpu: "made up".into(),
                program: "load".into(),
                threads: 1,
                bench,
                canary: canary.clone(),
            };
            let enrolled = store.enroll(&who).await?;
            workers.push(enrolled.map_err(StoreError::Refused)?);
        }
        let mut load = Self {
            store,
            campaign,
            workers,
            next_unit: 0,
        };
        load.add_jobs(jobs).await?;
        Ok(load)
    }

    /// Adds jobs to the queue.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn add_jobs(&mut self, jobs: i64) -> Result<(), StoreError> {
        self.store
            .add_numbered_jobs(self.campaign, self.next_unit, jobs)
            .await?;
        self.next_unit += jobs;
        Ok(())
    }

    /// Every client claims and completes for so long; `batch` jobs at a time.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn cycles(&self, time: Duration, batch: i64) -> Result<LoadRow, StoreError> {
        let cpu = ServerCpu::start(&self.store).await;
        let (start, end) = (Instant::now(), Instant::now() + time);
        let mut tasks = tokio::task::JoinSet::new();
        for &worker in &self.workers {
            let store = self.store.clone();
            tasks.spawn(async move {
                let (mut times, mut jobs) = (Vec::new(), 0);
                while Instant::now() < end {
                    let begun = Instant::now();
                    let claimed = store.claim(worker, batch, &[JobKind::Selfplay]).await?;
                    for job in &claimed {
                        let report = made_up_report();
                        let sum = sha256_hex(&report.payload);
                        store
                            .complete(worker, job.job, &job.lease, &sum, &report)
                            .await?;
                    }
                    jobs += claimed.len() as u64;
                    times.push(begun.elapsed());
                }
                Ok::<_, StoreError>((times, jobs))
            });
        }
        let (mut times, mut jobs) = (Vec::new(), 0);
        while let Some(done) = tasks.join_next().await {
            let (more, count) = joined(done)?;
            times.extend(more);
            jobs += count;
        }
        let what = format!("claim {batch}, complete each ({jobs} jobs)");
        let cpu = cpu.seconds(&self.store).await;
        Ok(LoadRow::new(
            &what,
            self.workers.len(),
            times,
            start.elapsed(),
            cpu,
        ))
    }

    /// Every client claims a job and keeps it; then all say that they live, `rounds` times, at moments
    /// spread over the time.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn heartbeats(&self, time: Duration, rounds: u32) -> Result<LoadRow, StoreError> {
        let mut leases = Vec::new();
        for &worker in &self.workers {
            let claimed = self.store.claim(worker, 1, &[JobKind::Selfplay]).await?;
            leases.push(claimed.first().map(|job| job.lease.clone()));
        }
        let cpu = ServerCpu::start(&self.store).await;
        let start = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for (&worker, lease) in self.workers.iter().zip(leases) {
            let store = self.store.clone();
            tasks.spawn(async move {
                let (mut times, leases) = (Vec::new(), Vec::from_iter(lease));
                for round in 0..rounds {
                    let due = time / rounds * round + (time / rounds).mul_f64(fastrand::f64());
                    tokio::time::sleep_until((start + due).into()).await;
                    let begun = Instant::now();
                    store.beat(worker, &leases).await?;
                    times.push(begun.elapsed());
                }
                Ok::<_, StoreError>((times, 0))
            });
        }
        let mut times = Vec::new();
        while let Some(done) = tasks.join_next().await {
            times.extend(joined(done)?.0);
        }
        let cpu = cpu.seconds(&self.store).await;
        Ok(LoadRow::new(
            "beat",
            self.workers.len(),
            times,
            start.elapsed(),
            cpu,
        ))
    }

    /// Ends the campaign.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn end(self) -> Result<(), StoreError> {
        self.store
            .set_campaign_state(self.campaign, CampaignState::Done)
            .await
    }
}

fn joined<T>(done: Result<Result<T, StoreError>, tokio::task::JoinError>) -> Result<T, StoreError> {
    done.unwrap_or_else(|error| Err(StoreError::Refused(format!("a client panicked: {error}"))))
}

/// A result of the usual size.
fn made_up_report() -> JobReport {
    JobReport {
        digest: "0".repeat(64),
        payload: vec![b'x'; 1000],
        games: 10,
        positions: 1000,
        nodes: 1_000_000,
        millis: 60_000,
        ..JobReport::default()
    }
}

/// Processor time of the processes of a server on this machine.
struct ServerCpu {
    before: Option<f64>,
}

impl ServerCpu {
    async fn start(store: &Store) -> Self {
        Self {
            before: server_seconds(store).await,
        }
    }

    async fn seconds(&self, store: &Store) -> Option<f64> {
        let after = server_seconds(store).await?;
        Some((after - self.before?).max(0.0))
    }
}

/// The processor time of all processes of the server, as Linux tells it.
async fn server_seconds(store: &Store) -> Option<f64> {
    if store.dialect() == Dialect::Sqlite {
        return None;
    }
    let pids = store.server_processes().await.ok()?;
    let ticks = |pid: &i64| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name of a process may hold spaces; what follows its parenthesis does not.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |place: usize| fields.get(place)?.parse::<f64>().ok();
        Some(number(11)? + number(12)?)
    };
    let found: Vec<f64> = pids.iter().filter_map(ticks).collect();
    // A hundredth of a second on every Linux there is.
    (!found.is_empty()).then(|| found.iter().sum::<f64>() / 100.0)
}
