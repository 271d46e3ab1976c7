//! Pauses that grow, with a part left to chance: a thousand workers that lost their store at the same
//! moment come back at a thousand different ones.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Pauses that double from the first to the longest.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Default for Backoff {
    /// From a second to a minute.
    fn default() -> Self {
        Self::new(Duration::from_secs(1), Duration::from_secs(60))
    }
}

impl Backoff {
    /// Pauses between these two.
    pub fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            next: first,
        }
    }

    /// The next pause: between a half and the whole of what is due.
    pub fn next_pause(&mut self) -> Duration {
        let due = self.next;
        self.next = (due * 2).min(self.longest);
        due.mul_f64(0.5 + 0.5 * fastrand::f64())
    }

    /// Begins with the first pause again.
    pub fn reset(&mut self) {
        self.next = self.first;
    }
}

/// Sleeps unless somebody says stop; whether it slept to the end.
pub(super) fn sleep(pause: Duration, stop: &AtomicBool) -> bool {
    let until = Instant::now() + pause;
    loop {
        if stop.load(Relaxed) {
            return false;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(Duration::from_millis(50)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_longest_and_never_beyond() {
        let mut backoff = Backoff::default();
        let pauses: Vec<f64> = (0..10)
            .map(|_| backoff.next_pause().as_secs_f64())
            .collect();
        for (pause, due) in pauses
            .iter()
            .zip([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0])
        {
            assert!((due / 2.0..=due).contains(pause), "{pause} of {due}");
        }
        assert!(pauses.iter().all(|&pause| pause <= 60.0));
        backoff.reset();
        assert!(backoff.next_pause() <= Duration::from_secs(1));
    }
}
