//! How a search is led from outside while it runs.

use crate::time::Budget;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a search is doing, seen from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It thinks on its own time.
    Thinking,
    /// It thinks on the other side's time, and no clock counts.
    Pondering,
}

/// Shared by a search and whoever leads it: says stop, says that the pondered move was played, and
/// knows since when the clock runs.
///
/// ```
/// use tesuji_search::{Control, Phase};
/// let control = Control::new(Phase::Pondering, None);
/// assert!(!control.is_stopped());
/// control.hit(None);
/// assert_eq!(control.phase(), Phase::Thinking);
/// control.stop();
/// assert!(control.is_stopped());
/// ```
#[derive(Debug)]
pub struct Control {
    stopped: AtomicBool,
    pondering: AtomicBool,
    asked: Instant,
    /// When the own clock began to run, in microseconds after `asked`.
    clock_start: AtomicU64,
    /// The budget in microseconds; `NONE` if there is none.
    optimum: AtomicU64,
    maximum: AtomicU64,
}

const NONE: u64 = u64::MAX;

impl Control {
    /// The question is asked now; the budget counts from now on or, when pondering, from the hit.
    pub fn new(phase: Phase, budget: Option<Budget>) -> Self {
        let control = Self {
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(phase == Phase::Pondering),
            asked: Instant::now(),
            clock_start: AtomicU64::new(0),
            optimum: AtomicU64::new(NONE),
            maximum: AtomicU64::new(NONE),
        };
        control.allow(budget);
        control
    }

    /// Ends the search as soon as it looks, which it does every few microseconds.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// What [`Control::stop`] sets, for searches that look at nothing else.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// The pondered move was played: the clock runs from now on. A budget replaces the earlier one.
    pub fn hit(&self, budget: Option<Budget>) {
        if budget.is_some() {
            self.allow(budget);
        }
        let now = u64::try_from(self.asked.elapsed().as_micros()).unwrap_or(NONE);
        self.clock_start.store(now, Ordering::Release);
        self.pondering.store(false, Ordering::Release);
    }

    /// On whose time the search thinks.
    pub fn phase(&self) -> Phase {
        if self.pondering.load(Ordering::Acquire) {
            Phase::Pondering
        } else {
            Phase::Thinking
        }
    }

    /// Since the question was asked.
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
    pub fn budget(&self) -> Option<Budget> {
        let maximum = self.maximum.load(Ordering::Acquire);
        (maximum != NONE).then(|| Budget {
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

    fn allow(&self, budget: Option<Budget>) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(NONE - 1);
        let (optimum, maximum) =
            budget.map_or((NONE, NONE), |b| (micros(b.optimum), micros(b.maximum)));
        self.optimum.store(optimum, Ordering::Release);
        self.maximum.store(maximum, Ordering::Release);
    }
}
