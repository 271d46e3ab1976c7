//! The file of games beside a book in the making: with what it was begun, then a line for each game.

use crate::answer::Failure;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use tesuji_book::RepetitionRule;
use tesuji_book::make::{GameReport, MakePlan};
use tesuji_shogi::Color;

/// What the games of a file have in common: wins in a row mean nothing across a change of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct MadeGamesHeader {
    starts: Vec<String>,
    seed: u64,
    repetition: String,
}

/// A file of games that is added to.
pub(super) struct MadeGames {
    file: File,
}

/// The file of games of a book: its whole name, because `win.tbk` and `win.sqlite` are two books.
pub(super) fn games_path(book: &Path) -> PathBuf {
    let mut name = OsString::from(book.file_name().unwrap_or_default());
    name.push(".games.jsonl");
    book.with_file_name(name)
}

/// A rule of repetition as options say it.
pub(super) const fn rule_name(rule: RepetitionRule) -> &'static str {
    match rule {
        RepetitionRule::Loses(Color::Black) => "black",
        RepetitionRule::Loses(Color::White) => "white",
        RepetitionRule::Draw => "draw",
    }
}

impl MadeGamesHeader {
    pub(super) fn of(plan: &MakePlan) -> Self {
        Self {
            starts: plan.starts.iter().map(|start| start.to_sfen()).collect(),
            seed: plan.seed,
            repetition: rule_name(plan.repetition).into(),
        }
    }

    /// What is asked for otherwise than it was, if anything is.
    fn difference(&self, wanted: &Self) -> Option<String> {
        if self.starts != wanted.starts {
            let (there, here) = (self.starts.len(), wanted.starts.len());
            let counts = match there == here {
                true => String::new(),
                false => format!(", {there} of them and not {here}"),
            };
            return Some(format!(
                "its games begin at other positions{counts}: give the --start that it was begun with"
            ));
        }
        if self.seed != wanted.seed {
            let (there, here) = (self.seed, wanted.seed);
            return Some(format!(
                "its games were played with --seed {there}, not {here}"
            ));
        }
        (self.repetition != wanted.repetition).then(|| {
            let (there, here) = (&self.repetition, &wanted.repetition);
            format!("its games were played with --repetition {there}, not {here}")
        })
    }
}

/// The games played before. A line that was being written when the program was stopped is no JSON.
///
/// # Errors
/// If the file cannot be read, or its games were played from other positions, with another seed or
/// by another rule.
pub(super) fn read_games(
    path: &Path,
    header: &MadeGamesHeader,
) -> Result<Vec<GameReport>, Failure> {
    let file = match tesuji_kernels::open_input(path, u64::MAX) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => {
            return Err(Failure::Read {
                path: path.into(),
                source,
            });
        }
    };
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    let found = lines.next().unwrap_or_default();
    let games: Vec<GameReport> = lines
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect();
    let wrong = match serde_json::from_str::<MadeGamesHeader>(&found) {
        Ok(found) => found.difference(header),
        // It was stopped before the first line was whole.
        Err(_) if games.is_empty() && serde_json::from_str::<GameReport>(&found).is_err() => None,
        Err(_) => Some("its first line does not say how its games were played".into()),
    };
    wrong.map_or(Ok(games), |wrong| Err(refusal(path, &wrong)))
}

/// Why games are not gone on with.
pub(super) fn refusal(path: &Path, wrong: &str) -> Failure {
    let what = format!("{wrong}; or begin a book of another name, or move this file away");
    Failure::File {
        path: path.into(),
        what: what.into(),
    }
}

impl MadeGames {
    /// Opens a file behind its last whole line, or begins it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn open(
        path: &Path,
        header: &MadeGamesHeader,
        is_begun: bool,
    ) -> Result<Self, Failure> {
        let fail = |source| Failure::Write {
            path: path.into(),
            source,
        };
        if !is_begun {
            let mut line = serde_json::to_string(header).unwrap_or_default();
            line.push('\n');
            tesuji_record::file::save(path, line.as_bytes()).map_err(fail)?;
        }
        let file = OpenOptions::new().append(true).open(path);
        let mut file = file.map_err(fail)?;
        // A line that a writer who was killed left unfinished is ended, so that the next one stands
        // alone.
        let text = std::fs::read(path).unwrap_or_default();
        if text.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(fail)?;
        }
        Ok(Self { file })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, report: &GameReport) -> std::io::Result<()> {
        let mut line = serde_json::to_string(report)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }
}
