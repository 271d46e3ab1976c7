//! How a search is led from outside while it runs: stop, ponderhit, and an answer that is held back.

use crate::time::TimeBudget;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a search is doing, seen from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It thinks on its own time.
    Thinking,
    /// It thinks on the other side's time, and no clock counts.
    Pondering,
}

/// Shared by a search and whoever leads it: says `stop` and `ponderhit`, knows since when the clock
/// runs, and holds the answer back while it is not wanted.
///
/// ```
/// use tesuji_search::{SearchControl, Phase};
/// let control = SearchControl::new(Phase::Pondering, None);
/// assert!(!control.is_stopped());
/// control.ponderhit(None);
/// assert_eq!(control.phase(), Phase::Thinking);
/// control.stop();
/// assert!(control.is_stopped());
/// ```
#[derive(Debug)]
pub struct SearchControl {
    stopped: AtomicBool,
    pondering: AtomicBool,
    asked: Instant,
    /// When the own clock began to run, in microseconds after `asked`.
    clock_start: AtomicU64,
    /// The budget in microseconds; `NONE` if there is none.
    optimum: AtomicU64,
    maximum: AtomicU64,
    /// Locked by whoever announces a change, so that nobody who waits misses it.
    gate: Mutex<()>,
    changed: Condvar,
}

const NONE: u64 = u64::MAX;

impl SearchControl {
    /// The search is asked for now; the budget counts from now on or, when pondering, from
    /// `ponderhit` on.
    pub fn new(phase: Phase, budget: Option<TimeBudget>) -> Self {
        let control = Self {
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(phase == Phase::Pondering),
            asked: Instant::now(),
            clock_start: AtomicU64::new(0),
            optimum: AtomicU64::new(NONE),
            maximum: AtomicU64::new(NONE),
            gate: Mutex::new(()),
            changed: Condvar::new(),
        };
        control.allow(budget);
        control
    }

    /// Ends the search as soon as it looks, which it does every few microseconds.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.announce();
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// What [`SearchControl::stop`] sets, for searches that look at nothing else.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// The pondered move was played: the clock runs from now on. A budget replaces the earlier one.
    pub fn ponderhit(&self, budget: Option<TimeBudget>) {
        if budget.is_some() {
            self.allow(budget);
        }
        self.start_clock();
        self.pondering.store(false, Ordering::Release);
        self.announce();
    }

    /// The clock runs from now on: what was spent waiting for a free thread does not count.
    pub fn start_clock(&self) {
        let now = u64::try_from(self.asked.elapsed().as_micros()).unwrap_or(NONE);
        self.clock_start.store(now, Ordering::Release);
    }

    /// Whether the answer is not wanted yet; in an infinite analysis only `stop` asks for it.
    pub fn is_held(&self, infinite: bool) -> bool {
        (infinite || self.phase() == Phase::Pondering) && !self.is_stopped()
    }

    /// Waits until the answer is wanted: while pondering until `ponderhit` or `stop`, in an
    /// infinite analysis until `stop`.
    pub fn hold_answer(&self, infinite: bool) {
        let gate = self
            .changed
            .wait_while(self.gate(), |()| self.is_held(infinite));
        drop(gate.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until the search is to end, but no longer than this.
    pub fn wait_for_stop(&self, time: Duration) {
        let is_running = |_: &mut ()| !self.is_stopped();
        let gate = self
            .changed
            .wait_timeout_while(self.gate(), time, is_running);
        drop(gate.unwrap_or_else(PoisonError::into_inner));
    }

    fn gate(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes whoever holds an answer back. A waiter that has looked at the flags but does not sleep
    /// yet owns the lock, and so hears this.
    fn announce(&self) {
        drop(self.gate());
        self.changed.notify_all();
    }

    /// On whose time the search thinks.
    pub fn phase(&self) -> Phase {
        if self.pondering.load(Ordering::Acquire) {
            Phase::Pondering
        } else {
            Phase::Thinking
        }
    }

    /// Since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.asked.elapsed()
    }

    /// How long the own clock has been running; nothing while pondering.
    pub fn on_clock(&self) -> Duration {
        match self.phase() {
            Phase::Pondering => Duration::ZERO,
            Phase::Thinking => {
                let start = Duration::from_micros(self.clock_start.load(Ordering::Acquire));
                self.asked.elapsed().saturating_sub(start)
            }
        }
    }

    /// What may be spent, if the time is limited.
    pub fn budget(&self) -> Option<TimeBudget> {
        let maximum = self.maximum.load(Ordering::Acquire);
        (maximum != NONE).then(|| TimeBudget {
            optimum: Duration::from_micros(self.optimum.load(Ordering::Acquire)),
            maximum: Duration::from_micros(maximum),
        })
    }

    /// Whether the clock forbids to think any longer.
    pub fn is_out_of_time(&self) -> bool {
        self.budget().is_some_and(|budget| {
            self.phase() == Phase::Thinking && self.on_clock() >= budget.maximum
        })
    }

    fn allow(&self, budget: Option<TimeBudget>) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(NONE - 1);
        let (optimum, maximum) =
            budget.map_or((NONE, NONE), |b| (micros(b.optimum), micros(b.maximum)));
        self.optimum.store(optimum, Ordering::Release);
        self.maximum.store(maximum, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn an_answer_is_held_until_it_is_wanted() {
        SearchControl::new(Phase::Thinking, None).hold_answer(false);
        let pondering = SearchControl::new(Phase::Pondering, None);
        thread::scope(|scope| {
            let held = scope.spawn(|| pondering.hold_answer(false));
            pondering.ponderhit(None);
            held.join().unwrap();
        });
        assert!(!pondering.is_stopped());
        let infinite = SearchControl::new(Phase::Pondering, None);
        thread::scope(|scope| {
            let held = scope.spawn(|| {
                infinite.hold_answer(true);
                infinite.is_stopped()
            });
            infinite.ponderhit(None);
            infinite.stop();
            assert!(held.join().unwrap(), "only stop ends it");
        });
    }
}
