//! What was done, what broke, and until when.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Shared by all attacks.
pub(super) struct Tally {
    /// This program.
    pub(super) own: PathBuf,
    /// Where files go.
    pub(super) folder: PathBuf,
    until: Instant,
    counts: Mutex<BTreeMap<&'static str, u64>>,
}

impl Tally {
    pub(super) fn new(own: PathBuf, folder: PathBuf, until: Instant) -> Self {
        let counts = Mutex::new(BTreeMap::from([("broken", 0)]));
        Self {
            own,
            folder,
            until,
            counts,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts something.
    pub(super) fn add(&self, what: &'static str, count: u64) {
        *self.lock().entry(what).or_default() += count;
    }

    /// Remembers the largest of something.
    pub(super) fn most(&self, what: &'static str, value: u64) {
        let mut counts = self.lock();
        let most = counts.entry(what).or_default();
        *most = value.max(*most);
    }

    /// Something broke.
    pub(super) fn broke(&self, fault: &str) {
        self.add("broken", 1);
        let _ = writeln!(std::io::stderr(), "BROKEN: {fault}");
    }

    pub(super) fn broken(&self) -> u64 {
        self.lock().get("broken").copied().unwrap_or(0)
    }

    pub(super) fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.lock().clone()
    }
}
