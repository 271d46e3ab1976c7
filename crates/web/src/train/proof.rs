//! The proof explorer: every move of a position with the mate behind it.

use super::solution_checker::SolutionChecker;
use super::{no_solution, played};
use crate::protocol::position::{MoveView, line_view};
use crate::protocol::train::{ProofBranch, ProofView, TrainMessage};
use crate::user_error::UserError;
use tesuji_shogi::{Board, Move, Position};

fn view(pos: &Position, mv: Move) -> Option<MoveView> {
    line_view(pos, &[mv], 1).pop()
}

impl SolutionChecker {
    /// What is known about the position behind a line: for the attacker his shortest mate, for the
    /// defender every move with the mate behind it, the longest defence first.
    pub(super) fn explore(
        &mut self,
        start: &Position,
        line: &[Move],
    ) -> Result<TrainMessage, UserError> {
        let attacker = start.turn();
        let pos = played(start, line)?;
        let attacks = pos.turn() == attacker;
        let moves: Vec<Move> = match attacks {
            true => {
                let found = self.mate(&pos, attacker).flatten();
                found
                    .and_then(|line| line.first().copied())
                    .into_iter()
                    .collect()
            }
            false => pos.legal_moves().iter().collect(),
        };
        if attacks && moves.is_empty() {
            return Err(no_solution());
        }
        let mut branches: Vec<ProofBranch> = moves
            .into_iter()
            .filter_map(|mv| {
                let mut after = pos.clone();
                after.play(mv);
                let found = self.mate(&after, attacker);
                let mate = found.as_ref().and_then(Option::as_ref);
                let answer = mate.and_then(|line| line.first()).filter(|_| !attacks);
                Some(ProofBranch {
                    mv: view(&pos, mv)?,
                    mate: mate.map(Vec::len),
                    escapes: found == Some(None),
                    answer: answer.and_then(|&answer| view(&after, answer)),
                })
            })
            .collect();
        branches.sort_by_key(|branch| (!branch.escapes, std::cmp::Reverse(branch.mate)));
        Ok(TrainMessage::Proof(ProofView {
            sfen: start.to_sfen(),
            line: line.iter().map(Move::to_string).collect(),
            attacks,
            branches,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::SOLVER_BYTES;
    use tesuji_mate::Solver;

    fn fresh() -> SolutionChecker {
        SolutionChecker::new(Solver::new(SOLVER_BYTES))
    }

    #[test]
    fn every_defence_is_told_with_its_mate() {
        let start = Position::from_sfen("7nl/5k3/6ppp/5S3/9/9/9/9/9 b GS2r2b3g2s3n3l15p 1");
        let start = start.unwrap();
        let first = fresh().solution(&start, start.turn(), false).unwrap()[0];
        let Ok(TrainMessage::Proof(proof)) = fresh().explore(&start, &[first]) else {
            panic!("no proof");
        };
        let pos = played(&start, &[first]).unwrap();
        assert_eq!(proof.branches.len(), pos.legal_moves().len());
        assert!(
            proof
                .branches
                .iter()
                .all(|branch| branch.mate == Some(1) && branch.answer.is_some())
        );
        let Ok(TrainMessage::Proof(root)) = fresh().explore(&start, &[]) else {
            panic!("no proof");
        };
        assert!(root.attacks && root.branches[0].mate == Some(2));
    }
}
