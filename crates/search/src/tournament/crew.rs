//! Helpers: threads that search along, and are never waited for.
//!
//! They live as long as the search that owns them: a move of ten milliseconds has no time to start
//! threads, and on a busy machine a thread that should stop may not even run when the answer is due.
//! So they tell what they have found after every iteration, and whoever wants to know takes what is
//! there. It never sleeps while the clock runs: it might not run again in time.

use super::params::Params;
use super::pool::{Found, deepen};
use super::root::RootMove;
use super::worker::{Counter, Mind, Shared};
use crate::control::{Control, Phase};
use crate::question::{Limits, Quiet, Rules};
use crate::table::Table;
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_eval::Eval;
use tesuji_shogi::Position;

/// Room for the deepest line on the stack of a thread.
const STACK: usize = 32 << 20;

/// How long helpers are waited for when the clock runs, and when it does not.
const SHORT_PATIENCE: Duration = Duration::from_micros(300);
const LONG_PATIENCE: Duration = Duration::from_millis(200);
/// How long to sleep before looking again, if there is time to sleep.
const NAP: Duration = Duration::from_micros(100);

/// What all threads of one search share, beside the table and the evaluator.
pub(super) struct Common {
    pub(super) limits: Limits,
    pub(super) rules: Rules,
    pub(super) params: Params,
    /// How many nodes each thread has visited, told now and then.
    pub(super) visited: Vec<Counter>,
    /// The first thread is done, and so are all.
    pub(super) over: AtomicBool,
    /// What the helpers have found.
    pub(super) findings: Findings,
    /// How many helpers may still find more.
    pub(super) busy: AtomicUsize,
}

impl Common {
    /// Ends the search: what the helpers have found. Whoever has not ended after a little while is not
    /// waited for: it will see by itself that nobody wants to know any more.
    pub(super) fn end(&self, on_clock: bool) -> Vec<Found> {
        self.over.store(true, Relaxed);
        let patience = if on_clock {
            SHORT_PATIENCE
        } else {
            LONG_PATIENCE
        };
        let deadline = Instant::now() + patience;
        while self.busy.load(Acquire) > 0 && Instant::now() < deadline {
            if on_clock {
                std::hint::spin_loop();
            } else {
                std::thread::sleep(NAP);
            }
        }
        self.findings.take()
    }
}

/// What each helper found in its last iteration.
#[derive(Default)]
pub(super) struct Findings(Mutex<Vec<Found>>);

impl Findings {
    /// Keeps what a helper has found, in the place of what it found before.
    pub(super) fn keep(&self, found: Found) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match all.iter_mut().find(|old| old.id == found.id) {
            Some(old) => *old = found,
            None => all.push(found),
        }
    }

    /// Everything, in the order of the helpers; nothing if one of them is just writing, for it might
    /// be off the processor for long.
    fn take(&self) -> Vec<Found> {
        let all = self.0.try_lock().map(|mut all| std::mem::take(&mut *all));
        let mut all = all.unwrap_or_default();
        all.sort_by_key(|found| found.id);
        all
    }
}

/// A question, as a helper gets it.
pub(super) struct Task<E> {
    pub(super) eval: Arc<E>,
    pub(super) table: Arc<Table>,
    pub(super) common: Arc<Common>,
    pub(super) pos: Position,
    pub(super) moves: Vec<RootMove>,
}

impl<E> Clone for Task<E> {
    fn clone(&self) -> Self {
        Self {
            eval: Arc::clone(&self.eval),
            table: Arc::clone(&self.table),
            common: Arc::clone(&self.common),
            pos: self.pos.clone(),
            moves: self.moves.clone(),
        }
    }
}

impl<E: Eval> Task<E> {
    /// What a worker sees of it.
    pub(super) fn shared<'a>(&'a self, control: &'a Control) -> Shared<'a, E> {
        let common = &*self.common;
        Shared {
            eval: &self.eval,
            table: &self.table,
            control,
            limits: &common.limits,
            rules: common.rules,
            params: &common.params,
            visited: &common.visited,
            over: &common.over,
            findings: &common.findings,
        }
    }
}

