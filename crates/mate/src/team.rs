//! Many workers, one table.
//!
//! Every worker searches the same root; what one has found the others read. Each sees where the
//! others are, so that they part ways. Whoever decides the root decides it for all.

use crate::crowd::Crowd;
use crate::dfpn::{Memory, Pause, Worker};
use crate::node::{Outcome, State};
use crate::pour::Pour;
use crate::solver::{Limits, Progress, Reason, Room, Watch};
use crate::table::Length;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

/// Nodes between two looks at what the others do.
const SLICE: u64 = 512;

/// By how much a table grows.
const GROWTH: usize = 4;

/// What the workers share besides the table.
struct Board<'a> {
    memory: RwLock<Memory>,
    room: Room,
    deadline: (&'a Limits<'a>, Instant),
    /// How often the table has changed its places.
    moves: AtomicUsize,
    /// The larger memory that is being filled. Who wants both locks takes this one first.
    pour: RwLock<Option<Pour>>,
    over: AtomicBool,
    nodes: AtomicU64,
    found: Mutex<Option<Outcome>>,
}

/// Lets a worker and its helpers search the root on which the worker has begun.
pub(crate) fn search(
    memory: Memory,
    room: Room,
    worker: &mut Worker,
    helpers: &mut [Worker],
    length: Length,
    watch: &mut Watch<'_, impl Progress>,
) -> (Memory, Result<Outcome, Reason>) {
    let board = Board {
        memory: RwLock::new(memory),
        room,
        deadline: watch.deadline(),
        moves: AtomicUsize::new(0),
        pour: RwLock::new(None),
        over: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
        found: Mutex::new(None),
    };
    let crowd = Arc::new(Crowd::new());
    worker.join(&crowd);
    for helper in helpers.iter_mut() {
        helper.join(&crowd);
    }
    let result = std::thread::scope(|scope| {
        for helper in helpers.iter_mut() {
            let board = &board;
            scope.spawn(move || help(board, helper, length));
        }
        let result = lead(&board, worker, watch);
        board.over.store(true, Relaxed);
        result
    });
    worker.rewind();
    worker.part();
    worker.nodes += board.nodes.load(Relaxed);
    let memory = board.memory.into_inner();
    (memory.unwrap_or_else(PoisonError::into_inner), result)
}

impl Board<'_> {
    /// One slice of a worker's search; the root's outcome if it is decided.
    fn slice(&self, worker: &mut Worker, nodes: u64, seen: &mut usize) -> Option<Outcome> {
        let pause = {
            let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
            let moves = self.moves.load(Relaxed);
            if *seen != moves {
                *seen = moves;
                worker.relocate(&memory);
            }
            worker.catch_up(&memory);
            worker.tell();
            worker.run(&memory, nodes)
        };
        match pause {
            Pause::Decided(outcome) => Some(outcome),
            Pause::Due => None,
            Pause::Crowded => {
                self.make_room();
                None
            }
        }
    }

    /// Makes room. Whoever finds the table crowded helps to fill a larger one; the last to finish
    /// puts it into the place of the old.
    fn make_room(&self) {
        let (limits, started) = self.deadline;
        let over = || self.over.load(Relaxed) || limits.is_over(started);
        if !self.begin_pour(&over) {
            return;
        }
        let is_last = {
            let pour = self.pour.read().unwrap_or_else(PoisonError::into_inner);
            let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
            pour.as_ref().is_some_and(|pour| pour.help(&memory, &over))
        };
        if is_last {
            let mut pour = self.pour.write().unwrap_or_else(PoisonError::into_inner);
            let larger = pour.take().and_then(Pour::into_memory);
            // In a hurry something may be missing, and nobody searches on.
            if let Some(larger) = larger.filter(|_| !over()) {
                self.exchange(|memory| *memory = larger);
            }
        }
    }

    /// Whether there is something to pour, now or already.
    fn begin_pour(&self, over: &dyn Fn() -> bool) -> bool {
        let mut pour = self.pour.write().unwrap_or_else(PoisonError::into_inner);
        let slots = {
            let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
            if !memory.table.is_crowded() {
                // Another worker has been here.
                return false;
            }
            self.room.larger(&memory, GROWTH)
        };
        if pour.is_none() {
            *pour = slots.and_then(Pour::new);
        }
        if pour.is_none() {
            self.exchange(|memory| memory.table.collect(over));
        }
        pour.is_some()
    }

    /// Changes the memory, after which nothing is where it was.
    fn exchange(&self, change: impl FnOnce(&mut Memory)) {
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut memory);
        self.moves.fetch_add(1, Relaxed);
    }

    fn found(&self) -> Option<Outcome> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lead(
    board: &Board<'_>,
    worker: &mut Worker,
    watch: &mut Watch<'_, impl Progress>,
) -> Result<Outcome, Reason> {
    let mut seen = 0;
    loop {
        let others = board.nodes.load(Relaxed);
        let nodes = watch.slice(worker.nodes + others).min(SLICE);
        if let Some(outcome) = board.slice(worker, nodes, &mut seen) {
            return Ok(outcome);
        }
        if let Some(outcome) = board.found() {
            return Ok(outcome);
        }
        let memory = board.memory.read().unwrap_or_else(PoisonError::into_inner);
        watch.look(worker.nodes + others, worker.deepest, &memory)?;
    }
}

fn help(board: &Board<'_>, helper: &mut Worker, length: Length) {
    let mut seen = board.moves.load(Relaxed);
    {
        let memory = board.memory.read().unwrap_or_else(PoisonError::into_inner);
        helper.begin(&memory, length);
    }
    let mut told = helper.nodes;
    while !board.over.load(Relaxed) {
        let outcome = board.slice(helper, SLICE, &mut seen);
        board.nodes.fetch_add(helper.nodes - told, Relaxed);
        told = helper.nodes;
        let Some(outcome) = outcome else { continue };
        if matches!(outcome.state, State::Mate | State::Escape) {
            let mut found = board.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.get_or_insert(outcome);
        }
        return;
    }
}
