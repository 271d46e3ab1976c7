//! The file of a match: one JSON line for the match, then one for every game, appended whole.
//!
//! A match that was killed leaves complete lines and at most one torn one, which is cut off when the
//! match goes on, once the first line has shown that the file is of this match. The file is locked
//! while a match runs on it.

use crate::game::{GameEnd, PlayedGame};
use crate::schedule::Pairing;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use tesuji_kernels::require_regular;
use tesuji_shogi::{Color, Position};

/// What a match is about; a file can only be continued by the same match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GamesHeader {
    /// The players.
    pub players: Vec<PlayerLine>,
    /// What tells one list of openings from another.
    pub openings: String,
    /// How players are paired and openings ordered.
    pub schedule: String,
    /// The rules of the game and of its early end.
    pub rules: String,
}

/// A player of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerLine {
    /// What it is called in the results.
    pub name: String,
    /// What is started.
    pub command: Vec<String>,
    /// What is set.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub control: String,
}

/// A game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the schedule.
    pub id: usize,
    /// In which round.
    pub round: usize,
    /// Who played Black, by name.
    pub black: String,
    /// Who played White, by name.
    pub white: String,
    /// `black`, `white` or nobody.
    pub winner: Option<Winner>,
    /// Why it ended.
    pub end: GameEnd,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Where it began.
    pub start: String,
    /// The moves, separated by spaces.
    pub moves: String,
    /// What each position was worth to its player.
    pub values: Vec<Option<i32>>,
    /// How long each move took, in microseconds.
    pub micros: Vec<u64>,
    /// How deep each player looked.
    pub depths: Vec<Option<u32>>,
    /// At how many positions.
    pub nodes: Vec<Option<u64>>,
    /// How long the game took, in microseconds.
    pub wall_micros: u64,
}

/// Who won a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The one who played Black.
    Black,
    /// The one who played White.
    White,
}

impl GameLine {
    /// The line of a game between two names.
    pub fn new(pairing: &Pairing, names: [&str; 2], start: &Position, game: &PlayedGame) -> Self {
        let moves: Vec<_> = game
            .moves
            .iter()
            .map(|played| played.mv.to_string())
            .collect();
        let micros =
            |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Self {
            id: pairing.id,
            round: pairing.round,
            black: names[0].into(),
            white: names[1].into(),
            winner: game.winner.map(|color| match color {
                Color::Black => Winner::Black,
                Color::White => Winner::White,
            }),
            end: game.end,
            remark: game.remark.clone(),
            start: start.to_sfen(),
            moves: moves.join(" "),
            values: game
                .moves
                .iter()
                .map(|played| played.value.map(|value| value.points()))
                .collect(),
            micros: game
                .moves
                .iter()
                .map(|played| micros(played.time))
                .collect(),
            depths: game.moves.iter().map(|played| played.depth).collect(),
            nodes: game.moves.iter().map(|played| played.nodes).collect(),
            wall_micros: micros(game.wall),
        }
    }

    /// The points of the one who played Black, doubled.
    pub fn half_points_of_black(&self) -> u8 {
        match self.winner {
            Some(Winner::Black) => 2,
            None => 1,
            Some(Winner::White) => 0,
        }
    }
}

/// What is wrong with the file of a match.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// In which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Another match runs on it.
    #[error(
        "{}: another match is writing into it: wait until it ends, or name another file with --games",
        path.display()
    )]
    InUse {
        /// Which file.
        path: PathBuf,
    },
    /// It belongs to another match.
    #[error(
        "{}: belongs to another match ({what} differ): name another file, or remove this one to begin anew",
        path.display()
    )]
    Other {
        /// Which file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
}

/// The file of a match, open for more games. It is locked as long as it is open.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    file: File,
}

