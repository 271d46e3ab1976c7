//! The only answer of one `go`: whether it may be given, whether another thread has given it, and
//! what to answer with if the search is late.

use crate::wake_signal::WakeSignal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tesuji_search::{Phase, SearchControl, TimeBudget};
use tesuji_shogi::{Move, Value};

/// Leads a search and lets its answer through once. The control holds the answer back while the
/// engine ponders, or until `stop` if only that may end the search.
pub(crate) struct AnswerGate {
    /// What leads the search.
    pub(crate) control: SearchControl,
    is_endless: bool,
    state: Mutex<GateState>,
    done: Condvar,
    /// Rung whenever the watchdog may have something to do.
    wake: Arc<WakeSignal>,
}

#[derive(Default)]
struct GateState {
    is_silent: bool,
    is_done: bool,
    /// When the answer was first asked for by `stop`.
    stopped: Option<Instant>,
    /// Whether files are read for the search, before which nobody can answer well.
    is_loading: bool,
    /// Whether everything was loaded and the search began.
    has_begun: bool,
    /// The best line reported so far, and its value for the side to move.
    best_line: Option<(Value, Vec<Move>)>,
}

impl AnswerGate {
    pub(crate) fn new(
        phase: Phase,
        budget: Option<TimeBudget>,
        is_endless: bool,
        wake: Arc<WakeSignal>,
    ) -> Self {
        Self {
            control: SearchControl::new(phase, budget),
            is_endless,
            state: Mutex::default(),
            done: Condvar::new(),
            wake,
        }
    }

    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for the answer now.
    pub(crate) fn stop(&self) {
        self.state().stopped.get_or_insert_with(Instant::now);
        self.control.stop();
        // If the search has not even begun, the watchdog answers.
        self.wake.notify();
    }

    /// How long the answer has been asked for by `stop`, if it has.
    pub(crate) fn since_stop(&self) -> Option<Duration> {
        self.state().stopped.map(|stopped| stopped.elapsed())
    }

    /// Stops the search and throws its answer away. Comes in time only while the answer is held
    /// back.
    pub(crate) fn silence(&self) {
        self.state().is_silent = true;
        self.control.stop();
    }

    /// The pondered move was played.
    pub(crate) fn ponderhit(&self, budget: Option<TimeBudget>) {
        self.control.ponderhit(budget);
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.control.phase() == Phase::Pondering && !self.is_done()
    }

    /// Whether only `stop` ends the search.
    pub(crate) fn is_endless(&self) -> bool {
        self.is_endless
    }

    pub(crate) fn is_done(&self) -> bool {
        self.state().is_done
    }

    /// Whether the answer will come without another command.
    pub(crate) fn ends_alone(&self) -> bool {
        !self.control.is_held(self.is_endless)
    }

    /// Says something before the answer, if it is still wanted. Nothing is said after the answer.
    pub(crate) fn say_before(&self, say: impl FnOnce()) {
        let state = self.state();
        if !state.is_silent && !state.is_done {
            say();
        }
    }

    /// Waits until the answer may be given and gives it, unless another thread has or nobody wants
    /// it any more; whether it was given.
    pub(crate) fn answer(&self, say: impl FnOnce()) -> bool {
        self.control.hold_answer(self.is_endless);
        let mut state = self.state();
        let is_wanted = !state.is_silent && !state.is_done;
        if is_wanted {
            say();
            state.is_done = true;
            drop(state);
            self.announce();
        }
        is_wanted
    }

    /// Remembers the best line, for the watchdog.
    pub(crate) fn set_best_line(&self, value: Value, line: &[Move]) {
        if line.is_empty() {
            return;
        }
        let old = self.state().best_line.replace((value, line.to_vec()));
        if old.is_none() {
            self.wake.notify();
        }
    }

    pub(crate) fn best_line(&self) -> Option<(Value, Vec<Move>)> {
        self.state().best_line.clone()
    }

    pub(crate) fn has_best_line(&self) -> bool {
        self.state().best_line.is_some()
    }

    pub(crate) fn set_loading(&self, is_loading: bool) {
        let mut state = self.state();
        state.is_loading = is_loading;
        state.has_begun |= !is_loading;
        drop(state);
        self.wake.notify();
    }

    /// Whether everything is loaded and the search runs, or has run.
    pub(crate) fn has_begun(&self) -> bool {
        self.state().has_begun
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.state().is_loading
    }

    /// Everything is said, be it an answer or not.
    pub(crate) fn finish(&self) {
        self.state().is_done = true;
        self.announce();
    }

    fn announce(&self) {
        self.done.notify_all();
        self.wake.notify();
    }

    /// Waits until the answer was given.
    pub(crate) fn wait_until_done(&self) {
        let state = self.done.wait_while(self.state(), |state| !state.is_done);
        drop(state.unwrap_or_else(PoisonError::into_inner));
    }
}
