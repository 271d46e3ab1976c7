//! How long to wait before trying again: longer every time.

use std::time::Duration;

/// Pauses that double up to a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReconnectBackoff {
    first: Duration,
    most: Duration,
    next: Duration,
    tries: u32,
}

impl ReconnectBackoff {
    pub(super) fn new(first: Duration, most: Duration) -> Self {
        Self {
            first,
            most,
            next: first,
            tries: 0,
        }
    }

    /// All is well again.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.first, self.most);
    }

    /// How often it was tried in vain.
    pub(super) fn tries(&self) -> u32 {
        self.tries
    }

    /// The next pause.
    pub(super) fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(self.most).max(self.first);
        self.tries = self.tries.saturating_add(1);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_limit() {
        let second = Duration::from_secs(1);
        let mut backoff = ReconnectBackoff::new(second, 5 * second);
        let pauses = [1, 2, 4, 5, 5].map(|count| count * second);
        assert_eq!([(); 5].map(|()| backoff.pause()), pauses);
        assert_eq!(backoff.tries(), 5);
        backoff.reset();
        assert_eq!((backoff.pause(), backoff.tries()), (second, 1));
    }
}
