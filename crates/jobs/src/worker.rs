//! A worker: it shows what it can, takes jobs, says that it lives, and hands results in.
//!
//! A result is on disk before it is told, and stays there until the store has taken it; whatever fails
//! meanwhile, the next start of the same worker tells it again. A store that does not answer is asked
//! again later and later, each worker at moments of its own.
//!
//! Leases with heartbeats, and a signature before work, as in fishtest (Linscott 2013) and
//! OpenBench (Grant 2019).

mod heartbeat;
mod spool;

pub use spool::{Spool, SpoolError, SpooledResult};

use crate::address::StoreAddress;
use crate::files::FileStore;
use crate::spec::{BookJob, BookSpec, JobKind};
use crate::store::{Claimed, Completion, Enrollment, Store, StoreError};
use crate::terms::{Terms, TermsError};
use crate::work::{BookReplica, WorkContext, WorkError, do_job};
use heartbeat::{HeldLease, HeldLeases};
use std::collections::HashMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_kernels::{Backoff, StopSignal};
use tokio::runtime::Runtime;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// Where the farm is.
    pub address: StoreAddress,
    /// What it calls itself.
    pub name: String,
    /// Which processor it has.
    pub cpu: String,
    /// How many jobs it does at a time.
    pub threads: usize,
    /// Which kinds of jobs it takes.
    pub kinds: Vec<JobKind>,
    /// How many jobs each thread takes at once.
    pub batch: usize,
    /// Where results wait until the store has taken them.
    pub spool: PathBuf,
    /// Where files are kept.
    pub files: FileStore,
    /// This program, which plays the games of matches.
    pub program: PathBuf,
    /// Whether it finishes what it has begun when it is asked to stop, instead of giving it back.
    pub finishes: bool,
    /// Ends when there was no work for so long.
    pub idle: Option<Duration>,
}

/// What a worker tells whoever watches it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerEvent {
    /// It may work.
    Enrolled(i64),
    /// A job is done.
    Done {
        /// Which.
        job: i64,
        /// Of which kind.
        kind: JobKind,
        /// How long it took.
        time: Duration,
    },
    /// A result was not taken: it is late, or was told before.
    NotTaken(i64),
    /// A result was refused as corrupt.
    Refused(i64),
    /// A job cannot be done.
    Failed(i64, String),
    /// Something is not there at the moment.
    Waiting(String, Duration),
}

/// What a worker did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkerTally {
    /// Jobs done and taken.
    pub done: u64,
    /// Jobs that failed.
    pub failed: u64,
    /// Jobs given back.
    pub given_back: u64,
    /// How long jobs took, all together, in milliseconds.
    pub work_millis: u64,
    /// How long the store was waited for, all together, in milliseconds.
    pub store_millis: u64,
}

/// Why a worker cannot work.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The farm does not want it.
    #[error("the farm refuses this worker: {0}")]
    Refused(String),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing can be shown.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Results cannot be kept.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// The system has no threads.
    #[error("cannot start: {0}")]
    System(#[from] std::io::Error),
}

/// A call of the store that takes longer is given up and made again.
const SILENCE: Duration = Duration::from_secs(30);

/// For how long after work more of it is looked for often.
const SOON: Duration = Duration::from_secs(20);

/// Works until somebody says stop, or there has been nothing to do for long enough.
///
/// # Errors
/// If the farm refuses the worker, or its results cannot be kept.
pub fn work(
    config: &WorkerConfig,
    stop: &StopSignal,
    tell: &(dyn Fn(WorkerEvent) + Sync),
) -> Result<WorkerTally, WorkerError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let spool = Spool::open(&config.spool, &config.name)?;
    let connections = config.threads.clamp(1, 8) as u32 + 1;
    let open = || Store::open(&config.address, connections);
    let Some(store) = persist(&runtime, stop, tell, open)? else {
        return Ok(WorkerTally::default());
    };
    let worker = JobWorker {
        config,
        runtime,
        store,
        id: AtomicI64::new(0),
        spool,
        held: Arc::default(),
        stop,
        tell,
        counts: WorkerCounts::default(),
        last_work: std::sync::Mutex::new(Instant::now()),
    };
    worker.run()?;
    worker.runtime.block_on(worker.store.close());
    Ok(worker.counts.tally())
}

