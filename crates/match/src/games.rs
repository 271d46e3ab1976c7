//! The file of a match: one JSON line for the match, then one for every game.

use crate::game::{GameEnd, PlayedGame};
use crate::journal::{Journal, JournalError, JournalHeader};
use crate::schedule::Pairing;
use serde::{Deserialize, Serialize};
use std::path::Path;
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

impl JournalHeader for GamesHeader {
    const RUN: &'static str = "match";
    const OPTION: &'static str = "--games";

    fn difference(&self, other: &Self) -> Option<&'static str> {
        let differences = [
            (self.players != other.players, "the players"),
            (self.openings != other.openings, "the openings"),
            (self.schedule != other.schedule, "the pairings"),
            (self.rules != other.rules, "the rules"),
        ];
        let found = differences.into_iter().find(|(differs, _)| *differs);
        found.map(|(_, what)| what)
    }
}

/// The file of a match, open for more games. It is locked as long as it is open.
#[derive(Debug)]
pub struct GamesFile(Journal);

impl GamesFile {
    /// Opens the file of a match or begins it; the games that were played already come with it. A
    /// file that is not of this match is left as it is.
    ///
    /// # Errors
    /// If it cannot be read or written, belongs to another match, or another match runs on it.
    pub fn open(path: &Path, header: &GamesHeader) -> Result<(Self, Vec<GameLine>), JournalError> {
        let (journal, mut games) = Journal::open::<_, GameLine>(path, header)?;
        games.sort_by_key(|game| game.id);
        games.dedup_by_key(|game| game.id);
        Ok((Self(journal), games))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &GameLine) -> Result<(), JournalError> {
        self.0.add(game)
    }
}

#[cfg(test)]
mod tests;
