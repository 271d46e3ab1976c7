//! The solver: a position in, a verdict out.

use crate::dfpn::{Memory, Pause, Worker};
use crate::lesson::{Lesson, Pupil};
use crate::line;
use crate::node::{Outcome, State};
use crate::pour::Pour;
use crate::table::{FIRST_SLOTS, Length, SLOT_BYTES};
use crate::team;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_shogi::{Color, Move, Position};

/// How much a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// At most so many positions.
    pub nodes: Option<u64>,
    /// At most so long.
    pub time: Option<Duration>,
    /// Set by anybody who wants the search to end at once.
    pub stop: Option<&'a AtomicBool>,
    /// Whether to go on until the mate found is the shortest.
    pub shortest: bool,
}

impl Limits<'_> {
    /// No limits at all.
    pub const NONE: Limits<'static> = Limits {
        nodes: None,
        time: None,
        stop: None,
        shortest: false,
    };
}

impl Limits<'_> {
    /// Whether the time is over or somebody asked to stop.
    pub(crate) fn is_over(&self, started: Instant) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || self.time.is_some_and(|most| started.elapsed() >= most)
    }
}

/// What the solver has found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The attacker mates; one line, the attacker's moves and the defender's by turns.
    Mate(Vec<Move>),
    /// As [`Verdict::Mate`], and no mate is shorter: the defence is the longest there is.
    Shortest(Vec<Move>),
    /// Every check can be answered for ever.
    NoMate,
    /// The search ended before it knew.
    Unknown(Reason),
}

/// Why a search ended before it knew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// All nodes were used.
    #[error("the nodes are used up")]
    Nodes,
    /// The time is over.
    #[error("the time is over")]
    Time,
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
    /// Paths became longer than the solver can follow.
    #[error("the lines are too long")]
    Depth,
}

/// Why a position cannot be asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemError {
    /// There is no king to mate.
    #[error("{0:?} has no king to mate")]
    NoKing(Color),
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Positions looked at.
    pub nodes: u64,
    /// How long it has been running.
    pub time: Duration,
    /// How long the longest line was.
    pub depth: u32,
    /// How much of the memory that may be used is, in thousandths.
    pub fullness: u32,
}

/// Told how far a search is, every now and then.
pub trait Progress {
    /// Takes a report.
    fn report(&mut self, report: &Report);
}

/// Whoever does not want to know.
impl Progress for () {
    fn report(&mut self, _: &Report) {}
}

/// Nodes between two looks at the clock.
const SLICE: u64 = 1024;

/// How often progress is told.
const INTERVAL: Duration = Duration::from_millis(1000);

/// Finds mates. Keeps its memory between searches; each search begins small and grows as needed.
pub struct Solver {
    memory: Memory,
    worker: Option<Worker>,
    helpers: Vec<Worker>,
    pub(crate) room: Room,
    threads: usize,
    /// How many moves to take notes of.
    notes: usize,
    nodes: u64,
}

/// How large the table may grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    most_slots: usize,
}

impl Room {
    /// How much of what there may be is used, in thousandths.
    fn fullness(self, memory: &Memory) -> u32 {
        (memory.table.used() * 1000 / self.most_slots) as u32
    }

    /// Lets the table grow, or forget what cost least.
    pub(crate) fn make(self, memory: &mut Memory, hurry: &dyn Fn() -> bool) {
        match self.grown(memory, hurry) {
            Some(larger) => *memory = larger,
            None => memory.table.collect(hurry),
        }
    }

    /// How many slots a larger table may have, so many times as many at most; `None` if there is no
    /// room for more.
    pub(crate) fn larger(self, memory: &Memory, times: usize) -> Option<usize> {
        let (slots, larger) = (memory.table.len(), memory.table.len() * times);
        Some(larger.min(self.most_slots)).filter(|&larger| larger > slots)
    }

    /// A larger memory with the same content. `None` if there may be none, if the system has no room
    /// for it, or if somebody cannot wait.
    fn grown(self, memory: &Memory, hurry: &dyn Fn() -> bool) -> Option<Memory> {
        let pour = Pour::new(self.larger(memory, GROWTH)?)?;
        pour.help(memory, hurry);
        pour.into_memory().filter(|_| !hurry())
    }
}