/// Makes a call until it is answered; `None` if somebody says stop before.
fn persist<T, F: Future<Output = Result<T, StoreError>>>(
    runtime: &Runtime,
    stop: &StopSignal,
    tell: &(dyn Fn(WorkerEvent) + Sync),
    call: impl Fn() -> F,
) -> Result<Option<T>, StoreError> {
    let mut backoff = Backoff::default();
    loop {
        let answer = runtime.block_on(async { tokio::time::timeout(SILENCE, call()).await });
        let error = match answer {
            Ok(Ok(answer)) => return Ok(Some(answer)),
            Ok(Err(error)) => error,
            Err(_) => StoreError::Silent(SILENCE.as_secs()),
        };
        if !error.is_transient() {
            return Err(error);
        }
        if !wait_for_better(&error, &mut backoff, stop, tell) {
            return Ok(None);
        }
    }
}

/// Waits before another try; `false` if somebody says stop.
fn wait_for_better(
    error: &dyn std::error::Error,
    backoff: &mut Backoff,
    stop: &StopSignal,
    tell: &(dyn Fn(WorkerEvent) + Sync),
) -> bool {
    let pause = spread(backoff.pause());
    tell(WorkerEvent::Waiting(error.to_string(), pause));
    stop.sleep(pause)
}

/// Between a half and the whole of a pause: a thousand workers that lost their store at the same moment
/// come back at a thousand different ones.
fn spread(pause: Duration) -> Duration {
    pause.mul_f64(0.5 + 0.5 * fastrand::f64())
}

#[derive(Default)]
struct WorkerCounts {
    done: AtomicU64,
    failed: AtomicU64,
    given_back: AtomicU64,
    work_millis: AtomicU64,
    store_millis: AtomicU64,
}

impl WorkerCounts {
    fn tally(&self) -> WorkerTally {
        WorkerTally {
            done: self.done.load(Relaxed),
            failed: self.failed.load(Relaxed),
            given_back: self.given_back.load(Relaxed),
            work_millis: self.work_millis.load(Relaxed),
            store_millis: self.store_millis.load(Relaxed),
        }
    }
}

struct JobWorker<'a> {
    config: &'a WorkerConfig,
    runtime: Runtime,
    store: Store,
    id: AtomicI64,
    spool: Spool,
    held: Arc<HeldLeases>,
    stop: &'a StopSignal,
    tell: &'a (dyn Fn(WorkerEvent) + Sync),
    counts: WorkerCounts,
    last_work: std::sync::Mutex<Instant>,
}

