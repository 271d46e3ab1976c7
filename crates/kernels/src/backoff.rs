//! How long to wait before trying again: longer every time.
//!
//! Doubling is the exponential backoff of Ethernet (Metcalfe and Boggs 1976).

use std::time::Duration;

/// Pauses that double from the first to the longest.
///
/// ```
/// use std::time::Duration;
/// use tesuji_kernels::Backoff;
/// let second = Duration::from_secs(1);
/// let mut backoff = Backoff::new(second, 5 * second);
/// let pauses = [1, 2, 4, 5, 5].map(|count| count * second);
/// assert_eq!([(); 5].map(|()| backoff.pause()), pauses);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
    tries: u32,
}

impl Default for Backoff {
    /// From a second to a minute.
    fn default() -> Self {
        Self::new(Duration::from_secs(1), Duration::from_secs(60))
    }
}

impl Backoff {
    /// Pauses between these two; if the first is the longer one, all are like it.
    pub fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            next: first,
            tries: 0,
        }
    }

    /// All is well again.
    pub fn reset(&mut self) {
        *self = Self::new(self.first, self.longest);
    }

    /// How often it was tried in vain.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// The next pause.
    pub fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = pause.saturating_mul(2).min(self.longest).max(self.first);
        self.tries = self.tries.saturating_add(1);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_limit_and_begin_again() {
        let second = Duration::from_secs(1);
        let mut backoff = Backoff::default();
        let pauses = [1, 2, 4, 8, 16, 32, 60, 60].map(|count| count * second);
        assert_eq!([(); 8].map(|()| backoff.pause()), pauses);
        assert_eq!(backoff.tries(), 8);
        backoff.reset();
        assert_eq!((backoff.pause(), backoff.tries()), (second, 1));
        let mut steady = Backoff::new(5 * second, second);
        assert_eq!([(); 2].map(|()| steady.pause()), [5 * second; 2]);
    }
}