/// By how much the table of a single worker grows: a small one is closer to the processor.
const GROWTH: usize = 4;

/// What one worker does before it is worth while to wake the others.
const ALONE: u64 = 4096;

impl Solver {
    /// A solver that uses at most about so many bytes.
    pub fn new(bytes: usize) -> Self {
        // A quarter as many loops, of half the size, as slots.
        let most_slots = (bytes / (SLOT_BYTES + SLOT_BYTES / 8)).clamp(FIRST_SLOTS, 1 << 28);
        Self {
            memory: Memory::new(FIRST_SLOTS),
            worker: None,
            helpers: Vec::new(),
            room: Room { most_slots },
            threads: 1,
            notes: 0,
            nodes: 0,
        }
    }

    /// The same solver with so many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// From now on the first thread takes notes of at most so many moves in each search.
    #[must_use]
    pub fn with_notes(mut self, most: usize) -> Self {
        self.notes = most;
        self
    }

    /// What became of the moves it took notes of in the last search.
    pub fn lessons(&self) -> Vec<Lesson> {
        let pupil = self
            .worker
            .as_ref()
            .and_then(|worker| worker.pupil.as_ref());
        pupil.map_or_else(Vec::new, |pupil| pupil.lessons(&self.memory))
    }

    /// How many positions the last search looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How much of the memory it may use is used, in thousandths.
    pub fn fullness(&self) -> u32 {
        self.room.fullness(&self.memory)
    }

    /// How many bytes its memory has now: what the last search needed.
    pub fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Whether `attacker` can mate from a position, whoever is to move.
    ///
    /// # Errors
    /// If there is no king to mate.
    pub fn solve(
        &mut self,
        pos: &Position,
        attacker: Color,
        limits: &Limits<'_>,
        progress: &mut impl Progress,
    ) -> Result<Verdict, ProblemError> {
        let defender = attacker.foe();
        let king = pos.king(defender).ok_or(ProblemError::NoKing(defender))?;
        self.forget();
        let mut worker = match self.worker.take() {
            Some(mut worker) => {
                worker.reset(pos.clone(), attacker, king);
                worker
            }
            None => Worker::new(pos.clone(), attacker, king),
        };
        worker.pupil = (self.notes > 0).then(|| Pupil::new(self.notes));
        let mut watch = Watch::new(limits, progress, self.room);
        let verdict = self.first_mate(&mut worker, &mut watch);
        let verdict = match verdict {
            Ok(Some(moves)) if limits.shortest => self.shortest(&mut worker, &mut watch, moves),
            Ok(Some(moves)) => Verdict::Mate(moves),
            Ok(None) => Verdict::NoMate,
            Err(reason) => Verdict::Unknown(reason),
        };
        self.nodes = worker.nodes;
        self.worker = Some(worker);
        Ok(verdict)
    }

    /// Any mating line; `None` if there is none.
    fn first_mate(
        &mut self,
        worker: &mut Worker,
        watch: &mut Watch<'_, impl Progress>,
    ) -> Result<Option<Vec<Move>>, Reason> {
        match self.search(worker, watch, Length::ANY)?.state {
            State::Mate => line::find(self, worker, watch, Length::ANY).map(Some),
            State::Escape => Ok(None),
            _ => Err(Reason::Depth),
        }
    }

    /// Asks for ever shorter mates until there is none; then follows the longest defence.
    fn shortest(
        &mut self,
        worker: &mut Worker,
        watch: &mut Watch<'_, impl Progress>,
        found: Vec<Move>,
    ) -> Verdict {
        let mut known = found;
        // An upper bound: what the table has proven; the line may be shorter, its defence poor.
        let (bound, _) = self
            .memory
            .table
            .range(worker.place(), worker.is_attacking());
        let mut bound = bound.unwrap_or(Length::ANY);
        while bound > Length(2) {
            match self.search(worker, watch, Length(bound.0 - 2)) {
                Ok(outcome) if outcome.state == State::Mate => bound = outcome.length,
                Ok(_) => break,
                Err(_) => return Verdict::Mate(known),
            }
        }
        match line::exact(self, worker, watch, bound) {
            Ok(moves) => {
                known = moves;
                Verdict::Shortest(known)
            }
            Err(_) => Verdict::Mate(known),
        }
    }

