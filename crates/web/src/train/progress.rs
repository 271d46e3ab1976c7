//! What was solved, the streak, and the user's own sets: kept in the file of the library.

use super::solution_checker::CheckedMove;
use super::{TrainProblem, Trainer, parsed, played};
use crate::library::GameLibrary;
use crate::protocol::position::{PositionView, line_view};
use crate::protocol::request::RecordSource;
use crate::protocol::train::{
    ProblemSetView, RemovedSet, SetKind, SolvingProgress, StepVerdict, StepView, TrainMessage,
    TrainMove,
};
use crate::records;
use crate::user_error::UserError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashSet;
use std::time::SystemTime;
use tesuji_record::encoding;
use tesuji_record::problems::Problem;
use tesuji_shogi::{Move, Position};

/// How many problems a set of the user's may have.
const MOST_PROBLEMS: usize = 20_000;

/// What is written down about training.
pub(super) struct ProgressStore {
    pub(super) library: GameLibrary,
}

/// The name of a problem: its position, whatever set it stands in.
pub(super) fn name(pos: &Position) -> String {
    let sfen = pos.to_sfen();
    sfen.rsplit_once(' ')
        .map_or(sfen.clone(), |(name, _)| name.to_owned())
}

fn failure(error: &rusqlite::Error) -> UserError {
    UserError::new(
        format!("What you solved cannot be kept: {error}."),
        format!("記録を保存できません({error})。"),
    )
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

impl ProgressStore {
    /// Does something with what is written down.
    fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, UserError> {
        self.library.with(work).map_err(|error| failure(&error))
    }

    /// The names of all problems that were solved.
    pub(super) fn solved(&self) -> Result<HashSet<String>, UserError> {
        self.with(|db| {
            let mut list = db.prepare("SELECT problem FROM progress WHERE solved > 0")?;
            let names = list.query_map([], |row| row.get(0))?;
            names.collect()
        })
    }

    fn number(&self, name: &str) -> Result<u64, UserError> {
        let found = self.library.setting(name)?;
        Ok(found.and_then(|value| value.parse().ok()).unwrap_or(0))
    }

    fn set_number(&self, name: &str, value: u64) -> Result<(), UserError> {
        Ok(self.library.set_setting(name, &value.to_string())?)
    }

    pub(super) fn progress(&self) -> Result<SolvingProgress, UserError> {
        let today = now() - now().rem_euclid(86_400);
        let sql = "SELECT COUNT(*), COALESCE(SUM(at >= ?), 0) FROM progress WHERE solved > 0";
        let (solved, today): (i64, i64) =
            self.with(|db| db.query_row(sql, [today], |row| row.try_into()))?;
        Ok(SolvingProgress {
            streak: self.number("train-streak")?,
            best: self.number("train-best")?,
            solved: solved as u64,
            today: today as u64,
        })
    }

    /// Writes down that a problem was not solved at once.
    pub(super) fn failed(&self, pos: &Position) -> Result<(), UserError> {
        self.tried(pos, false)?;
        self.set_number("train-streak", 0)
    }

    fn tried(&self, pos: &Position, is_solved: bool) -> Result<(), UserError> {
        let sql = "INSERT INTO progress VALUES (?, 1, ?, ?) ON CONFLICT (problem) DO UPDATE SET \
                   tries = tries + 1, at = CASE WHEN solved = 0 THEN excluded.at ELSE at END, \
                   solved = solved + excluded.solved";
        let values = params![name(pos), i64::from(is_solved), now()];
        self.with(|db| db.execute(sql, values))?;
        Ok(())
    }

    fn solved_one(&self, pos: &Position, is_clean: bool) -> Result<(), UserError> {
        self.tried(pos, true)?;
        if is_clean {
            let streak = self.number("train-streak")? + 1;
            self.set_number("train-streak", streak)?;
            let best = self.number("train-best")?;
            self.set_number("train-best", best.max(streak))?;
        }
        Ok(())
    }

    // ---- Sets of the user's ----

    fn own_text(&self, set: &str) -> Result<String, UserError> {
        let sql = "SELECT problems FROM sets WHERE name = ?";
        let name = set.strip_prefix("u:").unwrap_or(set);
        let found = self.with(|db| db.query_row(sql, [name], |row| row.get(0)).optional())?;
        let missing = || UserError::new("There is no such set.", "その問題集はありません。");
        found.ok_or_else(missing)
    }

    /// The problems of a set of the user's.
    pub(super) fn own_set(&self, set: &str) -> Result<Vec<TrainProblem>, UserError> {
        Ok(problems_of(&self.own_text(set)?))
    }

    fn own_sets(&self) -> Result<Vec<(String, Vec<TrainProblem>)>, UserError> {
        let rows: Vec<(String, String)> = self.with(|db| {
            let mut list = db.prepare("SELECT name, problems FROM sets ORDER BY at")?;
            let rows = list.query_map([], |row| row.try_into())?;
            rows.collect()
        })?;
        let read = |(name, text): (String, String)| (name, problems_of(&text));
        Ok(rows.into_iter().map(read).collect())
    }

    /// Adds the problems of a text; gives the name of the set.
    pub(super) fn add_set(&self, name: &str, record: &RecordSource) -> Result<String, UserError> {
        let text = text_of(record)?;
        let mut problems = problems_of(&text);
        if problems.is_empty() {
            // A single problem as a record or a position.
            let game = records::read(record, 0)?.game;
            problems.extend(problem_of(game.start().clone()));
        }
        if problems.is_empty() {
            return Err(UserError::new(
                "There is no problem in it: one SFEN on each line is expected.",
                "問題が見つかりません。一行に一つ SFEN を書いてください。",
            ));
        }
        let lines: Vec<String> = problems
            .iter()
            .map(|problem| problem.pos.to_sfen())
            .collect();
        let name: String = name.trim().chars().take(60).collect();
        let name = if name.is_empty() { "SFEN".into() } else { name };
        let sql = "INSERT OR REPLACE INTO sets VALUES (?, ?, ?)";
        let values = params![name, lines.join("\n"), now()];
        self.with(|db| db.execute(sql, values))?;
        Ok(name)
    }

    /// Takes a set away.
    pub(super) fn remove_set(&self, set: &str) -> Result<RemovedSet, UserError> {
        let text = self.own_text(set)?;
        let name = set.strip_prefix("u:").unwrap_or(set).to_owned();
        self.with(|db| db.execute("DELETE FROM sets WHERE name = ?", [&name]))?;
        Ok(RemovedSet { name, text })
    }
}

/// The text that somebody sent, whatever its encoding was.
fn text_of(source: &RecordSource) -> Result<String, UserError> {
    match source {
        RecordSource::Text(text) => Ok(text.clone()),
        RecordSource::File { bytes, .. } => {
            let bytes = STANDARD
                .decode(bytes)
                .map_err(|_| UserError::no_game("not base 64"))?;
            encoding::decode(&bytes).map_err(|problem| UserError::problem(&problem))
        }
    }
}

fn problem_of(pos: Position) -> Option<TrainProblem> {
    pos.king(pos.turn().foe())?;
    Some(TrainProblem {
        kind: SetKind::Own,
        plies: None,
        is_unique: true,
        pos,
    })
}

/// The problems of a text: lines with an SFEN, whatever follows it, or lines of our own format.
fn problems_of(text: &str) -> Vec<TrainProblem> {
    let read = |line: &str| {
        let line = line.trim();
        if let Ok(problem) = Problem::read(line) {
            return problem_of(problem.pos);
        }
        let line = line.strip_prefix("sfen ").unwrap_or(line);
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        problem_of(Position::from_sfen(&words.join(" ")).ok()?)
    };
    text.lines().filter_map(read).take(MOST_PROBLEMS).collect()
}

impl Trainer {
    /// All sets, and what was solved of them.
    pub(super) fn sets(&self, removed: Option<RemovedSet>) -> Result<TrainMessage, UserError> {
        let solved = self.store.solved()?;
        let mut sets = Vec::new();
        for set in &self.sets {
            let lines = set.lines.clone().map(|line| self.lines[line]);
            let done = lines.filter(|line| {
                let problem = Problem::read(line);
                problem.is_ok_and(|problem| solved.contains(&name(&problem.pos)))
            });
            sets.push(ProblemSetView {
                name: set.name.clone(),
                kind: set.kind,
                plies: set.plies,
                total: set.lines.len(),
                solved: if solved.is_empty() { 0 } else { done.count() },
            });
        }
        for (own, problems) in self.store.own_sets()? {
            let done = problems
                .iter()
                .filter(|problem| solved.contains(&name(&problem.pos)));
            sets.push(ProblemSetView {
                name: format!("u:{own}"),
                kind: SetKind::Own,
                plies: None,
                solved: done.count(),
                total: problems.len(),
            });
        }
        Ok(TrainMessage::Sets {
            sets,
            progress: self.store.progress()?,
            removed,
        })
    }

    /// Checks a move and lets the defender answer.
    pub(super) async fn step(&self, step: TrainMove) -> Result<TrainMessage, UserError> {
        let problem = self.problem(&step.set, step.number)?;
        let line = parsed(&step.line)?;
        let pos = played(&problem.pos, &line)?;
        let mv: Move = step
            .mv
            .parse()
            .map_err(|_| UserError::not_a_move(&step.mv))?;
        if !pos.is_legal(mv) || pos.turn() != problem.pos.turn() {
            return Err(UserError::not_a_move(&step.mv));
        }
        let left = problem
            .plies
            .map(|plies| usize::from(plies).saturating_sub(line.len()));
        let (asked, is_brinkmate) = (pos, problem.kind == SetKind::Brinkmate && line.is_empty());
        let checked = self
            .checked(move |checker| checker.check_move(&asked, mv, left, is_brinkmate))
            .await?;
        let (verdict, moves, left) = match checked {
            CheckedMove::Right(defence, left) => {
                (StepVerdict::Right, vec![mv, defence], Some(left))
            }
            CheckedMove::Solved => (StepVerdict::Solved, vec![mv], Some(0)),
            CheckedMove::NoCheck => (StepVerdict::NoCheck, Vec::new(), None),
            CheckedMove::Wrong => (StepVerdict::Wrong, Vec::new(), None),
            CheckedMove::Longer => (StepVerdict::Longer, Vec::new(), None),
            CheckedMove::Unclear => (StepVerdict::Unclear, Vec::new(), None),
        };
        match verdict {
            StepVerdict::Solved => self.store.solved_one(&problem.pos, step.clean)?,
            StepVerdict::Wrong | StepVerdict::Longer if step.clean => {
                self.store.failed(&problem.pos)?;
            }
            _ => {}
        }
        let line: Vec<Move> = line.into_iter().chain(moves).collect();
        let pos = played(&problem.pos, &line)?;
        Ok(TrainMessage::Step(StepView {
            verdict,
            position: PositionView::new(&pos, verdict != StepVerdict::Solved),
            line: line_view(&problem.pos, &line, super::LONGEST_LINE),
            left,
            progress: self.store.progress()?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_problems_are_read_line_by_line() {
        let text = "# a set\n4k4/9/4P4/9/9/9/9/9/9 b G 1\tlen=1\n\nsfen 4k4/9/4P4/9/9/9/9/9/9 b G 1\n\
                    m1 4k4/9/4P4/9/9/9/9/9/9 G\n4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b\nnonsense\n";
        assert_eq!(problems_of(text).len(), 4);
        assert!(problems_of("9/9/9/9/9/9/9/9/9 b G 1").is_empty());
    }
}
