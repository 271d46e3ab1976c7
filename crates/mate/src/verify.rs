//! The proof, walked from end to end on the plain board.
//!
//! The search trusts its table, its hands and its shortcuts. Here nothing is trusted: a board that
//! is only an array says which moves are legal, every answer of the defender is played, and every
//! move of the attacker must be a legal check.

use crate::dfpn::MateWorker;
use crate::limits::{LimitWatch, MateLimits};
use crate::line;
use crate::solver::{ProblemError, Solver};
use crate::table::Length;
use std::collections::HashSet;
use tesuji_shogi::Mailbox;
use tesuji_shogi::{Board, Color, Move, Position};

/// What is wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The position cannot be asked about.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// There is an answer for which no mate is known.
    #[error("after {0:?} no mate is known")]
    Open(Vec<Move>),
    /// A move of the attacker is not a legal check.
    #[error("{0:?} ends with a move that is not a legal check")]
    NoCheck(Vec<Move>),
    /// The proof has more positions than anybody wants to walk through.
    #[error("the proof has more than {0} positions")]
    TooLarge(u64),
}

/// How many positions are walked through at most.
const MOST: u64 = 20_000_000;

/// A position of the defender whose answers are being walked through.
struct Answers {
    moves: Vec<Move>,
    next: usize,
    bound: Length,
    id: u128,
}

impl Solver {
    /// Walks through the proof of the mate that was found last for this position, and says how
    /// many different positions it has.
    ///
    /// # Errors
    /// If the proof has a hole, or is too large to be walked through.
    pub fn verify(&mut self, pos: &Position, attacker: Color) -> Result<u64, Flaw> {
        let king = pos.king(attacker.foe());
        let king = king.ok_or(ProblemError::NoKing(attacker.foe()))?;
        let worker = MateWorker::new(pos.clone(), attacker, king);
        let mut walk = ProofWalk {
            solver: self,
            board: Mailbox::from(pos),
            worker,
            seen: HashSet::new(),
            answers: Vec::new(),
            path: Vec::new(),
        };
        walk.run()
    }
}

struct ProofWalk<'a> {
    solver: &'a mut Solver,
    board: Mailbox,
    worker: MateWorker,
    seen: HashSet<u128>,
    answers: Vec<Answers>,
    path: Vec<Move>,
}

impl ProofWalk<'_> {
    fn run(&mut self) -> Result<u64, Flaw> {
        let mut bound = Length::ANY;
        if self.worker.is_attacking() {
            bound = self.attack(bound)?;
        }
        self.defend(bound);
        while let Some(last) = self.answers.last_mut() {
            let Some(&mv) = last.moves.get(last.next) else {
                let id = last.id;
                self.seen.insert(id);
                self.answers.pop();
                self.back();
                if !self.answers.is_empty() {
                    self.back();
                }
                continue;
            };
            last.next += 1;
            let bound = last.bound;
            self.play(mv);
            let left = self.attack(bound)?;
            if self.seen.contains(&self.worker.pos.identity()) {
                self.back();
                self.back();
            } else {
                self.defend(left);
            }
            if self.seen.len() as u64 > MOST {
                return Err(Flaw::TooLarge(MOST));
            }
        }
        Ok(self.seen.len() as u64)
    }

    /// Plays the attacker's move; the bound falls with every move.
    fn attack(&mut self, bound: Length) -> Result<Length, Flaw> {
        let limits = MateLimits::NONE;
        let mut nobody = ();
        let mut watch = LimitWatch::new(&limits, &mut nobody, self.solver.search.limit);
        let next = line::next(&mut self.solver.search, &mut self.worker, &mut watch, bound);
        let Ok(Some((mv, left))) = next else {
            return Err(Flaw::Open(self.path.clone()));
        };
        let legal = self.board.legal_moves().contains(mv);
        self.play(mv);
        if !legal || !self.board.in_check() {
            return Err(Flaw::NoCheck(self.path.clone()));
        }
        Ok(left.longer())
    }

    /// Notes every answer of the defender.
    fn defend(&mut self, bound: Length) {
        self.answers.push(Answers {
            moves: self.board.legal_moves().iter().collect(),
            next: 0,
            bound: bound.shorter().max(Length(1)),
            id: self.worker.pos.identity(),
        });
    }

    fn play(&mut self, mv: Move) {
        self.board.play(mv);
        self.worker.pos.play(mv);
        self.path.push(mv);
    }

    fn back(&mut self) {
        if self.path.pop().is_some() {
            self.board.undo();
            self.worker.pos.undo();
        }
    }
}