    /// What the last search knows.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    fn forget(&mut self) {
        if self.memory.table.len() == FIRST_SLOTS {
            self.memory.table.clear();
            self.memory.loops.clear();
        } else {
            self.memory = Memory::new(FIRST_SLOTS);
        }
    }

    /// Searches the present position of a worker, with helpers if it is hard.
    fn search(
        &mut self,
        worker: &mut Worker,
        watch: &mut Watch<'_, impl Progress>,
        length: Length,
    ) -> Result<Outcome, Reason> {
        worker.begin(&self.memory, length);
        if self.threads == 1 {
            return self.run(worker, watch);
        }
        let alone = worker.nodes + ALONE;
        while worker.nodes < alone {
            if let Some(outcome) = self.slice(worker, watch)? {
                return Ok(outcome);
            }
        }
        self.helpers.clear();
        for _ in 1..self.threads {
            self.helpers.push(worker.helper());
        }
        let memory = std::mem::replace(&mut self.memory, Memory::new(FIRST_SLOTS));
        let (memory, result) =
            team::search(memory, self.room, worker, &mut self.helpers, length, watch);
        self.memory = memory;
        result
    }

    /// Runs a worker until its root is decided or the watch runs out.
    pub(crate) fn run(
        &mut self,
        worker: &mut Worker,
        watch: &mut Watch<'_, impl Progress>,
    ) -> Result<Outcome, Reason> {
        loop {
            if let Some(outcome) = self.slice(worker, watch)? {
                return Ok(outcome);
            }
        }
    }

    fn slice(
        &mut self,
        worker: &mut Worker,
        watch: &mut Watch<'_, impl Progress>,
    ) -> Result<Option<Outcome>, Reason> {
        match worker.run(&self.memory, watch.slice(worker.nodes)) {
            Pause::Decided(outcome) => return Ok(Some(outcome)),
            Pause::Crowded => {
                self.room.make(&mut self.memory, &|| watch.is_over());
                worker.relocate(&self.memory);
                watch.look(worker.nodes, worker.deepest, &self.memory)?;
            }
            Pause::Due => watch.look(worker.nodes, worker.deepest, &self.memory)?,
        }
        Ok(None)
    }
}

/// Keeps an eye on the limits.
pub(crate) struct Watch<'a, P> {
    limits: &'a Limits<'a>,
    progress: &'a mut P,
    room: Room,
    started: Instant,
    told: Instant,
}

impl<'a, P: Progress> Watch<'a, P> {
    pub(crate) fn new(limits: &'a Limits<'a>, progress: &'a mut P, room: Room) -> Self {
        let started = Instant::now();
        Self {
            limits,
            progress,
            room,
            started,
            told: started,
        }
    }

    /// How many nodes may pass until the next look.
    pub(crate) fn slice(&self, nodes: u64) -> u64 {
        let left = self
            .limits
            .nodes
            .map_or(SLICE, |most| most.saturating_sub(nodes));
        left.clamp(1, SLICE)
    }

    /// Whether somebody wants an answer now.
    pub(crate) fn is_over(&self) -> bool {
        self.limits.is_over(self.started)
    }

    /// The limits, and when they began to hold.
    pub(crate) fn deadline(&self) -> (&'a Limits<'a>, Instant) {
        (self.limits, self.started)
    }

    /// Looks at the clock and at everything else that may end a search.
    pub(crate) fn look(&mut self, nodes: u64, depth: u16, memory: &Memory) -> Result<(), Reason> {
        if self.limits.stop.is_some_and(|stop| stop.load(Relaxed)) {
            return Err(Reason::Stopped);
        }
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            return Err(Reason::Nodes);
        }
        let now = Instant::now();
        if self
            .limits
            .time
            .is_some_and(|most| now - self.started >= most)
        {
            return Err(Reason::Time);
        }
        if now - self.told >= INTERVAL {
            self.told = now;
            self.progress.report(&Report {
                nodes,
                time: now - self.started,
                depth: u32::from(depth),
                fullness: self.room.fullness(memory),
            });
        }
        Ok(())
    }
}
