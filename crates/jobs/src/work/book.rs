//! A challenge to a book: one game, played on the book as it was after a given number of games.
//!
//! A worker keeps a replica of the book and brings it to the state that a job names, so that the game
//! depends on nothing but the job: the winner follows what won so far, the loser looks for something
//! better (see [`tesuji_book::make`]).

use super::{FinishedWork, WorkContext, WorkError};
use crate::digest::sha256_hex;
use crate::spec::{BookJob, BookSpec, json};
use crate::store::JobReport;
use tesuji_book::make::{BookMaker, ChallengeOrder, GameReport, MakePlan};
use tesuji_book::store::{StoreReader, StoreWriter};
use tesuji_book::{BookEntry, Graph, RepetitionRule};
use tesuji_engine::challenger::{internal_challenger, with_mate_solver};
use tesuji_shogi::{ByColor, Color, Position};

/// A challenge, and what it says about its positions.
#[derive(Clone, Debug)]
pub struct BookGame {
    /// How it went.
    pub report: GameReport,
    /// The last position first.
    pub entries: Vec<BookEntry>,
}

impl BookGame {
    /// As a result has it: a line about the game, then the entries as a store of a book holds them.
    ///
    /// # Errors
    /// If a position cannot be packed: a message for people.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        let mut bytes = json(&self.report).into_bytes();
        bytes.push(b'\n');
        let mut writer = StoreWriter::new(bytes).map_err(|error| error.to_string())?;
        for entry in &self.entries {
            writer.write(entry).map_err(|error| error.to_string())?;
        }
        Ok(writer.into_inner())
    }

    /// Reads a result.
    ///
    /// # Errors
    /// If it is none: a message for people.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (line, rest) = bytes.split_at(end.ok_or("the result has no first line")?);
        let report: GameReport =
            serde_json::from_slice(line).map_err(|error| format!("the result: {error}"))?;
        let reader = StoreReader::new(&rest[1..]).map_err(|error| error.to_string())?;
        let entries: Result<Vec<BookEntry>, _> = reader.collect();
        Ok(Self {
            report,
            entries: entries.map_err(|error| error.to_string())?,
        })
    }
}

/// The plan of a book.
///
/// # Errors
/// If a start is no position, or a word is unknown: a message for people.
pub fn book_plan(spec: &BookSpec) -> Result<MakePlan, String> {
    let start = |sfen: &String| Position::from_sfen(sfen).map_err(|error| error.to_string());
    Ok(MakePlan {
        starts: spec.starts.iter().map(start).collect::<Result<_, _>>()?,
        budget: spec.budget,
        follows: ByColor(spec.follows),
        repetition: match spec.repetition {
            Some('b') => RepetitionRule::Loses(Color::Black),
            Some('w') => RepetitionRule::Loses(Color::White),
            _ => RepetitionRule::Draw,
        },
        exclude: spec.exclude,
        longest: spec.max_moves,
        resign_value: spec.resign_value,
        order: match spec.order.as_str() {
            "in-turn" => ChallengeOrder::InTurn,
            "fewest-wins" => ChallengeOrder::FewestWins,
            "fewest-challenges" => ChallengeOrder::FewestChallenges,
            other => return Err(format!("{other:?} is no order of challenges")),
        },
        wins: spec.wins,
        seed: spec.seed,
        learns: true,
    })
}

/// A book as it is after so many games.
#[derive(Debug)]
pub struct BookReplica {
    maker: BookMaker,
    /// How many games it knows.
    pub seq: i64,
}

impl BookReplica {
    /// A book without games.
    ///
    /// # Errors
    /// If the specification makes no sense: a message for people.
    pub fn new(spec: &BookSpec) -> Result<Self, String> {
        Ok(Self {
            maker: BookMaker::new(book_plan(spec)?, Graph::default(), None, &[]),
            seq: 0,
        })
    }

    /// Takes the next game in; one that does not count leaves the book as it is.
    ///
    /// # Errors
    /// If it is no game: a message for people.
    pub fn add(&mut self, seq: i64, payload: &[u8], counts: bool) -> Result<(), String> {
        if seq != self.seq + 1 {
            return Err(format!("game {seq} cannot follow game {}", self.seq));
        }
        if counts {
            let game = BookGame::read(payload)?;
            let added = self.maker.add(&game.report, &game.entries);
            added.map_err(|error| error.to_string())?;
        }
        self.seq = seq;
        Ok(())
    }

    /// The book itself.
    pub fn maker(&self) -> &BookMaker {
        &self.maker
    }
}

pub(super) fn play(
    context: &WorkContext,
    spec: &BookSpec,
    job: &BookJob,
    book: &BookReplica,
) -> Result<FinishedWork, WorkError> {
    if book.seq != job.base {
        let why = format!("the book knows {} games, not {}", book.seq, job.base);
        return Err(WorkError::Failed(why));
    }
    if job.start >= spec.starts.len() {
        return Err(WorkError::because("there are not so many starts"));
    }
    let challenger = |eval: &crate::spec::SharedEval| {
        let name = String::from(eval.clone());
        let local = eval.local(&context.files).map_err(WorkError::Failed)?;
        let inner = internal_challenger(name, &local, spec.table_bytes);
        let inner = inner.map_err(WorkError::because)?;
        Ok::<_, WorkError>(with_mate_solver(inner, spec.mate_nodes))
    };
    let [black, white] = &spec.challengers;
    let mut challengers = ByColor([challenger(black)?, challenger(white)?]);
    let played = book
        .maker
        .play_numbered(job.number, job.start, &mut challengers);
    let (report, entries) = played.map_err(WorkError::because)?;
    let game = BookGame { report, entries };
    let payload = game.write().map_err(WorkError::Failed)?;
    Ok(FinishedWork {
        report: JobReport {
            digest: sha256_hex(&payload),
            payload,
            games: 1,
            positions: game.entries.len() as i64,
            nodes: game.report.nodes as i64,
            ..JobReport::default()
        },
        file: None,
    })
}

/// Every position follows from the one before it by the move that is stored there, from the start on.
pub(super) fn check(spec: &BookSpec, job: &BookJob, report: &JobReport) -> Result<String, String> {
    let game = BookGame::read(&report.payload)?;
    if game.report.number != job.number || game.report.start != job.start {
        return Err("it is another game than was asked for".into());
    }
    let start = spec
        .starts
        .get(job.start)
        .ok_or("there are not so many starts")?;
    let mut pos = Position::from_sfen(start).map_err(|error| error.to_string())?;
    for entry in game.entries.iter().rev() {
        if entry.pos.identity() != pos.identity() {
            return Err(format!("{} does not follow", entry.pos.to_sfen()));
        }
        let Some(mv) = entry.moves.first().and_then(|choice| choice.mv) else {
            continue;
        };
        pos.try_play(mv)
            .map_err(|_| format!("{mv} is illegal in {}", pos.to_sfen()))?;
    }
    Ok(sha256_hex(&report.payload))
}
