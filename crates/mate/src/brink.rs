//! Brinkmate (必至): a quiet move after which mate cannot be avoided.
//!
//! The attacker plays any move, the defender any answer, and then the attacker mates by checks
//! alone. A quiet move is worth a look only if it threatens mate: if the defender passed, there
//! would be one. Nodes are spent in rounds, so that an easy move is not kept waiting by a hard one.

use crate::solver::{Limits, ProblemError, Progress, Reason, Solver, Verdict};
use std::time::Instant;
use tesuji_shogi::{Board, Move, Position};

/// What a search for a brinkmate has found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Brink {
    /// There is a mate already, with this line.
    Mate(Vec<Move>),
    /// After this move mate cannot be avoided; behind it one line of defence and mate.
    Brinkmate(Move, Vec<Move>),
    /// No single move has that effect.
    None,
    /// The search ended before it knew.
    Unknown(Reason),
}

/// Nodes for each move in the first round; each further round has eight times as many.
const FIRST_ROUND: u64 = 2_000;

/// What became of a candidate in one round.
enum Tried {
    Brinkmate(Vec<Move>),
    Refuted,
    Open,
}

impl Solver {
    /// Looks for a move of the side to move after which mate cannot be avoided.
    ///
    /// # Errors
    /// If there is no king to mate.
    pub fn brinkmate(
        &mut self,
        pos: &Position,
        limits: &Limits<'_>,
        progress: &mut impl Progress,
    ) -> Result<Brink, ProblemError> {
        let (started, mut spent) = (Instant::now(), 0);
        let mut candidates: Vec<Move> = pos.legal_moves().iter().collect();
        let (mut nodes, mut mate_is_open) = (FIRST_ROUND, true);
        loop {
            let mut budget = Budget {
                limits,
                started,
                nodes,
                spent: &mut spent,
            };
            if mate_is_open {
                match budget.solve(self, pos, true, progress)? {
                    Verdict::Mate(line) | Verdict::Shortest(line) => return Ok(Brink::Mate(line)),
                    Verdict::NoMate => mate_is_open = false,
                    Verdict::Unknown(_) => {}
                }
            }
            let mut open = Vec::new();
            for &mv in &candidates {
                if let Some(reason) = budget.is_over() {
                    return Ok(Brink::Unknown(reason));
                }
                match budget.attempt(self, pos, mv, progress)? {
                    Tried::Brinkmate(line) => return Ok(Brink::Brinkmate(mv, line)),
                    Tried::Refuted => {}
                    Tried::Open => open.push(mv),
                }
            }
            if open.is_empty() {
                return Ok(Brink::None);
            }
            candidates = open;
            nodes *= 8;
        }
    }
}

/// What a round may cost.
struct Budget<'a, 'b> {
    limits: &'a Limits<'b>,
    started: Instant,
    nodes: u64,
    spent: &'a mut u64,
}

impl Budget<'_, '_> {
    fn is_over(&self) -> Option<Reason> {
        let Limits {
            nodes, time, stop, ..
        } = self.limits;
        if stop.is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed)) {
            Some(Reason::Stopped)
        } else if nodes.is_some_and(|most| *self.spent >= most) {
            Some(Reason::Nodes)
        } else if time.is_some_and(|most| self.started.elapsed() >= most) {
            Some(Reason::Time)
        } else {
            None
        }
    }

    fn solve(
        &mut self,
        solver: &mut Solver,
        pos: &Position,
        attacking: bool,
        progress: &mut impl Progress,
    ) -> Result<Verdict, ProblemError> {
        let left = self
            .limits
            .nodes
            .map_or(u64::MAX, |most| most - (*self.spent).min(most));
        let limits = Limits {
            nodes: Some(self.nodes.min(left)),
            time: self
                .limits
                .time
                .map(|most| most.saturating_sub(self.started.elapsed())),
            stop: self.limits.stop,
            shortest: false,
        };
        let attacker = if attacking {
            pos.turn()
        } else {
            pos.turn().foe()
        };
        let verdict = solver.solve(pos, attacker, &limits, progress);
        *self.spent += solver.nodes();
        verdict
    }

    /// Whether mate can be avoided after a move.
    fn attempt(
        &mut self,
        solver: &mut Solver,
        pos: &Position,
        mv: Move,
        progress: &mut impl Progress,
    ) -> Result<Tried, ProblemError> {
        let mut after = pos.clone();
        after.play(mv);
        if !after.in_check() {
            after.pass();
            let threat = self.solve(solver, &after, true, progress)?;
            after.undo();
            match threat {
                Verdict::NoMate => return Ok(Tried::Refuted),
                Verdict::Unknown(_) => return Ok(Tried::Open),
                Verdict::Mate(_) | Verdict::Shortest(_) => {}
            }
        }
        Ok(match self.solve(solver, &after, false, progress)? {
            Verdict::Mate(line) | Verdict::Shortest(line) => Tried::Brinkmate(line),
            Verdict::NoMate => Tried::Refuted,
            Verdict::Unknown(_) => Tried::Open,
        })
    }
}
