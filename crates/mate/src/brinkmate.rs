//! Brinkmate (必至): a quiet move after which mate cannot be avoided.
//!
//! The attacker plays any move, the defender any answer, and then the attacker mates by checks
//! alone. A quiet move is worth a look only if it threatens mate: if the defender passed, there
//! would be one. Nodes are spent in rounds, so that an easy move is not kept waiting by a hard one.

use crate::limits::{MateLimits, MateProgress, StopReason};
use crate::solver::{MateVerdict, ProblemError, Solver};
use std::time::Instant;
use tesuji_shogi::{Board, Move, Position};

/// What a search for a brinkmate has found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrinkmateVerdict {
    /// There is a mate already, with this line.
    Mate(Vec<Move>),
    /// After this move mate cannot be avoided; behind it one line of defence and mate.
    Brinkmate(Move, Vec<Move>),
    /// No single move has that effect.
    None,
    /// The search ended before it knew.
    Unknown(StopReason),
}

/// Nodes for each move in the first round; each further round has eight times as many.
const FIRST_ROUND: u64 = 2_000;

/// What became of a candidate in one round.
enum CandidateResult {
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
        limits: &MateLimits<'_>,
        progress: &mut dyn MateProgress,
    ) -> Result<BrinkmateVerdict, ProblemError> {
        let (started, mut spent) = (Instant::now(), 0);
        let mut candidates: Vec<Move> = pos.legal_moves().iter().collect();
        let (mut nodes, mut mate_is_open) = (FIRST_ROUND, true);
        loop {
            let mut budget = RoundBudget {
                limits,
                started,
                nodes,
                spent: &mut spent,
            };
            if mate_is_open {
                match budget.solve(self, pos, true, progress)? {
                    MateVerdict::Mate(line) | MateVerdict::Shortest(line) => {
                        return Ok(BrinkmateVerdict::Mate(line));
                    }
                    MateVerdict::NoMate => mate_is_open = false,
                    MateVerdict::Unknown(_) => {}
                }
            }
            let mut open = Vec::new();
            for &mv in &candidates {
                if let Some(reason) = budget.is_over() {
                    return Ok(BrinkmateVerdict::Unknown(reason));
                }
                match budget.attempt(self, pos, mv, progress)? {
                    CandidateResult::Brinkmate(line) => {
                        return Ok(BrinkmateVerdict::Brinkmate(mv, line));
                    }
                    CandidateResult::Refuted => {}
                    CandidateResult::Open => open.push(mv),
                }
            }
            if open.is_empty() {
                return Ok(BrinkmateVerdict::None);
            }
            candidates = open;
            nodes *= 8;
        }
    }
}

/// What a round may cost.
struct RoundBudget<'a, 'b> {
    limits: &'a MateLimits<'b>,
    started: Instant,
    nodes: u64,
    spent: &'a mut u64,
}

impl RoundBudget<'_, '_> {
    fn is_over(&self) -> Option<StopReason> {
        let MateLimits {
            nodes, time, stop, ..
        } = self.limits;
        if stop.is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed)) {
            Some(StopReason::Stopped)
        } else if nodes.is_some_and(|most| *self.spent >= most) {
            Some(StopReason::Nodes)
        } else if time.is_some_and(|most| self.started.elapsed() >= most) {
            Some(StopReason::Time)
        } else {
            None
        }
    }

    fn solve(
        &mut self,
        solver: &mut Solver,
        pos: &Position,
        attacking: bool,
        progress: &mut dyn MateProgress,
    ) -> Result<MateVerdict, ProblemError> {
        let left = self
            .limits
            .nodes
            .map_or(u64::MAX, |most| most - (*self.spent).min(most));
        let limits = MateLimits {
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
        progress: &mut dyn MateProgress,
    ) -> Result<CandidateResult, ProblemError> {
        let mut after = pos.clone();
        after.play(mv);
        if !after.in_check() {
            after.pass();
            let threat = self.solve(solver, &after, true, progress)?;
            after.undo();
            match threat {
                MateVerdict::NoMate => return Ok(CandidateResult::Refuted),
                MateVerdict::Unknown(_) => return Ok(CandidateResult::Open),
                MateVerdict::Mate(_) | MateVerdict::Shortest(_) => {}
            }
        }
        Ok(match self.solve(solver, &after, false, progress)? {
            MateVerdict::Mate(line) | MateVerdict::Shortest(line) => {
                CandidateResult::Brinkmate(line)
            }
            MateVerdict::NoMate => CandidateResult::Refuted,
            MateVerdict::Unknown(_) => CandidateResult::Open,
        })
    }
}
