//! Many workers, one table.
//!
//! Every worker searches the same root; what one has found the others read. Each sees where the
//! others are, so that they part ways. Whoever decides the root decides it for all.

use crate::crowd::Crowd;
use crate::dfpn::{Memory, Pause, Worker};
use crate::node::{Outcome, State};
use crate::solver::{Limits, Progress, Reason, Room, Watch};
use crate::table::Length;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

/// Nodes between two looks at what the others do.
const SLICE: u64 = 512;

/// By how much a table grows. What others find out meanwhile is lost, so that it grows seldom, and
/// while there is little to pour into the larger one.
const GROWTH: usize = 16;

/// What the workers share besides the table.
struct Board<'a> {
    memory: RwLock<Memory>,
    room: Room,
    deadline: (&'a Limits<'a>, Instant),
    /// How often the table has changed its places.
    moves: AtomicUsize,
    /// Whether a worker is filling a larger table.
    growing: AtomicBool,
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
        growing: AtomicBool::new(false),
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
            worker.run(&memory, nodes, self.growing.load(Relaxed))
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

    /// Makes room. The others search on in the old table while a larger one is being filled; what
    /// they find out in that time may be forgotten. A slot that is copied while it is written gets a
    /// key that no position has, so that it is never found.
    fn make_room(&self) {
        if self.growing.swap(true, Relaxed) {
            // Another worker is at it. Who wants to write waits until it is done.
            if self.is_full() {
                drop(self.memory.write());
            }
            return;
        }
        let (limits, started) = self.deadline;
        let over = || self.over.load(Relaxed) || limits.is_over(started);
        let larger = {
            let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
            let crowded = memory.table.is_crowded();
            crowded.then(|| self.room.grown(&memory, GROWTH, &over))
        };
        // Another worker may have been here first.
        if let Some(larger) = larger {
            let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
            match larger {
                Some(larger) => *memory = larger,
                None => memory.table.collect(&over),
            }
            self.moves.fetch_add(1, Relaxed);
        }
        self.growing.store(false, Relaxed);
    }

    fn is_full(&self) -> bool {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        memory.table.is_full()
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