impl GamesFile {
    /// Opens the file of a match or begins it; the games that were played already come with it. A
    /// file that is not of this match is left as it is.
    ///
    /// # Errors
    /// If it cannot be read or written, belongs to another match, or another match runs on it.
    pub fn open(path: &Path, header: &GamesHeader) -> Result<(Self, Vec<GameLine>), GamesError> {
        let mut games_file = Self::locked(path)?;
        let mut lines = GameLines::new(path, &games_file.file)?;
        match lines.next()? {
            NextLine::End => games_file.write(header)?,
            // A match that was killed while it wrote its first line.
            NextLine::Torn(text) if is_beginning(&text, header) => {
                games_file.cut(0)?;
                games_file.write(header)?;
            }
            NextLine::Whole(first) | NextLine::Torn(first) => games_file.check(&first, header)?,
        }
        let mut games: Vec<GameLine> = Vec::new();
        loop {
            match lines.next()? {
                NextLine::End => break,
                NextLine::Whole(text) => games.push(lines.game(&text)?),
                // What a killed match was just writing. The file is ours, nobody else writes.
                NextLine::Torn(_) => {
                    games_file.cut(lines.whole)?;
                    break;
                }
            }
        }
        games.sort_by_key(|game| game.id);
        games.dedup_by_key(|game| game.id);
        Ok((games_file, games))
    }

    /// Opens a file for reading and appending, and keeps others from doing the same.
    fn locked(path: &Path) -> Result<Self, GamesError> {
        let path = path.to_path_buf();
        let opened = match std::fs::metadata(&path) {
            Ok(metadata) => require_regular(&metadata),
            Err(_) => Ok(()),
        };
        let opened = opened.and_then(|()| {
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true).open(&path)
        });
        let file = match opened {
            Ok(file) => file,
            Err(source) => return Err(GamesError::File { path, source }),
        };
        match file.try_lock() {
            Ok(()) => Ok(Self { path, file }),
            Err(TryLockError::WouldBlock) => Err(GamesError::InUse { path }),
            // Where files cannot be locked a match can be played nevertheless.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(Self { path, file })
            }
            Err(TryLockError::Error(source)) => Err(GamesError::File { path, source }),
        }
    }

    /// Cuts off what follows so many bytes.
    fn cut(&self, length: u64) -> Result<(), GamesError> {
        self.file
            .set_len(length)
            .map_err(|source| GamesError::File {
                path: self.path.clone(),
                source,
            })
    }

    fn check(&self, first: &[u8], header: &GamesHeader) -> Result<(), GamesError> {
        let found: GamesHeader =
            serde_json::from_slice(first).map_err(|error| GamesError::Line {
                path: self.path.clone(),
                line: 1,
                why: format!("this is no file of a match: {error}"),
            })?;
        let differences = [
            (found.players != header.players, "the players"),
            (found.openings != header.openings, "the openings"),
            (found.schedule != header.schedule, "the pairings"),
            (found.rules != header.rules, "the rules"),
        ];
        match differences.into_iter().find(|(differs, _)| *differs) {
            None => Ok(()),
            Some((_, what)) => Err(GamesError::Other {
                path: self.path.clone(),
                what,
            }),
        }
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &GameLine) -> Result<(), GamesError> {
        self.write(game)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), GamesError> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        // One write, so that a line is there or is not.
        let written = text.and_then(|text| self.file.write_all(format!("{text}\n").as_bytes()));
        written.map_err(|source| GamesError::File {
            path: self.path.clone(),
            source,
        })
    }
}

/// Whether a torn line is the beginning of a header.
fn is_beginning(text: &[u8], header: &GamesHeader) -> bool {
    serde_json::to_string(header).is_ok_and(|line| line.as_bytes().starts_with(text))
}

/// The longest line: a game of as many moves as a game can have fits several times.
const LONGEST_LINE: u64 = 64 << 20;

/// The lines of a file of a match.
struct GameLines<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    /// How many lines were read.
    number: usize,
    /// How many bytes the whole ones have.
    whole: u64,
}

enum NextLine {
    /// With its end.
    Whole(Vec<u8>),
    /// Without one.
    Torn(Vec<u8>),
    End,
}

impl<'a> GameLines<'a> {
    fn new(path: &'a Path, file: &File) -> Result<Self, GamesError> {
        let file = file.try_clone().map_err(|source| GamesError::File {
            path: path.into(),
            source,
        })?;
        Ok(Self {
            path,
            reader: BufReader::new(file),
            number: 0,
            whole: 0,
        })
    }

