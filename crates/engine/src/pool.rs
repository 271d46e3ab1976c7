//! A pool of engine hosts: a few threads that search, each for one job at a time.
//!
//! Jobs wait in one queue. A job without end gives way as soon as another one waits and no thread is
//! free; a second job without end is then refused, for it would wait for ever.

use crate::config::EngineConfig;
use crate::engine_search::EngineSearch;
use crate::factory::{MakeSearchError, SearchFactory};
use crate::host::EngineHost;
use crate::panic_report::{PanicReport, catch_panic};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tesuji_search::SearchControl;

/// How many jobs are done at the same time; each has its share of the table.
const THREADS: usize = 2;

/// How many may wait.
const LONGEST_QUEUE: usize = 32;

/// Searches are deep, and a stack costs nothing until it is used.
const STACK: usize = 32 << 20;

/// What is done with a search, or with the reason why there is none.
type PoolWork = Box<dyn FnOnce(Result<&mut dyn EngineSearch, MakeSearchError>) + Send>;

/// Something to search for.
pub struct PoolJob {
    /// Ends it.
    pub control: Arc<SearchControl>,
    /// Whether it goes on until it is told to stop.
    pub is_endless: bool,
    /// What is done.
    pub work: PoolWork,
    /// What the report says if it panics: the position.
    pub about: String,
    /// What is done if it panics.
    pub failed: Box<dyn FnOnce(&PanicReport) + Send>,
}

/// A job was not taken: too many are being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolBusy;

/// The threads and their queue.
pub struct EnginePool {
    shared: Arc<PoolState>,
}

struct PoolState {
    /// What the searches are made from.
    config: Mutex<EngineConfig>,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<PoolJob>,
    running: [Option<RunningJob>; THREADS],
    is_closed: bool,
}

/// The job of a thread.
struct RunningJob {
    control: Arc<SearchControl>,
    is_endless: bool,
    /// Whether it has its result, and its thread is as good as free.
    is_done: bool,
}

impl Queue {
    /// How many threads are free, or will be at once.
    fn free(&self) -> usize {
        let is_free = |job: &&Option<RunningJob>| job.as_ref().is_none_or(|job| job.is_done);
        self.running.iter().filter(is_free).count()
    }
}

impl PoolState {
    fn config(&self) -> MutexGuard<'_, EngineConfig> {
        self.config.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing is left half done where a thread could panic.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The configuration of one thread of the pool. The first one takes whatever comes while it is free; the
/// others search beside it, with half as many threads: they share the machine anyway.
fn share_of(config: &EngineConfig, number: usize) -> EngineConfig {
    EngineConfig {
        memory_bytes: config.memory_bytes / THREADS,
        threads: match number {
            0 => config.threads,
            _ => config.threads.div_ceil(2),
        },
        ..config.clone()
    }
}

impl EnginePool {
    /// Starts the threads; they load the evaluation with their first job. The threads share the
    /// table size of the configuration.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn new(
        config: &EngineConfig,
        factory: impl SearchFactory + Clone + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(PoolState {
            config: Mutex::new(config.clone()),
            queue: Mutex::default(),
            changed: Condvar::new(),
        });
        for number in 0..THREADS {
            let shared = shared.clone();
            let host = EngineHost::new(Box::new(factory.clone()));
            std::thread::Builder::new()
                .name(format!("engine {number}"))
                .stack_size(STACK)
                .spawn(move || run(&shared, number, host))?;
        }
        Ok(Self { shared })
    }

    /// From its next job on, every thread searches with another configuration.
    pub fn configure(&self, config: &EngineConfig) {
        self.shared.config().clone_from(config);
    }

    /// Puts a job into the queue.
    ///
    /// # Errors
    /// If too many jobs wait, or the job would wait for ever.
    pub fn submit(&self, job: PoolJob) -> Result<(), PoolBusy> {
        let mut queue = self.shared.queue();
        if queue.waiting.len() >= LONGEST_QUEUE {
            return Err(PoolBusy);
        }
        if queue.waiting.len() >= queue.free() {
            // No thread will be free: the first job without end has to give way.
            let running = || queue.running.iter().flatten();
            let endless = running().find(|other| other.is_endless && !other.control.is_stopped());
            match endless {
                Some(other) if !job.is_endless => other.control.stop(),
                None if !job.is_endless => {}
                // One that was told to stop is about to make room.
                _ if running().any(|other| other.control.is_stopped()) => {}
                _ => return Err(PoolBusy),
            }
        }
        queue.waiting.push_back(job);
        drop(queue);
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Marks a job that has its result: a job that follows from it need not wait for another
    /// thread.
    pub fn mark_done(&self, control: &Arc<SearchControl>) {
        let mut queue = self.shared.queue();
        let mut running = queue.running.iter_mut().flatten();
        if let Some(job) = running.find(|job| Arc::ptr_eq(&job.control, control)) {
            job.is_done = true;
        }
    }

    /// Stops all jobs, and takes no more.
    pub fn close(&self) {
        let mut queue = self.shared.queue();
        queue.is_closed = true;
        queue.waiting.clear();
        for job in queue.running.iter().flatten() {
            job.control.stop();
        }
        drop(queue);
        self.shared.changed.notify_all();
    }
}

/// One thread: does jobs until the pool is closed.
fn run(shared: &PoolState, number: usize, mut host: EngineHost) {
    while let Some(job) = next(shared, number) {
        if !job.control.is_stopped() {
            let (work, failed) = (job.work, job.failed);
            let config = share_of(&shared.config(), number);
            if let Err(report) = catch_panic(&job.about, || work(host.search(&config))) {
                // What a search that panicked left behind is not searched with again.
                host.forget();
                // Nor may the news of it end the thread.
                let _ = catch_panic(&job.about, || failed(&report));
            }
        }
        shared.queue().running[number] = None;
    }
}

fn next(shared: &PoolState, number: usize) -> Option<PoolJob> {
    // What a search has loaded is best used by the next one: threads begin only if those before them
    // have something to do.
    let is_idle = |queue: &mut Queue| {
        let is_needed = queue.running[..number].iter().all(Option::is_some);
        !queue.is_closed && (queue.waiting.is_empty() || !is_needed)
    };
    let queue = shared.changed.wait_while(shared.queue(), is_idle);
    let mut queue = queue.unwrap_or_else(PoisonError::into_inner);
    if queue.is_closed {
        return None;
    }
    let job = queue.waiting.pop_front()?;
    queue.running[number] = Some(RunningJob {
        control: job.control.clone(),
        is_endless: job.is_endless,
        is_done: false,
    });
    if !queue.waiting.is_empty() {
        shared.changed.notify_all();
    }
    Some(job)
}

#[cfg(test)]
mod tests;
