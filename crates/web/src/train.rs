//! Training: graded problems inside the program and the user's own, what was solved, and a solver that
//! checks every move and defends.
//!
//! The problems were made by `tesuji data problems` out of public games. A page is told whether a move
//! is right by solving what is left, so a second solution is as good as the first.

mod progress;
mod proof;
mod solution_checker;

use crate::library::GameLibrary;
use crate::protocol::position::{PositionView, line_view};
use crate::protocol::train::{ProblemView, SetKind, TrainMessage, TrainRequest};
use crate::solvers::Solvers;
use crate::user_error::UserError;
use progress::ProgressStore;
use solution_checker::SolutionChecker;
use std::ops::Range;
use std::sync::Arc;
use tesuji_record::problems::{Problem, ProblemKind};
use tesuji_shogi::{Color, Move, Position};

/// The problems inside the program, by length, easy ones first.
const PROBLEMS: &str = include_str!("../problems.txt");

/// The longest line that is followed.
const LONGEST_LINE: usize = 400;

/// A problem and whom it belongs to.
pub(super) struct TrainProblem {
    pub(super) kind: SetKind,
    /// How long the solution is, if it is known.
    pub(super) plies: Option<u16>,
    pub(super) is_unique: bool,
    pub(super) pos: Position,
}

impl TrainProblem {
    /// Whether only a brinkmate is asked for.
    fn is_brinkmate(&self) -> bool {
        self.kind == SetKind::Brinkmate
    }
}

/// A set inside the program: its name and its lines.
pub(super) struct BuiltinSet {
    pub(super) name: String,
    pub(super) kind: SetKind,
    pub(super) plies: Option<u16>,
    pub(super) lines: Range<usize>,
}

/// Answers what the training tab asks for.
pub(crate) struct Trainer {
    lines: Vec<&'static str>,
    pub(super) sets: Vec<BuiltinSet>,
    store: ProgressStore,
    solvers: Arc<Solvers>,
}

impl Trainer {
    pub(crate) fn new(library: GameLibrary, solvers: Arc<Solvers>) -> Self {
        let lines: Vec<&str> = PROBLEMS.lines().collect();
        Self {
            sets: builtin_sets(&lines),
            lines,
            store: ProgressStore { library },
            solvers,
        }
    }

    /// Does what a page asks for.
    pub(crate) async fn handle(&self, request: TrainRequest) -> Result<TrainMessage, UserError> {
        match request {
            TrainRequest::Sets => self.sets(None),
            TrainRequest::Problem {
                set,
                number,
                unsolved,
            } => {
                let total = self.total(&set)?;
                let number = match unsolved {
                    true => self.next_unsolved(&set, number, total)?,
                    false => number.min(total.saturating_sub(1)),
                };
                self.view(&set, number, total)
            }
            TrainRequest::Move(step) => self.step(step).await,
            TrainRequest::Hint { set, number, line } => {
                let moves = self.solution(&set, number, &line).await?;
                let first = moves.into_iter().next().ok_or_else(no_solution)?;
                Ok(TrainMessage::Hint {
                    origin: first.origin().to_owned(),
                    mv: first,
                })
            }
            TrainRequest::Solution { set, number, line } => {
                let problem = self.problem(&set, number)?;
                self.store.failed(&problem.pos)?;
                Ok(TrainMessage::Solution {
                    moves: self.solution(&set, number, &line).await?,
                })
            }
            TrainRequest::AddSet { name, record } => {
                let name = self.store.add_set(&name, &record)?;
                let mut answer = self.sets(None)?;
                if let TrainMessage::Sets { sets, .. } = &mut answer {
                    // The new one first: the page opens it.
                    sets.sort_by_key(|set| set.name != format!("u:{name}"));
                }
                Ok(answer)
            }
            TrainRequest::RemoveSet { name } => {
                let removed = self.store.remove_set(&name)?;
                self.sets(Some(removed))
            }
            TrainRequest::Explore { sfen, line } => {
                let (start, moves) = (position(&sfen)?, parsed(&line)?);
                self.checked(move |checker| checker.explore(&start, &moves))
                    .await?
            }
        }
    }

