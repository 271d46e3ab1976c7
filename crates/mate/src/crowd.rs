//! Where the threads of one search are, so that they keep out of each other's way.
//!
//! A move behind which another thread searches counts as harder than it is (virtual proof numbers,
//! Kaneko 2010) when a thread chooses its way. Nothing of that is stored: no proof rests on it.

use crate::number::{Number, plus};
use crate::table::Place;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Room enough for long paths to meet seldom by chance.
const ROOMS: usize = 1 << 16;

/// How many threads have a position on their path. Positions share rooms, so that the answer is a
/// hint and no more.
pub(crate) struct Crowd {
    rooms: Box<[AtomicU8]>,
}

impl Crowd {
    pub(crate) fn new() -> Self {
        Self {
            rooms: (0..ROOMS).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    #[inline(always)]
    fn room(&self, place: Place) -> &AtomicU8 {
        let hand = u64::from(place.hand.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.rooms[((place.key ^ hand) >> 40) as usize % ROOMS]
    }

    /// A thread comes.
    #[inline(always)]
    pub(crate) fn enter(&self, place: Place) {
        self.room(place).fetch_add(1, Relaxed);
    }

    /// A thread goes.
    #[inline(always)]
    pub(crate) fn leave(&self, place: Place) {
        self.room(place).fetch_sub(1, Relaxed);
    }

    /// How many threads are there.
    #[inline(always)]
    pub(crate) fn count(&self, place: Place) -> u8 {
        self.room(place).load(Relaxed)
    }
}

/// What a number looks like to one who would be the next of so many threads behind a move.
#[inline(always)]
pub(crate) fn seen_by_next(number: Number, threads: u8) -> Number {
    plus(number, Number::from(threads) * (number / 4 + 4))
}
