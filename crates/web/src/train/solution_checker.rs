//! The solution checker: whether a move of a problem is right, how the defender answers, and the solution.

use tesuji_mate::{BrinkmateVerdict, MateLimits, MateVerdict, Solver};
use tesuji_shogi::{Board, Color, Move, Position};

/// How many positions one question may look at.
const NODES: u64 = 3_000_000;

/// A solver for one question.
pub(crate) struct SolutionChecker {
    solver: Solver,
}

/// What became of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CheckedMove {
    /// The defence to it, and the plies from there to the mate.
    Right(Move, usize),
    Solved,
    NoCheck,
    Wrong,
    Longer,
    Unclear,
}

const LIMITS: MateLimits<'static> = MateLimits {
    nodes: Some(NODES),
    time: None,
    stop: None,
    shortest: true,
};

impl SolutionChecker {
    pub(super) const fn new(solver: Solver) -> Self {
        Self { solver }
    }

    /// The mating line of `attacker` from a position, whoever is to move: `None` if it is not known
    /// whether there is one.
    pub(super) fn mate(&mut self, pos: &Position, attacker: Color) -> Option<Option<Vec<Move>>> {
        match self.solver.solve(pos, attacker, &LIMITS, &mut ()) {
            Ok(MateVerdict::Mate(line) | MateVerdict::Shortest(line)) => Some(Some(line)),
            Ok(MateVerdict::NoMate) | Err(_) => Some(None),
            Ok(MateVerdict::Unknown(_)) => None,
        }
    }

    /// Whether a legal move of the attacker is right. `left` is how many plies there are to the mate,
    /// the move included, if it is known.
    pub(super) fn check_move(
        &mut self,
        pos: &Position,
        mv: Move,
        left: Option<usize>,
        is_brinkmate: bool,
    ) -> CheckedMove {
        let attacker = pos.turn();
        // How long the mate may be: as the problem says, or as the solver finds.
        let left = match (is_brinkmate, left) {
            (true, _) => usize::MAX,
            (false, Some(left)) => left,
            (false, None) => match self.mate(pos, attacker) {
                Some(Some(line)) => line.len(),
                _ => usize::MAX,
            },
        };
        let mut after = pos.clone();
        after.play(mv);
        if !is_brinkmate && !after.in_check() {
            return CheckedMove::NoCheck;
        }
        if after.in_check() && after.legal_moves().is_empty() {
            return CheckedMove::Solved;
        }
        match self.mate(&after, attacker) {
            None => CheckedMove::Unclear,
            Some(None) => CheckedMove::Wrong,
            Some(Some(_)) if is_brinkmate => CheckedMove::Solved,
            Some(Some(rest)) if rest.len() >= left => CheckedMove::Longer,
            Some(Some(rest)) => match rest.split_first() {
                Some((&defence, rest)) => CheckedMove::Right(defence, rest.len()),
                None => CheckedMove::Solved,
            },
        }
    }

    /// The solution from a position; `None` if there is none, or none was found in time.
    pub(super) fn solution(
        &mut self,
        pos: &Position,
        attacker: Color,
        is_brinkmate: bool,
    ) -> Option<Vec<Move>> {
        if !is_brinkmate {
            return self.mate(pos, attacker).flatten();
        }
        match self.solver.brinkmate(pos, &LIMITS, &mut ()) {
            Ok(BrinkmateVerdict::Brinkmate(mv, rest)) => {
                Some(std::iter::once(mv).chain(rest).collect())
            }
            Ok(BrinkmateVerdict::Mate(line)) => Some(line),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::SOLVER_BYTES;

    fn fresh() -> SolutionChecker {
        SolutionChecker::new(Solver::new(SOLVER_BYTES))
    }

    fn checked(sfen: &str, mv: &str, left: Option<usize>) -> CheckedMove {
        let pos = Position::from_sfen(sfen).unwrap();
        fresh().check_move(&pos, mv.parse().unwrap(), left, false)
    }

    #[test]
    fn a_move_is_judged_by_what_is_left() {
        let one = "4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1";
        assert_eq!(checked(one, "G*5b", Some(1)), CheckedMove::Solved);
        assert_eq!(checked(one, "S*6b", Some(1)), CheckedMove::Wrong);
        assert_eq!(checked(one, "5c5b", Some(1)), CheckedMove::Wrong);
        assert_eq!(checked(one, "G*5i", Some(1)), CheckedMove::NoCheck);
        let three = "7nl/5k3/6ppp/5S3/9/9/9/9/9 b GS2r2b3g2s3n3l15p 1";
        let pos = Position::from_sfen(three).unwrap();
        let line = fresh().solution(&pos, Color::Black, false).unwrap();
        assert_eq!(line.len(), 3);
        let first = fresh().check_move(&pos, line[0], None, false);
        assert!(matches!(first, CheckedMove::Right(_, 1)), "{first:?}");
        // Told that it should be one move, the same move is too slow.
        let slow = fresh().check_move(&pos, line[0], Some(1), false);
        assert_eq!(slow, CheckedMove::Longer);
    }
}
