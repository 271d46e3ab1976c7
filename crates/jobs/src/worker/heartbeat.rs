//! The leases that a worker holds, and which of them it still has.

use crate::store::Claimed;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

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
pub(super) struct HeldLeases(Mutex<HashMap<String, (u64, Arc<AtomicBool>)>>);

impl HeldLeases {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (u64, Arc<AtomicBool>)>> {
        // Whoever panicked left the list as it was.
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(super) fn hold(&self, job: &Claimed) -> HeldLease {
        let stop = Arc::new(AtomicBool::new(false));
        let value = (job.seconds, stop.clone());
        self.lock().insert(job.lease.clone(), value);
        HeldLease {
            lease: job.lease.clone(),
            stop,
        }
    }

    pub(super) fn release(&self, held: &HeldLease) {
        self.lock().remove(&held.lease);
    }

    pub(super) fn leases(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// How long from beat to beat: a fifth of the shortest lease.
    pub(super) fn pause(&self) -> Duration {
        let shortest = self.lock().values().map(|(seconds, _)| *seconds).min();
        let fifth = shortest.map(|seconds| Duration::from_secs(seconds) / 5);
        fifth.map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
    }

    /// Gives up what was asked about and is somebody else's now.
    pub(super) fn keep_only(&self, asked: &[String], mine: &[String]) {
        for (lease, (_, stop)) in &*self.lock() {
            if asked.contains(lease) && !mine.contains(lease) {
                stop.store(true, Relaxed);
            }
        }
    }

    pub(super) fn stop_all(&self) {
        for (_, stop) in self.lock().values() {
            stop.store(true, Relaxed);
        }
    }
}
