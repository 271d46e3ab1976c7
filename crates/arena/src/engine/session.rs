//! One `go`, from the question to its only answer, seen from both threads.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tesuji_search::{Budget, Control, Phase};

/// Leads a search and holds its answer back until it may be given: a search that pondered its way
/// to the end waits for `ponderhit`, an endless one for `stop`.
pub(super) struct Session {
    /// What the search is led by.
    pub(super) control: Control,
    is_endless: bool,
    gate: Mutex<Gate>,
    changed: Condvar,
}

struct Gate {
    is_held: bool,
    is_silent: bool,
    is_done: bool,
}

impl Session {
    pub(super) fn new(phase: Phase, budget: Option<Budget>, is_endless: bool) -> Self {
        Self {
            control: Control::new(phase, budget),
            is_endless,
            gate: Mutex::new(Gate {
                is_held: is_endless || phase == Phase::Pondering,
                is_silent: false,
                is_done: false,
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
    pub(super) fn hit(&self, budget: Option<Budget>) {
        self.control.hit(budget);
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

    pub(super) fn is_silent(&self) -> bool {
        self.gate().is_silent
    }

    pub(super) fn is_done(&self) -> bool {
        self.gate().is_done
    }

    /// Whether the answer will come without another word.
    pub(super) fn ends_alone(&self) -> bool {
        !self.gate().is_held
    }

    /// Waits until the answer may be given; whether it is wanted.
    pub(super) fn wait_for_leave(&self) -> bool {
        let gate = self.gate();
        let gate = self.changed.wait_while(gate, |gate| gate.is_held);
        !gate.unwrap_or_else(PoisonError::into_inner).is_silent
    }

    /// The answer was given.
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
