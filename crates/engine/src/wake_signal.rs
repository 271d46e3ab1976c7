//! A signal that wakes a sleeping thread; given before the thread sleeps, it is not lost.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Counts how often it was given, so that none is missed.
#[derive(Debug, Default)]
pub(crate) struct WakeSignal {
    count: Mutex<u64>,
    changed: Condvar,
}

impl WakeSignal {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often it was given so far.
    pub(crate) fn count(&self) -> u64 {
        *self.lock()
    }

    /// Wakes whoever waits.
    pub(crate) fn notify(&self) {
        *self.lock() += 1;
        self.changed.notify_all();
    }

    /// Waits until it was given more often than `seen`, or the time is up if there is one.
    pub(crate) fn wait(&self, seen: u64, time: Option<Duration>) {
        let is_unchanged = |count: &mut u64| *count == seen;
        match time {
            Some(time) => drop(
                self.changed
                    .wait_timeout_while(self.lock(), time, is_unchanged),
            ),
            None => drop(self.changed.wait_while(self.lock(), is_unchanged)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_before_the_wait_is_not_lost() {
        let wake = WakeSignal::default();
        let seen = wake.count();
        std::thread::scope(|scope| {
            scope.spawn(|| wake.notify());
            wake.wait(seen, None);
        });
        assert_eq!(wake.count(), seen + 1);
        wake.wait(seen, None);
        wake.wait(seen + 1, Some(Duration::ZERO));
    }
}
