//! Latency: how late answers come, and how much time is kept back for it.
//!
//! Where more threads want to run than there are processors, a search may be off the processor when
//! its time is up. By how much cannot be foreseen, but it can be remembered: what was late once is
//! soon late again.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tesuji_search::{SearchControl, TimeBudget};

/// Less is no sign of a busy machine, nor is a small share of a long time.
const NOTICED: Duration = Duration::from_millis(3);
const NOTICED_SHARE: u32 = 50;
/// More comes from files that were loaded, and not again.
const MOST: Duration = Duration::from_millis(200);
/// By which share it is forgotten with each answer.
const FADES: u32 = 64;

/// The worst latency of the last answers. The threads that answer note it, the one that reads
/// commands asks.
#[derive(Default)]
pub(crate) struct Latency {
    micros: AtomicU64,
}

impl Latency {
    fn worst(&self) -> Duration {
        Duration::from_micros(self.micros.load(Relaxed))
    }

    /// Notes how late the search that `control` led has answered.
    pub(crate) fn note(&self, control: &SearchControl) {
        let Some(budget) = control.budget() else {
            return;
        };
        let late = control.on_clock().saturating_sub(budget.maximum).min(MOST);
        let worst = self.worst();
        let worst = late.max(worst - worst / FADES);
        self.micros.store(worst.as_micros() as u64, Relaxed);
    }

    /// A budget with so much kept back that twice the worst does no harm, as long as a quarter of
    /// it is left.
    pub(crate) fn shorten(&self, budget: TimeBudget) -> TimeBudget {
        let worst = self.worst();
        if worst < NOTICED.max(budget.maximum / NOTICED_SHARE) {
            return budget;
        }
        let kept_back = (worst * 2).min(budget.maximum / 4 * 3);
        let maximum = budget.maximum - kept_back;
        TimeBudget {
            optimum: budget.optimum.min(maximum),
            maximum,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_search::Phase;

    const TENTH: Duration = Duration::from_millis(100);

    fn answer_after(latency: &Latency, budget: Duration, time: Duration) {
        let control = SearchControl::new(Phase::Thinking, Some(TimeBudget::exactly(budget)));
        std::thread::sleep(time);
        latency.note(&control);
    }

    #[test]
    fn who_was_late_keeps_time_back_for_a_while() {
        let latency = Latency::default();
        let usual = TimeBudget::exactly(TENTH);
        assert_eq!(latency.shorten(usual), usual);
        answer_after(
            &latency,
            Duration::from_millis(1),
            Duration::from_millis(21),
        );
        let shortened = latency.shorten(usual);
        assert!(shortened.maximum <= Duration::from_millis(60));
        assert!(shortened.maximum >= TENTH / 4 && shortened.optimum == shortened.maximum);
        for _ in 0..800 {
            answer_after(&latency, TENTH, Duration::ZERO);
        }
        assert_eq!(latency.shorten(usual), usual);
    }

    #[test]
    fn without_a_clock_there_is_no_latency() {
        let latency = Latency::default();
        latency.note(&SearchControl::new(Phase::Thinking, None));
        let control =
            SearchControl::new(Phase::Pondering, Some(TimeBudget::exactly(Duration::ZERO)));
        std::thread::sleep(Duration::from_millis(5));
        latency.note(&control);
        assert_eq!(latency.worst(), Duration::ZERO);
    }
}
