//! Positions and played moves out of game records.
//!
//! Tables of games as `tesuji data games` reads them, records in every text format, and files of
//! samples with moves. Whole games are put apart to be tested on.

use super::agreement::PlayedPosition;
use crate::data::{DataReader, DataRecord, GameRow, Scale, pack_played};
use rayon::prelude::*;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use tesuji_kernels::open_input;
use tesuji_record::{Game, GameResult, Games, TextFormat};

/// Which positions are taken from which games.
#[derive(Clone, PartialEq, Debug)]
pub struct ExampleSource {
    /// Tables of games (`.tsv`), records (`.csa`, `.kif`, …) or samples (`.psv`, `.pack`, …).
    pub files: Vec<PathBuf>,
    /// Only moves of players rated at least this, where ratings are known.
    pub min_rating: u32,
    /// Scales of the players of a table: with them, only positions with a score are taken.
    pub scales: Option<(Scale, f64)>,
    /// The share of the games that is put apart.
    pub held_out_share: f64,
    /// How many positions of the games that are put apart are tested on at most.
    pub held_out_limit: usize,
    /// Decides which games.
    pub seed: u64,
}

/// What is learnt from and what is tested on.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// Positions to learn from.
    pub training: Vec<DataRecord>,
    /// Positions to test on, of other games.
    pub held_out: Vec<PlayedPosition>,
    /// How many games there are to learn from.
    pub games: u64,
    /// How many games were put apart.
    pub games_held_out: u64,
    /// How many games were left out: they ended abnormally, or no move qualifies.
    pub games_left_out: u64,
}

/// Why games cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A line or a game of it is wrong.
    #[error("{}:{line}: {what}", path.display())]
    Line {
        /// In which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Its samples are wrong.
    #[error(transparent)]
    Data(#[from] crate::data::DataError),
    /// The name says nothing.
    #[error(
        "{}: cannot tell its format: the name must end in tsv, csa, kif, kifu, ki2, jkf, usi, sfen, \
         psv, hcpe, sbinpack, hcpe3 or pack",
        .0.display()
    )]
    Format(PathBuf),
}

impl Examples {
    /// Reads everything.
    ///
    /// # Errors
    /// If a file cannot be read, or a game in it is wrong.
    pub fn load(source: &ExampleSource) -> Result<Self, ExampleError> {
        let mut examples = Self::default();
        let mut apart = Vec::new();
        let mut number = 0u64;
        for path in &source.files {
            for game in games_of(path, source)? {
                number += 1;
                if game.is_empty() {
                    examples.games_left_out += 1;
                } else if is_apart(source, number) {
                    examples.games_held_out += 1;
                    apart.extend(game);
                } else {
                    examples.games += 1;
                    examples.training.extend(game);
                }
            }
        }
        fastrand::Rng::with_seed(source.seed).shuffle(&mut apart);
        apart.truncate(source.held_out_limit);
        let played = |record: &DataRecord| {
            let sample = record.unpack().ok()?;
            Some((sample.position, sample.mv?))
        };
        examples.held_out = apart.iter().filter_map(played).collect();
        Ok(examples)
    }
}

fn is_apart(source: &ExampleSource, game: u64) -> bool {
    let mixed = game.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ source.seed.wrapping_mul(0x2545_f491);
    fastrand::Rng::with_seed(mixed).f64() < source.held_out_share
}

/// The positions of a file, game by game.
fn games_of(path: &Path, source: &ExampleSource) -> Result<Vec<Vec<DataRecord>>, ExampleError> {
    let extension = path.extension().and_then(|text| text.to_str());
    match extension.unwrap_or_default() {
        "tsv" => table(path, source),
        "psv" | "hcpe" | "sbinpack" | "hcpe3" | "pack" => samples(path),
        name => match TextFormat::from_name(name) {
            Some((format, _)) => records(path, format),
            None => Err(ExampleError::Format(path.into())),
        },
    }
}

fn open(path: &Path) -> Result<BufReader<std::fs::File>, ExampleError> {
    let read = |source| ExampleError::Read {
        path: path.into(),
        source,
    };
    let file = open_input(path, u64::MAX).map_err(read)?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

fn table(path: &Path, source: &ExampleSource) -> Result<Vec<Vec<DataRecord>>, ExampleError> {
    let lines: Result<Vec<String>, _> = open(path)?.lines().collect();
    let lines = lines.map_err(|source| ExampleError::Read {
        path: path.into(),
        source,
    })?;
    let rows = lines.par_iter().enumerate();
    let rows = rows.filter(|(_, row)| !row.starts_with('#') && !row.is_empty());
    rows.map(|(place, row)| {
        let records = of_row(row, source).map_err(|what| ExampleError::Line {
            path: path.into(),
            line: place + 1,
            what,
        })?;
        Ok(records)
    })
    .collect()
}

/// The positions of one line of a table: those with a score if there are scales, else all.
fn of_row(row: &str, source: &ExampleSource) -> Result<Vec<DataRecord>, String> {
    let game = GameRow::parse(row)?;
    let Some(result) = game.trusted_result() else {
        return Ok(Vec::new());
    };
    let mut records = Vec::new();
    game.each_move(|pos, mv, value| {
        if game
            .rating_of(pos.turn())
            .is_some_and(|rating| rating < source.min_rating)
        {
            return Ok(());
        }
        let score = match &source.scales {
            Some((scales, to)) => match game.scaled_value(pos.turn(), value, scales, *to) {
                Some(score) => score,
                None => return Ok(()),
            },
            None => 0,
        };
        records.push(pack_played(pos, mv, score, result)?);
        Ok(())
    })?;
    Ok(records)
}

/// The positions of the main lines of records. A record without a result counts as a draw: what
/// is learnt are the moves.
fn records(path: &Path, format: TextFormat) -> Result<Vec<Vec<DataRecord>>, ExampleError> {
    let mut stream = Games::new(open(path)?, format);
    let mut games = Vec::new();
    loop {
        let line = stream.lines() + 1;
        let wrong = |what: String| ExampleError::Line {
            path: path.into(),
            line,
            what,
        };
        let Some(game) = stream.next() else {
            return Ok(games);
        };
        let game = game.map_err(|error| wrong(error.to_string()))?;
        games.push(of_record(&game).map_err(wrong)?);
    }
}

fn of_record(game: &Game) -> Result<Vec<DataRecord>, String> {
    let mut pos = game.start().clone();
    let result = game.result().unwrap_or(GameResult::Draw);
    let mut records = Vec::new();
    for mv in game.moves() {
        records.push(pack_played(&pos, mv, 0, result)?);
        pos.play(mv);
    }
    Ok(records)
}

/// The records of a file of samples; a game ends where the next position is not a later one.
fn samples(path: &Path) -> Result<Vec<Vec<DataRecord>>, ExampleError> {
    let mut games: Vec<Vec<DataRecord>> = Vec::new();
    for record in DataReader::open(path)? {
        let record = record?;
        match games.last_mut() {
            Some(game) if game.last().is_some_and(|last| last.ply() < record.ply()) => {
                game.push(record);
            }
            _ => games.push(vec![record]),
        }
    }
    Ok(games)
}