impl JobWorker<'_> {
    fn id(&self) -> i64 {
        self.id.load(Relaxed)
    }

    fn call<T, F: Future<Output = Result<T, StoreError>>>(
        &self,
        call: impl Fn() -> F,
    ) -> Result<Option<T>, StoreError> {
        let start = Instant::now();
        let answer = persist(&self.runtime, self.stop, self.tell, call);
        let millis = start.elapsed().as_millis() as u64;
        self.counts.store_millis.fetch_add(millis, Relaxed);
        answer
    }

    fn wait_for_better(&self, error: &dyn std::error::Error, backoff: &mut Backoff) -> bool {
        wait_for_better(error, backoff, self.stop, self.tell)
    }

    fn run(&self) -> Result<(), WorkerError> {
        if !self.enroll()? {
            return Ok(());
        }
        self.deliver_all()?;
        let held = Arc::clone(&self.held);
        let gives_back = !self.config.finishes;
        let _wake = gives_back.then(|| self.stop.wake_with(move || held.close()));
        std::thread::scope(|scope| {
            scope.spawn(|| self.beat());
            let threads: Vec<_> = (0..self.config.threads.max(1))
                .map(|_| scope.spawn(|| self.work_on()))
                .collect();
            let ends: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
            // A panic goes on only when nobody waits for the next beat any more.
            self.held.end();
            let ends = ends
                .into_iter()
                .map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            ends.fold(Ok(()), Result::and)
        })
    }

    /// Shows signature and canary; whether it may work.
    fn enroll(&self) -> Result<bool, WorkerError> {
        let Some(terms) = self.call(|| self.store.terms())? else {
            return Ok(false);
        };
        let terms = Terms::read(&terms)?;
        let who = Enrollment {
            name: self.config.name.clone(),
            cpu: self.config.cpu.clone(),
            program: format!("tesuji {}", env!("CARGO_PKG_VERSION")),
            threads: self.config.threads as i64,
            bench: terms.bench()?,
            canary: terms.canary()?,
        };
        match self.call(|| self.store.enroll(&who))? {
            None => Ok(false),
            Some(Err(why)) => Err(WorkerError::Refused(why)),
            Some(Ok(id)) => {
                self.id.store(id, Relaxed);
                (self.tell)(WorkerEvent::Enrolled(id));
                Ok(true)
            }
        }
    }

    /// Says that the worker lives, and hears which leases are lost.
    fn beat(&self) {
        let mut last = Instant::now();
        while self.held.wait_for_beat(last) {
            last = Instant::now();
            let leases = self.held.leases();
            let beat = self.store.beat(self.id(), &leases);
            let beat = self
                .runtime
                .block_on(async { tokio::time::timeout(SILENCE, beat).await });
            match beat {
                Ok(Ok(mine)) => self.held.keep_only(&leases, &mine),
                // A worker that may no longer work need not finish anything.
                Ok(Err(error)) if !error.is_transient() => {
                    (self.tell)(WorkerEvent::Waiting(error.to_string(), Duration::ZERO));
                    self.held.stop_all();
                }
                // The next beat comes soon enough: a lease outlasts several.
                _ => {}
            }
        }
    }

    fn work_on(&self) -> Result<(), WorkerError> {
        let mut replicas = HashMap::new();
        let mut idle = Backoff::new(Duration::from_millis(500), Duration::from_secs(10));
        while !self.stop.is_stopped() {
            if !self.has_room()? {
                continue;
            }
            let (count, kinds) = (self.config.batch as i64, &self.config.kinds);
            let claimed = self.call(|| self.store.claim(self.id(), count, kinds))?;
            let jobs = claimed.unwrap_or_default();
            if jobs.is_empty() {
                if self.is_idle_for_long() {
                    break;
                }
                // Books and tunings open their jobs step by step: after work there is soon more.
                if self.last_work().elapsed() < SOON {
                    idle.reset();
                }
                self.stop.sleep(spread(idle.pause()));
                continue;
            }
            idle.reset();
            let held: Vec<HeldLease> = jobs.iter().map(|job| self.held.hold(job)).collect();
            for (job, held) in jobs.iter().zip(held) {
                self.handle(job, &held, &mut replicas)?;
                self.held.release(&held);
            }
        }
        Ok(())
    }

    /// Whether results can be kept; if not, waits a while before it says so.
    fn has_room(&self) -> Result<bool, WorkerError> {
        let mut backoff = Backoff::default();
        while let Err(error) = self.spool.probe() {
            if !self.wait_for_better(&error, &mut backoff) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn last_work(&self) -> Instant {
        let last = self.last_work.lock();
        *last.unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn is_idle_for_long(&self) -> bool {
        let last = self.last_work();
        let is_working = !self.held.leases().is_empty();
        let limit = self.config.idle;
        !is_working && limit.is_some_and(|limit| last.elapsed() >= limit)
    }

    /// Does a job and tells what came of it.
    fn handle(
        &self,
        job: &Claimed,
        held: &HeldLease,
        replicas: &mut HashMap<i64, BookReplica>,
    ) -> Result<(), WorkerError> {
        let start = Instant::now();
        let outcome = self.do_work(job, held, replicas);
        let time = start.elapsed();
        if let Ok(mut last) = self.last_work.lock() {
            *last = Instant::now();
        }
        self.counts
            .work_millis
            .fetch_add(time.as_millis() as u64, Relaxed);
        match outcome {
            Ok((mut report, file)) => {
                report.millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
                let result = SpooledResult::new(job, report, file);
                if let Err(error) = self.spool.keep(&result) {
                    // What is not on disk is not told; somebody with room does the job.
                    (self.tell)(WorkerEvent::Waiting(error.to_string(), Duration::ZERO));
                    return self.give_back(job);
                }
                self.deliver(&result, job.kind, time)
            }
            Err(WorkError::Stopped) => self.give_back(job),
            Err(WorkError::Failed(why)) => {
                self.counts.failed.fetch_add(1, Relaxed);
                (self.tell)(WorkerEvent::Failed(job.job, why.clone()));
                self.call(|| self.store.fail(self.id(), job.job, &job.lease, &why))?;
                Ok(())
            }
        }
    }

    fn give_back(&self, job: &Claimed) -> Result<(), WorkerError> {
        self.counts.given_back.fetch_add(1, Relaxed);
        self.call(|| self.store.give_back(self.id(), job.job, &job.lease))?;
        Ok(())
    }

    fn do_work(
        &self,
        job: &Claimed,
        held: &HeldLease,
        replicas: &mut HashMap<i64, BookReplica>,
    ) -> Result<(crate::store::JobReport, Option<Vec<u8>>), WorkError> {
        if held.stop.load(Relaxed) {
            return Err(WorkError::Stopped);
        }
        let spec = self.call(|| self.store.campaign_spec(self.id(), job.campaign));
        let spec = spec
            .map_err(WorkError::because)?
            .ok_or(WorkError::Stopped)?;
        let context = WorkContext {
            files: self.config.files.clone(),
            program: self.config.program.clone(),
        };
        let replica = match job.kind {
            JobKind::Book => Some(self.replica(job, &spec, replicas)?),
            _ => None,
        };
        // A panic is a mistake of ours, but not one that should end the other threads' work.
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            do_job(&context, job.kind, &spec, &job.spec, replica, &held.stop)
        }));
        let done = done.unwrap_or_else(|_| Err(WorkError::because("the program panicked")))?;
        Ok((done.report, done.file))
    }

    /// The book as it was after as many games as the job says.
    fn replica<'r>(
        &self,
        job: &Claimed,
        spec: &str,
        replicas: &'r mut HashMap<i64, BookReplica>,
    ) -> Result<&'r BookReplica, WorkError> {
        let wanted: BookJob = serde_json::from_str(&job.spec).map_err(WorkError::because)?;
        let spec: BookSpec = serde_json::from_str(spec).map_err(WorkError::because)?;
        let new = || BookReplica::new(&spec).map_err(WorkError::Failed);
        let mut replica = match replicas.remove(&job.campaign) {
            Some(replica) if replica.seq <= wanted.base => replica,
            _ => new()?,
        };
        while replica.seq < wanted.base {
            let (after, until) = (replica.seq, wanted.base);
            let facts = self.call(|| self.store.facts(self.id(), job.campaign, after, until));
            let facts = facts
                .map_err(WorkError::because)?
                .ok_or(WorkError::Stopped)?;
            if facts.is_empty() {
                return Err(WorkError::because("games of the book are missing"));
            }
            for (seq, payload) in facts {
                replica
                    .add(seq, &payload, true)
                    .map_err(WorkError::Failed)?;
            }
        }
        Ok(replicas.entry(job.campaign).or_insert(replica))
    }

    /// Tells results of an earlier life.
    fn deliver_all(&self) -> Result<(), WorkerError> {
        for result in self.spool.waiting()? {
            self.deliver(&result, result.kind, Duration::ZERO)?;
        }
        Ok(())
    }

    /// Tells a result until the store has it. If that does not come to pass, it stays on disk.
    fn deliver(
        &self,
        result: &SpooledResult,
        kind: JobKind,
        time: Duration,
    ) -> Result<(), WorkerError> {
        let mut backoff = Backoff::default();
        if let Some(file) = &result.file {
            while let Err(error) = self.config.files.put(file) {
                if !self.wait_for_better(&error, &mut backoff) {
                    return Ok(());
                }
            }
        }
        let (job, lease, sum) = (result.job, &result.lease, &result.sum);
        let told = self.call(|| {
            self.store
                .complete(self.id(), job, lease, sum, &result.report)
        })?;
        match told {
            None => return Ok(()),
            Some(Completion::Stored) => {
                self.counts.done.fetch_add(1, Relaxed);
                (self.tell)(WorkerEvent::Done { job, kind, time });
            }
            Some(Completion::NotTaken) => (self.tell)(WorkerEvent::NotTaken(job)),
            Some(Completion::Refused) => (self.tell)(WorkerEvent::Refused(job)),
        }
        // What cannot be removed is told once more some day, and not taken then.
        if let Err(error) = self.spool.remove(result) {
            (self.tell)(WorkerEvent::Waiting(error.to_string(), Duration::ZERO));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_pause_is_left_to_chance() {
        let (half, whole) = (Duration::from_secs(4), Duration::from_secs(8));
        let pauses: Vec<Duration> = (0..100).map(|_| spread(whole)).collect();
        assert!(pauses.iter().all(|pause| (half..=whole).contains(pause)));
        assert!(pauses.iter().any(|pause| *pause != pauses[0]));
    }
}
