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
        let own = folder.path().join("own");
        drop(GamesFile::open(&own, &header("usual")).unwrap());
        let own = std::fs::read(&own).unwrap();
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