    fn next(&mut self) -> Result<NextLine, GamesError> {
        let mut line = Vec::new();
        let mut limited = self.reader.by_ref().take(LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut line);
        let read = read.map_err(|source| GamesError::File {
            path: self.path.into(),
            source,
        })? as u64;
        self.number += 1;
        match line.pop_if(|byte| *byte == b'\n') {
            Some(_) => {
                self.whole += read;
                Ok(NextLine::Whole(line))
            }
            None if read == 0 => Ok(NextLine::End),
            None if read == LONGEST_LINE => Err(self.wrong("the line is too long")),
            None => Ok(NextLine::Torn(line)),
        }
    }

    /// The game that the last line tells.
    fn game(&self, line: &[u8]) -> Result<GameLine, GamesError> {
        serde_json::from_slice(line).map_err(|error| self.wrong(&error.to_string()))
    }

    fn wrong(&self, why: &str) -> GamesError {
        GamesError::Line {
            path: self.path.into(),
            line: self.number,
            why: why.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(rules: &str) -> GamesHeader {
        GamesHeader {
            players: vec![],
            openings: "few".into(),
            schedule: "all".into(),
            rules: rules.into(),
        }
    }

    fn game(id: usize) -> GameLine {
        GameLine {
            id,
            round: id / 2,
            black: "a".into(),
            white: "b".into(),
            winner: Some(Winner::White),
            end: GameEnd::PerpetualCheck,
            remark: None,
            start: Position::start().to_sfen(),
            moves: "7g7f 3c3d".into(),
            values: vec![Some(-3), None],
            micros: vec![10, 20],
            depths: vec![Some(3), None],
            nodes: vec![None, Some(5)],
            wall_micros: 31,
        }
    }

    #[test]
    fn a_torn_line_is_cut_off_and_the_rest_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut file, games) = GamesFile::open(&path, &header("usual")).unwrap();
        assert!(games.is_empty());
        file.add(&game(1)).unwrap();
        file.add(&game(0)).unwrap();
        drop(file);
        let mut text = std::fs::read(&path).unwrap();
        text.extend(b"{\"id\":2,\"round\":1,\"bla");
        std::fs::write(&path, text).unwrap();
        let (mut file, games) = GamesFile::open(&path, &header("usual")).unwrap();
        assert_eq!(games, [game(0), game(1)]);
        file.add(&game(2)).unwrap();
        drop(file);
        let (_, games) = GamesFile::open(&path, &header("usual")).unwrap();
        assert_eq!(games.len(), 3);
    }

    #[test]
    fn the_file_of_another_match_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        GamesFile::open(&path, &header("usual")).unwrap();
        let before = std::fs::read(&path).unwrap();
        let error = GamesFile::open(&path, &header("other"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("belongs to another match (the rules differ)"),
            "{error}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
        std::fs::write(&path, "7g7f 3c3d\n").unwrap();
        let error = GamesFile::open(&path, &header("usual"))
            .unwrap_err()
            .to_string();
        assert!(error.contains(":1: this is no file of a match"), "{error}");
    }

    #[test]
    fn a_foreign_file_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nn.bin");
        for foreign in [
            &b"first line\nthe tail without an end"[..],
            b"no line end at all",
            b"\x16\x2f\xf3\x7a\n\x00\xff\n\x01",
            b"{\"players\":[]}\n{\"id\":",
            b"\n",
        ] {
            std::fs::write(&path, foreign).unwrap();
            let error = GamesFile::open(&path, &header("usual")).unwrap_err();
            let expected = ":1: this is no file of a match";
            assert!(error.to_string().contains(expected), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), foreign);
        }
        let (file, _) = GamesFile::open(&folder.path().join("own"), &header("usual")).unwrap();
        let own = std::fs::read(&file.path).unwrap();
        std::fs::write(&path, &own[..own.len() / 2]).unwrap();
        GamesFile::open(&path, &header("usual")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), own, "a torn header is ours");
        assert!(GamesFile::open(folder.path(), &header("usual")).is_err());
    }

    #[test]
    fn a_second_match_on_the_same_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut first, _) = GamesFile::open(&path, &header("usual")).unwrap();
        first.add(&game(0)).unwrap();
        let error = GamesFile::open(&path, &header("usual")).unwrap_err();
        assert!(error.to_string().contains("another match is writing"));
        first.add(&game(1)).unwrap();
        drop(first);
        let (_, games) = GamesFile::open(&path, &header("usual")).unwrap();
        assert_eq!(games, [game(0), game(1)]);
    }
}
