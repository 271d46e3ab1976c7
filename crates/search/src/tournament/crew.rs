//! Helpers: threads that search along, and are never waited for.
//!
//! They live as long as the search that owns them: a move of ten milliseconds has no time to start
//! threads, and on a busy machine a thread that should stop may not even run when the answer is due.

use super::params::Params;
use super::pool::{Found, deepen};
use super::root::RootMove;
use super::worker::{Counter, Mind, Shared};
use crate::control::{Control, Phase};
use crate::question::{Limits, Quiet, Rules};
use crate::table::Table;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};
use tesuji_eval::Judge;
use tesuji_shogi::Position;

/// Room for the deepest line on the stack of a thread.
const STACK: usize = 32 << 20;

/// What all threads of one search share, beside the table and the evaluator.
pub(super) struct Common {
    pub(super) limits: Limits,
    pub(super) rules: Rules,
    pub(super) params: Params,
    /// How many nodes each thread has visited, told now and then.
    pub(super) visited: Vec<Counter>,
    /// The first thread is done, and so are all.
    pub(super) over: AtomicBool,
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

impl<E: Judge> Task<E> {
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
        }
    }
}

enum Order<E> {
    Think(Box<Task<E>>),
    Forget,
}

/// One thread. It ends when nobody can send orders any more.
struct Helper<E> {
    orders: Sender<Order<E>>,
    found: Receiver<(Arc<Common>, Found)>,
}

/// All helpers of a search.
pub(super) struct Crew<E>(Vec<Helper<E>>);

impl<E: Judge + Send + 'static> Crew<E> {
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

    /// What they have found when the search is over. Whoever does not answer within the patience is
    /// not waited for: it will find out by itself that nobody wants to know any more.
    pub(super) fn report(&self, common: &Arc<Common>, patience: Duration) -> Vec<Found> {
        common.over.store(true, Relaxed);
        let deadline = Instant::now() + patience;
        let answer = |helper: &Helper<E>| {
            loop {
                let left = deadline.saturating_duration_since(Instant::now());
                let (about, found) = helper.found.recv_timeout(left).ok()?;
                // An answer that came too late for an earlier search.
                if Arc::ptr_eq(&about, common) {
                    return Some(found);
                }
            }
        };
        self.0.iter().filter_map(answer).collect()
    }

    /// Makes them forget the game before.
    pub(super) fn forget(&self) {
        for helper in &self.0 {
            let _ = helper.orders.send(Order::Forget);
        }
    }
}

impl<E: Judge + Send + 'static> Helper<E> {
    fn new(id: usize) -> io::Result<Self> {
        let (orders, taken) = mpsc::channel();
        let (told, found) = mpsc::channel();
        let mut mind = Mind::new()?;
        let work = move || {
            for order in taken {
                match order {
                    Order::Forget => mind.clear(),
                    Order::Think(task) => {
                        let answer = help(&task, &mut mind, id);
                        let _ = told.send((task.common, answer));
                    }
                }
            }
        };
        let builder = std::thread::Builder::new().stack_size(STACK);
        builder.name(format!("search {id}")).spawn(work)?;
        Ok(Self { orders, found })
    }
}

fn help<E: Judge>(task: &Task<E>, mind: &mut Mind, id: usize) -> Found {
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