enum Order<E> {
    Think(Box<Task<E>>),
    /// Forget the game before, and say when it is done.
    Forget(Sender<()>),
}

/// One thread. It ends when nobody can send orders any more.
struct Helper<E> {
    orders: Sender<Order<E>>,
}

/// All helpers of a search.
pub(super) struct Crew<E>(Vec<Helper<E>>);

impl<E: Eval + Send + 'static> Crew<E> {
    /// So many threads.
    ///
    /// # Errors
    /// If the system has no room or no threads for them.
    pub(super) fn new(helpers: usize) -> io::Result<Self> {
        let crew: io::Result<_> = (1..=helpers).map(Helper::new).collect();
        Ok(Self(crew?))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Lets all of them begin.
    pub(super) fn think(&self, task: &Task<E>) {
        for helper in &self.0 {
            // A helper ends with its crew only.
            let _ = helper.orders.send(Order::Think(Box::new(task.clone())));
        }
    }

    /// Makes them forget the game before, while the caller does `meanwhile`; returns when all have.
    pub(super) fn forget(&self, meanwhile: impl FnOnce()) {
        let (done, is_done) = mpsc::channel();
        for helper in &self.0 {
            let _ = helper.orders.send(Order::Forget(done.clone()));
        }
        drop(done);
        meanwhile();
        // Ends when every helper has let go of its end.
        is_done.iter().for_each(drop);
    }
}

impl<E: Eval + Send + 'static> Helper<E> {
    fn new(id: usize) -> io::Result<Self> {
        let (orders, taken) = mpsc::channel();
        let mut mind = Mind::new()?;
        let work = move || {
            for order in taken {
                match order {
                    Order::Forget(done) => {
                        mind.clear();
                        drop(done);
                    }
                    Order::Think(task) => {
                        task.common.findings.keep(help(&task, &mut mind, id));
                        task.common.busy.fetch_sub(1, Release);
                    }
                }
            }
        };
        let builder = std::thread::Builder::new().stack_size(STACK);
        builder.name(format!("search {id}")).spawn(work)?;
        Ok(Self { orders })
    }
}

fn help<E: Eval>(task: &Task<E>, mind: &mut Mind, id: usize) -> Found {
    // The first thread watches the clock; a helper sees that the search is over.
    let control = Control::new(Phase::Thinking, None);
    let moves = task.moves.clone();
    deepen(
        &task.shared(&control),
        mind,
        id,
        &task.pos,
        moves,
        &mut Quiet,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(busy: usize) -> Common {
        Common {
            limits: Limits::default(),
            rules: Rules::default(),
            params: Params::default(),
            visited: Vec::new(),
            over: AtomicBool::new(false),
            findings: Findings::default(),
            busy: AtomicUsize::new(busy),
        }
    }

    fn found(id: usize, depth: i32) -> Found {
        let moves = vec![RootMove::new("7g7f".parse().unwrap())];
        Found { id, depth, moves }
    }

    #[test]
    fn helpers_that_never_end_have_told_what_they_found() {
        for on_clock in [false, true] {
            let common = common(2);
            for (id, depth) in [(2, 1), (1, 1), (2, 7)] {
                common.findings.keep(found(id, depth));
            }
            let told = common.end(on_clock);
            let told: Vec<_> = told.iter().map(|found| (found.id, found.depth)).collect();
            assert_eq!(told, [(1, 1), (2, 7)], "the newest of each");
            assert!(common.over.load(Relaxed));
        }
    }

    #[test]
    fn a_helper_that_sleeps_while_it_tells_is_not_waited_for() {
        let common = common(1);
        common.findings.keep(found(1, 5));
        let asleep = common.findings.0.lock().unwrap();
        assert!(common.end(true).is_empty());
        drop(asleep);
    }
}
