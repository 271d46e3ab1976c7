//! A bell that wakes a sleeping thread: whoever rings it before the thread sleeps is heard too.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Counts how often it was rung, so that no ring is missed.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rings: Mutex<u64>,
    rung: Condvar,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often it was rung so far.
    pub(crate) fn rings(&self) -> u64 {
        *self.lock()
    }

    /// Wakes whoever waits.
    pub(crate) fn ring(&self) {
        *self.lock() += 1;
        self.rung.notify_all();
    }

    /// Waits until it is rung more often than `seen`, or the time is up if there is one.
    pub(crate) fn wait(&self, seen: u64, time: Option<Duration>) {
        let is_quiet = |rings: &mut u64| *rings == seen;
        match time {
            Some(time) => drop(self.rung.wait_timeout_while(self.lock(), time, is_quiet)),
            None => drop(self.rung.wait_while(self.lock(), is_quiet)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_before_the_wait_is_heard() {
        let bell = Bell::default();
        let seen = bell.rings();
        std::thread::scope(|scope| {
            scope.spawn(|| bell.ring());
            bell.wait(seen, None);
        });
        assert_eq!(bell.rings(), seen + 1);
        bell.wait(seen, None);
        bell.wait(seen + 1, Some(Duration::ZERO));
    }
}
