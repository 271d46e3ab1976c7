//! The leases that a worker holds, which of them it still has, and when it has to say so.

use crate::store::Claimed;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often at least a worker says that it lives.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A lease of a job that is being done.
#[derive(Clone, Debug)]
pub(super) struct HeldLease {
    lease: String,
    /// Set when the job need not be finished.
    pub(super) stop: Arc<AtomicBool>,
}

/// All leases that a worker holds.
#[derive(Debug, Default)]
pub(super) struct HeldLeases {
    state: Mutex<LeaseState>,
    /// A lease has come, or no more will.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct LeaseState {
    leases: HashMap<String, (u64, Arc<AtomicBool>)>,
    /// What comes need not be finished either.
    is_closed: bool,
    is_over: bool,
}

impl LeaseState {
    /// How long from beat to beat: a fifth of the shortest lease.
    fn pause(&self) -> Duration {
        let shortest = self.leases.values().map(|(seconds, _)| *seconds).min();
        let fifth = shortest.map(|seconds| Duration::from_secs(seconds) / 5);
        fifth.map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
    }

    fn stop_all(&self) {
        for (_, stop) in self.leases.values() {
            stop.store(true, Relaxed);
        }
    }
}

impl HeldLeases {
    fn lock(&self) -> MutexGuard<'_, LeaseState> {
        // Whoever panicked left the list as it was.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hold(&self, job: &Claimed) -> HeldLease {
        let mut state = self.lock();
        let stop = Arc::new(AtomicBool::new(state.is_closed));
        let value = (job.seconds, stop.clone());
        state.leases.insert(job.lease.clone(), value);
        drop(state);
        self.changed.notify_all();
        HeldLease {
            lease: job.lease.clone(),
            stop,
        }
    }

    pub(super) fn release(&self, held: &HeldLease) {
        self.lock().leases.remove(&held.lease);
    }

    pub(super) fn leases(&self) -> Vec<String> {
        self.lock().leases.keys().cloned().collect()
    }

    /// Waits until the next beat after this one is due, which a short lease may bring forward; `false`
    /// if there is none, because all is over.
    pub(super) fn wait_for_beat(&self, last: Instant) -> bool {
        let mut state = self.lock();
        while !state.is_over {
            let left = state.pause().saturating_sub(last.elapsed());
            if left.is_zero() {
                return true;
            }
            let waited = self.changed.wait_timeout(state, left);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        false
    }

    /// Gives up what was asked about and is somebody else's now.
    pub(super) fn keep_only(&self, asked: &[String], mine: &[String]) {
        for (lease, (_, stop)) in &self.lock().leases {
            if asked.contains(lease) && !mine.contains(lease) {
                stop.store(true, Relaxed);
            }
        }
    }

    pub(super) fn stop_all(&self) {
        self.lock().stop_all();
    }

    /// Nothing need be finished, not even what comes now.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.stop_all();
    }

    /// No lease will come any more.
    pub(super) fn end(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::JobKind;

    fn claimed(lease: &str, seconds: u64) -> Claimed {
        Claimed {
            job: 1,
            campaign: 1,
            kind: JobKind::Match,
            lease: lease.into(),
            seconds,
            spec: String::new(),
        }
    }

    #[test]
    fn a_short_lease_brings_the_beat_forward_and_the_end_wakes() {
        let (held, start) = (HeldLeases::default(), Instant::now());
        held.hold(&claimed("long", 600));
        std::thread::scope(|scope| {
            let beat = scope.spawn(|| held.wait_for_beat(start));
            let short = held.hold(&claimed("short", 1));
            assert!(beat.join().unwrap());
            held.release(&short);
            let beat = scope.spawn(|| held.wait_for_beat(Instant::now()));
            held.end();
            assert!(!beat.join().unwrap());
        });
        assert!(start.elapsed() < LONGEST_PAUSE);
    }

    #[test]
    fn what_comes_after_the_end_need_not_be_finished() {
        let held = HeldLeases::default();
        let before = held.hold(&claimed("before", 60));
        held.stop_all();
        let between = held.hold(&claimed("between", 60));
        let is_stopped = |held: &HeldLease| held.stop.load(Relaxed);
        assert!(is_stopped(&before) && !is_stopped(&between));
        held.close();
        let after = held.hold(&claimed("after", 60));
        assert!(is_stopped(&between) && is_stopped(&after));
    }
}
