//! One `go`, from the question to its only answer, seen from all threads.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tesuji_search::{Phase, SearchControl, TimeBudget};
use tesuji_shogi::{Move, Value};

/// Leads a search and holds its answer back until it may be given: a search that pondered its way
/// to the end waits for `ponderhit`, an endless one for `stop`.
pub(super) struct Session {
    /// What the search is led by.
    pub(super) control: SearchControl,
    is_endless: bool,
    gate: Mutex<Gate>,
    changed: Condvar,
}

struct Gate {
    is_held: bool,
    is_silent: bool,
    is_done: bool,
    /// Whether files are read for it. Nobody can answer well before that is done.
    is_loading: bool,
    /// The best line told so far, and its value for the side to move.
    line: Option<(Value, Vec<Move>)>,
}

impl Session {
    pub(super) fn new(phase: Phase, budget: Option<TimeBudget>, is_endless: bool) -> Self {
        Self {
            control: SearchControl::new(phase, budget),
            is_endless,
            gate: Mutex::new(Gate {
                is_held: is_endless || phase == Phase::Pondering,
                is_silent: false,
                is_done: false,
                is_loading: false,
                line: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn gate(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, is_silent: bool) {
        let mut gate = self.gate();
        gate.is_held = false;
        gate.is_silent |= is_silent;
        self.changed.notify_all();
    }

    /// The answer is wanted now.
    pub(super) fn stop(&self) {
        self.control.stop();
        self.open(false);
    }

    /// No answer is wanted any more. Comes in time only for a session whose answer is held back.
    pub(super) fn silence(&self) {
        self.control.stop();
        self.open(true);
    }

    /// The guessed move was played.
    pub(super) fn ponderhit(&self, budget: Option<TimeBudget>) {
        self.control.ponderhit(budget);
        if !self.is_endless {
            self.open(false);
        }
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.control.phase() == Phase::Pondering && !self.is_done()
    }

    /// Whether only `stop` ends it.
    pub(super) fn is_endless(&self) -> bool {
        self.is_endless
    }

    pub(super) fn is_done(&self) -> bool {
        self.gate().is_done
    }

    /// Whether the answer will come without another word.
    pub(super) fn ends_alone(&self) -> bool {
        !self.gate().is_held
    }

    /// Says something before the answer, if it is still wanted. Nothing is said after the answer.
    pub(super) fn speak(&self, say: impl FnOnce()) {
        let gate = self.gate();
        if !gate.is_silent && !gate.is_done {
            say();
        }
    }

    /// Waits until the answer may be given and gives it, unless another thread has or nobody wants
    /// it any more; whether it was given.
    pub(super) fn answer(&self, say: impl FnOnce()) -> bool {
        let gate = self.changed.wait_while(self.gate(), |gate| gate.is_held);
        let mut gate = gate.unwrap_or_else(PoisonError::into_inner);
        let is_wanted = !gate.is_silent && !gate.is_done;
        if is_wanted {
            say();
            gate.is_done = true;
            self.changed.notify_all();
        }
        is_wanted
    }

    /// Remembers the best line, for whoever must answer at once.
    pub(super) fn keep_line(&self, value: Value, line: &[Move]) {
        if !line.is_empty() {
            self.gate().line = Some((value, line.to_vec()));
        }
    }

    pub(super) fn set_loading(&self, is_loading: bool) {
        self.gate().is_loading = is_loading;
    }

    pub(super) fn is_loading(&self) -> bool {
        self.gate().is_loading
    }

    pub(super) fn line(&self) -> Option<(Value, Vec<Move>)> {
        self.gate().line.clone()
    }

    pub(super) fn has_line(&self) -> bool {
        self.gate().line.is_some()
    }

    /// Everything is said, be it an answer or not.
    pub(super) fn finish(&self) {
        self.gate().is_done = true;
        self.changed.notify_all();
    }

    /// Waits until the answer was given.
    pub(super) fn wait_until_done(&self) {
        let gate = self.gate();
        let gate = self.changed.wait_while(gate, |gate| !gate.is_done);
        drop(gate.unwrap_or_else(PoisonError::into_inner));
    }
}
