//! The time watchdog: a thread that sleeps while another searches, and answers for it if it is late.
//!
//! Where more threads want to run than there are processors, the one that searches may be off the
//! processor when its time is up. A thread that has slept until then runs almost at once. It
//! answers with the best line reported so far. It also answers `stop` while tables and files are
//! still being prepared for the search.

use crate::answer::AnswerGate;
use crate::latency::Latency;
use crate::output::UsiOutput;
use crate::running_go::{RunningGo, with_ponder};
use crate::wake_signal::WakeSignal;
use crate::worker::EngineWorkerStatus;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tesuji_search::Phase;
use tesuji_shogi::Board;
use tesuji_usi::{BestMove, Checkmate, Reply};

/// How late the answer may come before the watchdog gives it: a share of the time
/// within these bounds, as a search with a slow evaluator looks at the clock seldom; but of a short
/// time never much, as little of it is kept back for delays.
const GRACE: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];
const GRACE_SHARE: u32 = 50;
const MOST_OF_SHORT: u32 = 8;
/// How long to wait for a first line: as long again as there was time, within these bounds. A move
/// that was looked at is worth a delay, but a game lost on time is lost, whatever the move.
const LAST_RESORT: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(100)];

/// How long whoever says `stop` waits for a search that has not begun. Most begin at once, and a move
/// that was looked at is worth that; nobody waits for large tables and files.
const STOP_PATIENCE: Duration = Duration::from_millis(100);

/// When the watchdog looks again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wait {
    /// The answer is due.
    Over,
    /// After so long, or when it is woken.
    For(Duration),
    /// When it is woken.
    ForChange,
}

impl RunningGo {
    /// How long the answer may still wait, if a clock runs and nobody has answered. Whether the worker
    /// is preparing something is told, be it for this `go` or before it.
    fn wait(&self, is_preparing: bool) -> Wait {
        let (answer, control) = (&self.answer, &self.answer.control);
        let is_answered = |earlier: &Arc<AnswerGate>| earlier.is_done();
        let is_next = self.earlier.as_ref().is_none_or(is_answered);
        if !answer.is_done() && control.is_stopped() && !answer.has_begun() {
            let is_held_up = is_preparing || answer.is_loading();
            let waited = answer.since_stop().unwrap_or(STOP_PATIENCE);
            return match STOP_PATIENCE.saturating_sub(waited) {
                _ if !is_next || !is_held_up => Wait::ForChange,
                Duration::ZERO => Wait::Over,
                left => Wait::For(left),
            };
        }
        let is_open = self.is_timed && !answer.is_done() && !answer.is_endless();
        let is_running = is_open && control.phase() == Phase::Thinking;
        let Some(budget) = control.budget().filter(|_| is_running) else {
            return Wait::ForChange;
        };
        let until = |patience: Duration| {
            let latest = budget.maximum.saturating_add(patience);
            latest.saturating_sub(control.on_clock())
        };
        let left = until(grace(budget.maximum));
        if left > Duration::ZERO {
            return Wait::For(left);
        }
        if answer.is_loading() || !is_next {
            return Wait::ForChange;
        }
        if answer.has_best_line() {
            return Wait::Over;
        }
        let [least, most] = LAST_RESORT;
        match until(budget.maximum.clamp(least, most)) {
            Duration::ZERO => Wait::Over,
            left => Wait::For(left),
        }
    }

    /// The answer as the search would give it now.
    fn best_so_far(&self) -> BestMove {
        let pos = self.position();
        match self.answer.best_line() {
            Some((value, _)) if self.resigns(value) => BestMove::Resign,
            Some((_, line)) if pos.is_legal(line[0]) => {
                with_ponder(pos, line[0], line.get(1).copied())
            }
            _ => self.any_move(),
        }
    }

    /// The answer without the search.
    pub(crate) fn reply_so_far(&self) -> Reply {
        match self.for_mate {
            true => Reply::Checkmate(Checkmate::Timeout),
            false => Reply::BestMove(self.best_so_far()),
        }
    }

    fn any_move(&self) -> BestMove {
        let wanted = self.request.search_moves.first().copied();
        let mv = wanted.or_else(|| self.position().legal_moves().iter().next());
        mv.map_or(BestMove::Resign, |mv| BestMove::Move { mv, ponder: None })
    }
}

fn grace(time: Duration) -> Duration {
    let [least, most] = GRACE;
    (time / GRACE_SHARE)
        .clamp(least, most)
        .min(time / MOST_OF_SHORT)
}

/// The thread, as the engine sees it.
pub(crate) struct Watchdog {
    shared: Arc<WatchdogState>,
    thread: Option<JoinHandle<()>>,
}

struct WatchdogState {
    /// What the worker does, and the signal by which it wakes the watchdog.
    worker: Arc<EngineWorkerStatus>,
    watched: Mutex<Option<Arc<RunningGo>>>,
    is_closed: AtomicBool,
}

impl WatchdogState {
    fn watched(&self) -> MutexGuard<'_, Option<Arc<RunningGo>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches nothing, unless there is another `go` by now.
    fn forget(&self, go: &Arc<RunningGo>) {
        let mut watched = self.watched();
        if watched.as_ref().is_some_and(|own| Arc::ptr_eq(own, go)) {
            *watched = None;
        }
    }
}

impl Watchdog {
    /// Starts the thread.
    pub(crate) fn new(
        out: UsiOutput,
        latency: Arc<Latency>,
        worker: Arc<EngineWorkerStatus>,
    ) -> io::Result<Self> {
        let shared = Arc::new(WatchdogState {
            worker,
            watched: Mutex::default(),
            is_closed: AtomicBool::new(false),
        });
        let own = shared.clone();
        let thread = thread::Builder::new().name("watchdog".into());
        let thread = thread.spawn(move || run(&own, &out, &latency))?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// What wakes it: every gate whose answer it may have to give does.
    pub(crate) fn wake(&self) -> Arc<WakeSignal> {
        self.shared.worker.wake.clone()
    }

    /// Watches over this `go` from now on, or looks at its clock again.
    pub(crate) fn watch(&self, go: Arc<RunningGo>) {
        *self.shared.watched() = Some(go);
        self.shared.worker.wake.notify();
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
        self.shared.worker.wake.notify();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(shared: &WatchdogState, out: &UsiOutput, latency: &Latency) {
    let (worker, wake) = (&shared.worker, &shared.worker.wake);
    loop {
        let seen = wake.count();
        if shared.is_closed.load(Ordering::Relaxed) {
            return;
        }
        let go = shared.watched().clone();
        let wait = |go: &RunningGo| go.wait(worker.is_preparing());
        match go.as_deref().map_or(Wait::ForChange, wait) {
            Wait::ForChange => wake.wait(seen, None),
            Wait::For(time) => wake.wait(seen, Some(time)),
            Wait::Over => {
                if let Some(go) = go {
                    answer_for(&go, out, latency);
                    shared.forget(&go);
                }
            }
        }
    }
}

fn answer_for(go: &RunningGo, out: &UsiOutput, latency: &Latency) {
    let reply = go.reply_so_far();
    if go.answer.answer(|| out.send(&reply)) {
        latency.note(&go.answer.control);
    }
    // The search need not go on.
    go.answer.control.stop();
}

#[cfg(test)]
mod tests;