    /// Does something with a solver, on a thread that may be busy for a while.
    pub(super) async fn checked<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SolutionChecker) -> T + Send + 'static,
    ) -> Result<T, UserError> {
        let ask = move |solver| work(&mut SolutionChecker::new(solver));
        self.solvers.ask(ask).await
    }

    /// How many problems a set has.
    fn total(&self, set: &str) -> Result<usize, UserError> {
        match self.sets.iter().find(|known| known.name == set) {
            Some(known) => Ok(known.lines.len()),
            None => Ok(self.store.own_set(set)?.len()),
        }
    }

    /// A problem of a set.
    pub(super) fn problem(&self, set: &str, number: usize) -> Result<TrainProblem, UserError> {
        let missing = || UserError::new("There is no such problem.", "その問題はありません。");
        let known = self.sets.iter().find(|known| known.name == set);
        let Some(known) = known else {
            let own = self.store.own_set(set)?;
            return own.into_iter().nth(number).ok_or_else(missing);
        };
        let line = known.lines.clone().nth(number).ok_or_else(missing)?;
        let problem = Problem::read(self.lines[line]).map_err(|_| missing())?;
        Ok(TrainProblem {
            kind: known.kind,
            plies: Some(problem.plies),
            is_unique: problem.is_unique,
            pos: problem.pos,
        })
    }

    fn next_unsolved(&self, set: &str, from: usize, total: usize) -> Result<usize, UserError> {
        let solved = self.store.solved()?;
        for number in (from..total).chain(0..from.min(total)) {
            let problem = self.problem(set, number)?;
            if !solved.contains(&progress::name(&problem.pos)) {
                return Ok(number);
            }
        }
        Ok(from.min(total.saturating_sub(1)))
    }

    fn view(&self, set: &str, number: usize, total: usize) -> Result<TrainMessage, UserError> {
        let problem = self.problem(set, number)?;
        let solved = self.store.solved()?;
        Ok(TrainMessage::Problem(ProblemView {
            set: set.to_owned(),
            number,
            total,
            kind: problem.kind,
            plies: problem.plies,
            unique: problem.is_unique,
            solved: solved.contains(&progress::name(&problem.pos)),
            position: PositionView::new(&problem.pos, true),
        }))
    }

    /// The moves from a line of a problem to the mate.
    async fn solution(
        &self,
        set: &str,
        number: usize,
        line: &[String],
    ) -> Result<Vec<crate::protocol::position::MoveView>, UserError> {
        let problem = self.problem(set, number)?;
        let pos = played(&problem.pos, &parsed(line)?)?;
        let (asked, is_brinkmate) = (pos.clone(), problem.is_brinkmate() && line.is_empty());
        let attacker = problem.pos.turn();
        let moves = self
            .checked(move |checker| checker.solution(&asked, attacker, is_brinkmate))
            .await?
            .ok_or_else(no_solution)?;
        Ok(line_view(&pos, &moves, LONGEST_LINE))
    }
}

fn no_solution() -> UserError {
    UserError::new(
        "The solver finds no mate here in time.",
        "制限時間内に詰みが見つかりません。",
    )
}

/// The sets of the lines inside the program: one for each length, and the brinkmates.
fn builtin_sets(lines: &[&str]) -> Vec<BuiltinSet> {
    let mut sets: Vec<BuiltinSet> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Ok(problem) = Problem::read(line) else {
            continue;
        };
        let (name, kind, plies) = match problem.kind {
            ProblemKind::Mate => (
                format!("m{}", problem.plies),
                SetKind::Mate,
                Some(problem.plies),
            ),
            ProblemKind::Brinkmate => ("b".to_owned(), SetKind::Brinkmate, None),
        };
        match sets
            .last_mut()
            .filter(|set| set.name == name && set.lines.end == number)
        {
            Some(set) => set.lines.end += 1,
            None => sets.push(BuiltinSet {
                name,
                kind,
                plies,
                lines: number..number + 1,
            }),
        }
    }
    sets
}

/// A position that somebody sent, with a king to mate.
fn position(sfen: &str) -> Result<Position, UserError> {
    let pos = Position::from_sfen(sfen).map_err(|error| UserError::position(&error))?;
    let has_kings = Color::ALL.iter().any(|&side| pos.king(side).is_some());
    has_kings.then_some(pos).ok_or_else(no_solution)
}

/// Moves that somebody sent.
fn parsed(line: &[String]) -> Result<Vec<Move>, UserError> {
    let moves = line.iter().take(LONGEST_LINE);
    moves
        .map(|text| text.parse().map_err(|_| UserError::not_a_move(text)))
        .collect()
}

/// The position after some moves.
fn played(start: &Position, moves: &[Move]) -> Result<Position, UserError> {
    let mut pos = start.clone();
    for &mv in moves {
        pos.try_play(mv)
            .map_err(|_| UserError::not_a_move(&mv.to_string()))?;
    }
    Ok(pos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_inside_the_program_can_be_read() {
        let lines: Vec<&str> = PROBLEMS.lines().collect();
        for line in &lines {
            let problem = Problem::read(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!((1..=15).contains(&problem.plies) || problem.kind == ProblemKind::Brinkmate);
        }
        let sets = builtin_sets(&lines);
        assert_eq!(
            sets.iter().map(|set| set.lines.len()).sum::<usize>(),
            lines.len()
        );
        let names: Vec<&str> = sets.iter().map(|set| &*set.name).collect();
        assert_eq!(
            names,
            ["m1", "m3", "m5", "m7", "m9", "m11", "m13", "m15", "b"]
        );
        assert!(lines.len() >= 2000, "{} problems", lines.len());
        assert!(PROBLEMS.len() < 300_000, "{} bytes", PROBLEMS.len());
    }
}
