//! Timing in interleaved rounds, the best of which counts, and the length of a cycle.
//!
//! A machine shared with others is slow at times but never fast by accident: every cell of a table
//! is measured once per round, and the smallest time of all rounds is the least disturbed one. Many
//! short measurements find an undisturbed moment sooner than a few long ones.

use crate::progress::Progress;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How much work some passes were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct WorkCount {
    /// How many times the component was called.
    pub(super) calls: u64,
    /// How many moves came out.
    pub(super) moves: u64,
}

/// Does the work of a cell so many times over.
pub(super) type Passes = Box<dyn FnMut(u64) -> WorkCount>;

/// One component on one set of positions.
pub(super) struct Cell {
    passes: Passes,
    /// How many passes last about as long as they should.
    repeat: u64,
    /// Nanoseconds per call in the best round.
    pub(super) nanos: f64,
    /// Moves per call.
    pub(super) moves: f64,
}

impl Cell {
    /// A cell that was not measured yet.
    pub(super) fn new(passes: Passes) -> Self {
        Self {
            passes,
            repeat: 1,
            nanos: f64::INFINITY,
            moves: 0.0,
        }
    }

    /// Whether even a single pass takes longer.
    fn is_longer_than(&self, span: Duration) -> bool {
        self.nanos.is_finite() && self.nanos > span.as_nanos() as f64
    }

    /// Measures once, for about `span`.
    pub(super) fn measure(&mut self, span: Duration) {
        loop {
            let start = Instant::now();
            let work = black_box((self.passes)(self.repeat));
            let time = start.elapsed();
            if time < span / 4 {
                // Too short to be believed: so it is at first, and after a disturbed round.
                self.repeat *= 2;
                continue;
            }
            let calls = work.calls.max(1) as f64;
            self.moves = work.moves as f64 / calls;
            self.nanos = self.nanos.min(time.as_nanos() as f64 / calls);
            let pass = self.nanos * calls / self.repeat as f64;
            self.repeat = (span.as_nanos() as f64 / pass).max(1.0) as u64;
            return;
        }
    }
}

/// Measures every cell once per round, and the length of a cycle in nanoseconds with them.
pub(super) fn measure(
    mut cells: Vec<&mut Cell>,
    rounds: u32,
    span: Duration,
    progress: &Progress,
) -> f64 {
    let mut cycle = f64::INFINITY;
    for round in 0..rounds {
        for cell in &mut cells {
            // Long work is its own mean over many moments: every fourth round is enough for it.
            if round % 4 == 0 || !cell.is_longer_than(span * 16) {
                cell.measure(span);
            }
            progress.tick();
        }
        cycle = cycle.min(cycle_nanos());
    }
    cycle
}

/// How many links the chain has: about a millisecond.
const LINKS: u64 = 2_000_000;

/// Nanoseconds per cycle of the processor as it runs now. Without a counter of cycles a chain of
/// additions and exclusive ors serves: each waits for the one before and takes one cycle on every
/// processor we know, and neither can be folded into the next.
fn cycle_nanos() -> f64 {
    let start = Instant::now();
    black_box(chain(LINKS / 2));
    start.elapsed().as_nanos() as f64 / LINKS as f64
}

/// Two links per step.
#[inline(never)]
fn chain(steps: u64) -> u64 {
    let (mask, step) = (
        black_box(0x9e37_79b9_7f4a_7c15),
        black_box(0x2545_f491_4f6c_dd1d),
    );
    let mut link = black_box(1u64);
    for _ in 0..steps {
        link = (link ^ mask).wrapping_add(step);
    }
    black_box(link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_keeps_its_best_round() {
        let mut slow = true;
        let mut cell = Cell::new(Box::new(move |repeat| {
            if std::mem::take(&mut slow) {
                std::thread::sleep(Duration::from_millis(20));
            }
            std::thread::sleep(Duration::from_micros(100 * repeat));
            WorkCount {
                calls: repeat,
                moves: 3 * repeat,
            }
        }));
        for _ in 0..3 {
            cell.measure(Duration::from_millis(2));
        }
        assert!((100e3..20e6).contains(&cell.nanos), "{}", cell.nanos);
        assert_eq!(cell.moves, 3.0);
    }

    #[test]
    fn a_cycle_is_shorter_than_ten_nanoseconds() {
        let best = (0..5).map(|_| cycle_nanos()).fold(f64::INFINITY, f64::min);
        assert!((0.05..10.0).contains(&best), "{best}");
    }
}
