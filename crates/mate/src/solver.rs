//! The solver: a position in, a verdict out.

use crate::dfpn::MateWorker;
use crate::limits::{LimitWatch, MateLimits, MateProgress, StopReason};
use crate::line;
use crate::memory::SearchMemory;
use crate::move_samples::{MoveSample, MoveSampleRecorder};
use crate::node::{NodeOutcome, ProofState};
use crate::parallel;
use crate::proof_search::ProofSearch;
use crate::table::{FIRST_SLOTS, Length};
use crate::table_growth::MemoryLimit;
use tesuji_shogi::{Color, Move, Position};

/// What the solver has found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateVerdict {
    /// The attacker mates; one line, the attacker's moves and the defender's by turns.
    Mate(Vec<Move>),
    /// As [`MateVerdict::Mate`], and no mate is shorter: the defence is the longest there is.
    Shortest(Vec<Move>),
    /// Every check can be answered for ever.
    NoMate,
    /// The search ended before it knew.
    Unknown(StopReason),
}

/// Why a position cannot be asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemError {
    /// There is no king to mate.
    #[error("{0:?} has no king to mate")]
    NoKing(Color),
}

/// Finds mates. Keeps its memory between searches; each search begins small and grows as needed.
pub struct Solver {
    pub(crate) search: ProofSearch,
    worker: Option<MateWorker>,
    helpers: Vec<MateWorker>,
    threads: usize,
    /// How many training samples to record.
    samples: usize,
    nodes: u64,
}

/// What one worker does before it is worth while to wake the others.
const ALONE: u64 = 4096;

impl Solver {
    /// A solver that uses at most about so many bytes.
    pub fn new(bytes: usize) -> Self {
        Self {
            search: ProofSearch::new(MemoryLimit::of_bytes(bytes)),
            worker: None,
            helpers: Vec::new(),
            threads: 1,
            samples: 0,
            nodes: 0,
        }
    }

    /// The same solver with so many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// From now on the first thread records at most so many training samples in each search.
    #[must_use]
    pub fn with_move_samples(mut self, most: usize) -> Self {
        self.samples = most;
        self
    }

    /// The training samples of the last search.
    pub fn move_samples(&self) -> Vec<MoveSample> {
        let recorder = self
            .worker
            .as_ref()
            .and_then(|worker| worker.recorder.as_ref());
        recorder.map_or_else(Vec::new, |recorder| recorder.samples(&self.search.memory))
    }

    /// How many positions the last search looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How much of the memory it may use is used, in thousandths.
    pub fn fullness(&self) -> u32 {
        self.search.limit.fullness(&self.search.memory)
    }

    /// How many bytes its memory has now: what the last search needed.
    pub fn bytes(&self) -> usize {
        self.search.memory.bytes()
    }

    /// Whether `attacker` can mate from a position, whoever is to move.
    ///
    /// # Errors
    /// If there is no king to mate.
    pub fn solve(
        &mut self,
        pos: &Position,
        attacker: Color,
        limits: &MateLimits<'_>,
        progress: &mut dyn MateProgress,
    ) -> Result<MateVerdict, ProblemError> {
        let defender = attacker.foe();
        let king = pos.king(defender).ok_or(ProblemError::NoKing(defender))?;
        self.search.forget();
        let mut worker = match self.worker.take() {
            Some(mut worker) => {
                worker.reset(pos.clone(), attacker, king);
                worker
            }
            None => MateWorker::new(pos.clone(), attacker, king),
        };
        worker.recorder = (self.samples > 0).then(|| MoveSampleRecorder::new(self.samples));
        let mut watch = LimitWatch::new(limits, progress, self.search.limit);
        let verdict = self.first_mate(&mut worker, &mut watch);
        let verdict = match verdict {
            Ok(Some(moves)) if limits.shortest => self.shortest(&mut worker, &mut watch, moves),
            Ok(Some(moves)) => MateVerdict::Mate(moves),
            Ok(None) => MateVerdict::NoMate,
            Err(reason) => MateVerdict::Unknown(reason),
        };
        self.nodes = worker.nodes;
        self.worker = Some(worker);
        Ok(verdict)
    }

    /// Any mating line; `None` if there is none.
    fn first_mate(
        &mut self,
        worker: &mut MateWorker,
        watch: &mut LimitWatch<'_>,
    ) -> Result<Option<Vec<Move>>, StopReason> {
        match self.decide(worker, watch, Length::ANY)?.state {
            ProofState::Mate => line::find(&mut self.search, worker, watch, Length::ANY).map(Some),
            ProofState::Escape => Ok(None),
            _ => Err(StopReason::Depth),
        }
    }

    /// Asks for ever shorter mates until there is none; then follows the longest defence.
    fn shortest(
        &mut self,
        worker: &mut MateWorker,
        watch: &mut LimitWatch<'_>,
        found: Vec<Move>,
    ) -> MateVerdict {
        let mut known = found;
        // An upper bound: what the table has proven; the line may be shorter, its defence poor.
        let table = &self.search.memory.table;
        let (bound, _) = table.range(worker.position(), worker.is_attacking());
        let mut bound = bound.unwrap_or(Length::ANY);
        while bound > Length(2) {
            match self.decide(worker, watch, Length(bound.0 - 2)) {
                Ok(outcome) if outcome.state == ProofState::Mate => bound = outcome.length,
                Ok(_) => break,
                Err(_) => return MateVerdict::Mate(known),
            }
        }
        match line::exact(&mut self.search, worker, watch, bound) {
            Ok(moves) => {
                known = moves;
                MateVerdict::Shortest(known)
            }
            Err(_) => MateVerdict::Mate(known),
        }
    }

    /// Searches the present position of a worker, with helpers if it is hard.
    fn decide(
        &mut self,
        worker: &mut MateWorker,
        watch: &mut LimitWatch<'_>,
        length: Length,
    ) -> Result<NodeOutcome, StopReason> {
        worker.begin(&self.search.memory, length);
        if self.threads == 1 {
            return self.search.run(worker, watch);
        }
        let alone = worker.nodes + ALONE;
        while worker.nodes < alone {
            if let Some(outcome) = self.search.slice(worker, watch)? {
                return Ok(outcome);
            }
        }
        self.helpers.clear();
        for _ in 1..self.threads {
            self.helpers.push(worker.helper());
        }
        let own = SearchMemory::new(FIRST_SLOTS);
        let memory = std::mem::replace(&mut self.search.memory, own);
        let (memory, result) = parallel::search(
            memory,
            self.search.limit,
            worker,
            &mut self.helpers,
            length,
            watch,
        );
        self.search.memory = memory;
        result
    }
}
