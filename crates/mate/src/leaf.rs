//! Quick solving for the leaves of another search: a few dozen nodes, nothing allocated.

use crate::dfpn::{MateWorker, Pause};
use crate::memory::SearchMemory;
use crate::node::ProofState;
use crate::table::{FIRST_SLOTS, Length};
use tesuji_shogi::{Move, Position};

/// What a few nodes could find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuickVerdict {
    /// The side to move mates, beginning with this move.
    Mate(Move),
    /// The side to move cannot mate by checks alone.
    NoMate,
    /// The nodes were not enough.
    Unknown,
}

/// Answers within a budget of nodes. Keeps its memory from call to call: what was found in one
/// position helps in the next, and a call costs nothing but its nodes. When the memory is full it
/// is emptied.
///
/// ```
/// use tesuji_mate::{QuickVerdict, LeafSolver};
/// use tesuji_shogi::Position;
/// let mut pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// let mut solver = LeafSolver::new(&pos);
/// assert_eq!(solver.quick_solve(&mut pos, 100), QuickVerdict::Mate("G*5b".parse().unwrap()));
/// ```
pub struct LeafSolver {
    memory: SearchMemory,
    worker: MateWorker,
    /// The nodes of all calls before the last.
    before: u64,
}

impl LeafSolver {
    /// A solver for positions of games like this one.
    pub fn new(pos: &Position) -> Self {
        Self {
            memory: SearchMemory::new(FIRST_SLOTS * 4),
            worker: MateWorker::for_either(pos.clone()),
            before: 0,
        }
    }

    /// How many bytes its memory has.
    pub fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// How many positions the last call looked at.
    pub fn nodes(&self) -> u64 {
        self.worker.nodes - self.before
    }

    /// Looks for a mate by the side to move with at most about so many nodes. The position comes
    /// back as it was.
    pub fn quick_solve(&mut self, pos: &mut Position, nodes: u64) -> QuickVerdict {
        self.before = self.worker.nodes;
        let Some(king) = pos.king(pos.turn().foe()) else {
            return QuickVerdict::NoMate;
        };
        if self.memory.table.is_crowded() {
            self.memory.table.clear();
            self.memory.loops.clear();
        }
        let turn = pos.turn();
        // The worker plays on the caller's board and gives it back.
        self.worker.rewind();
        std::mem::swap(&mut self.worker.pos, pos);
        self.worker.aim(turn, king);
        let answer = self.search(nodes);
        self.worker.rewind();
        std::mem::swap(&mut self.worker.pos, pos);
        answer
    }

    fn search(&mut self, nodes: u64) -> QuickVerdict {
        self.worker.begin(&self.memory, Length::ANY);
        match self.worker.run(&self.memory, nodes) {
            Pause::Decided(outcome) => match outcome.state {
                ProofState::Mate => self
                    .worker
                    .decisive()
                    .map_or(QuickVerdict::Unknown, QuickVerdict::Mate),
                ProofState::Escape => QuickVerdict::NoMate,
                _ => QuickVerdict::Unknown,
            },
            Pause::Crowded | Pause::Due => QuickVerdict::Unknown,
        }
    }
}
