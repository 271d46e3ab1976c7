//! Parallel search: many workers, one table.
//!
//! Every worker searches the same root; what one has found the others read. Each sees where the
//! others are, so that they part ways. Whoever decides the root decides it for all.

use crate::dfpn::{MateWorker, Pause};
use crate::limits::{LimitWatch, MateLimits, StopReason};
use crate::memory::SearchMemory;
use crate::node::{NodeOutcome, ProofState};
use crate::path_registry::PathRegistry;
use crate::table::Length;
use crate::table_growth::{MemoryLimit, TableGrowth};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

/// Nodes between two looks at what the others do.
const SLICE: u64 = 512;

/// By how much a table grows.
const GROWTH: usize = 4;

/// What the workers share besides the table.
struct SharedMateSearch<'a> {
    memory: RwLock<SearchMemory>,
    limit: MemoryLimit,
    deadline: (&'a MateLimits<'a>, Instant),
    /// How often the table has moved its slots.
    moves: AtomicUsize,
    /// The larger memory that is being filled. Who wants both locks takes this one first.
    growth: RwLock<Option<TableGrowth>>,
    over: AtomicBool,
    nodes: AtomicU64,
    found: Mutex<Option<NodeOutcome>>,
}

/// Lets a worker and its helpers search the root on which the worker has begun.
pub(crate) fn search(
    memory: SearchMemory,
    limit: MemoryLimit,
    worker: &mut MateWorker,
    helpers: &mut [MateWorker],
    length: Length,
    watch: &mut LimitWatch<'_>,
) -> (SearchMemory, Result<NodeOutcome, StopReason>) {
    let shared = SharedMateSearch {
        memory: RwLock::new(memory),
        limit,
        deadline: watch.deadline(),
        moves: AtomicUsize::new(0),
        growth: RwLock::new(None),
        over: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
        found: Mutex::new(None),
    };
    let registry = Arc::new(PathRegistry::new());
    worker.join(&registry);
    for helper in helpers.iter_mut() {
        helper.join(&registry);
    }
    let result = std::thread::scope(|scope| {
        for helper in helpers.iter_mut() {
            let shared = &shared;
            let builder = std::thread::Builder::new();
            // Fewer threads find the same, only later.
            let spawned = builder.spawn_scoped(scope, move || help(shared, helper, length));
            if spawned.is_err() {
                break;
            }
        }
        let over = HelpersOver(&shared.over);
        let result = lead(&shared, worker, watch);
        drop(over);
        result
    });
    worker.rewind();
    worker.part();
    worker.nodes += shared.nodes.load(Relaxed);
    let memory = shared.memory.into_inner();
    (memory.unwrap_or_else(PoisonError::into_inner), result)
}

/// Ends the search of the helpers when that of the leader ends, be it by a panic.
struct HelpersOver<'a>(&'a AtomicBool);

impl Drop for HelpersOver<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl SharedMateSearch<'_> {
    /// One slice of a worker's search; the root's outcome if it is decided.
    fn slice(&self, worker: &mut MateWorker, nodes: u64, seen: &mut usize) -> Option<NodeOutcome> {
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

    /// Makes room. Every worker that finds the table crowded helps to fill a larger one; the last
    /// to finish puts it in place of the old one.
    fn make_room(&self) {
        let (limits, started) = self.deadline;
        let over = || self.over.load(Relaxed) || limits.is_over(started);
        if !self.begin_growth(&over) {
            return;
        }
        let is_last = {
            let growth = self.growth.read().unwrap_or_else(PoisonError::into_inner);
            let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
            growth
                .as_ref()
                .is_some_and(|growth| growth.help(&memory, &over))
        };
        if is_last {
            let mut growth = self.growth.write().unwrap_or_else(PoisonError::into_inner);
            let larger = growth.take().and_then(TableGrowth::into_memory);
            // In a hurry something may be missing, and nobody searches on.
            if let Some(larger) = larger.filter(|_| !over()) {
                self.exchange(|memory| *memory = larger);
            }
        }
    }

    /// Whether there is a larger table to fill, now or already.
    fn begin_growth(&self, over: &dyn Fn() -> bool) -> bool {
        let mut growth = self.growth.write().unwrap_or_else(PoisonError::into_inner);
        let slots = {
            let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
            if !memory.table.is_crowded() {
                // Another worker has been here.
                return false;
            }
            self.limit.larger(&memory, GROWTH)
        };
        if growth.is_none() {
            *growth = slots.and_then(TableGrowth::new);
        }
        if growth.is_none() {
            self.exchange(|memory| memory.table.collect(over));
        }
        growth.is_some()
    }

    /// Changes the memory, after which nothing is where it was.
    fn exchange(&self, change: impl FnOnce(&mut SearchMemory)) {
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut memory);
        self.moves.fetch_add(1, Relaxed);
    }

    fn found(&self) -> Option<NodeOutcome> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lead(
    shared: &SharedMateSearch<'_>,
    worker: &mut MateWorker,
    watch: &mut LimitWatch<'_>,
) -> Result<NodeOutcome, StopReason> {
    let mut seen = 0;
    loop {
        let others = shared.nodes.load(Relaxed);
        let nodes = watch.slice(worker.nodes + others).min(SLICE);
        if let Some(outcome) = shared.slice(worker, nodes, &mut seen) {
            return Ok(outcome);
        }
        if let Some(outcome) = shared.found() {
            return Ok(outcome);
        }
        let memory = shared.memory.read().unwrap_or_else(PoisonError::into_inner);
        watch.look(worker.nodes + others, worker.deepest, &memory)?;
    }
}

fn help(shared: &SharedMateSearch<'_>, helper: &mut MateWorker, length: Length) {
    let mut seen = shared.moves.load(Relaxed);
    {
        let memory = shared.memory.read().unwrap_or_else(PoisonError::into_inner);
        helper.begin(&memory, length);
    }
    let mut told = helper.nodes;
    while !shared.over.load(Relaxed) {
        let outcome = shared.slice(helper, SLICE, &mut seen);
        shared.nodes.fetch_add(helper.nodes - told, Relaxed);
        told = helper.nodes;
        let Some(outcome) = outcome else { continue };
        if matches!(outcome.state, ProofState::Mate | ProofState::Escape) {
            let mut found = shared.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.get_or_insert(outcome);
        }
        return;
    }
}
