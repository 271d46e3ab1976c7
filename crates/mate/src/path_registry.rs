//! The path registry: where the threads of one search are, so that they keep out of each other's
//! way.
//!
//! A move behind which another thread searches counts as harder than it is (virtual proof numbers,
//! Kaneko 2010) when a thread chooses its way. Nothing of that is stored: no proof rests on it.

use crate::number::{ProofNumber, plus};
use crate::table::PositionKey;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Enough for long paths to share one seldom by chance.
const COUNTERS: usize = 1 << 16;

/// How many threads have a position on their path. Positions share counters, so that the answer is
/// a hint and no more.
pub(crate) struct PathRegistry {
    counters: Box<[AtomicU8]>,
}

impl PathRegistry {
    pub(crate) fn new() -> Self {
        Self {
            counters: (0..COUNTERS).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    #[inline(always)]
    fn counter(&self, position: PositionKey) -> &AtomicU8 {
        let hand = u64::from(position.hand.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.counters[((position.key ^ hand) >> 40) as usize % COUNTERS]
    }

    /// A thread comes.
    #[inline(always)]
    pub(crate) fn enter(&self, position: PositionKey) {
        self.counter(position).fetch_add(1, Relaxed);
    }

    /// A thread goes.
    #[inline(always)]
    pub(crate) fn leave(&self, position: PositionKey) {
        self.counter(position).fetch_sub(1, Relaxed);
    }

    /// How many threads are there.
    #[inline(always)]
    pub(crate) fn count(&self, position: PositionKey) -> u8 {
        self.counter(position).load(Relaxed)
    }
}

/// What a number looks like to one who would be the next of so many threads behind a move.
#[inline(always)]
pub(crate) fn seen_by_next(number: ProofNumber, threads: u8) -> ProofNumber {
    plus(number, ProofNumber::from(threads) * (number / 4 + 4))
}
