//! The game summary: everything a client must know before it agrees.

use super::game_name::GameName;
use super::times::{self, NO_TIME};
use std::fmt::Write;
use std::time::Duration;
use tesuji_game::TimeControl;
use tesuji_record::csa::{read, write_move, write_position, write_seconds};
use tesuji_record::{Game, GamePosition, ReadError};
use tesuji_shogi::{ByColor, Color, DeclarationRule};

/// A game that is offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its name on the server.
    pub id: String,
    /// Who plays.
    pub players: ByColor<String>,
    /// Which side the reader has.
    pub side: Color,
    /// How each side's time is counted.
    pub times: ByColor<TimeControl>,
    /// After how many moves the game is drawn.
    pub move_limit: Option<u32>,
    /// By which rule a king enters.
    pub declaration: DeclarationRule,
    /// Where the game begins and what was played already, with its times.
    pub game: Game,
}

/// What is wrong with a summary.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameSummaryError {
    /// It does not end.
    #[error("the summary is longer than {} lines", GameSummaryReader::LINES)]
    TooLong,
    /// Something is missing.
    #[error("the summary has no line {0}")]
    Missing(&'static str),
    /// It is about another game.
    #[error("the summary is about {0:?}, not about shogi")]
    Format(String),
    /// The position or a move in it makes no sense.
    #[error("in the position of the summary, {0}")]
    Position(#[from] ReadError),
    /// The game has ended before it began.
    #[error("the game of the summary is over")]
    Over,
}

/// A summary while its lines come in, beginning behind `BEGIN Game_Summary`.
#[derive(Clone, Debug, Default)]
pub struct GameSummaryReader {
    lines: usize,
    blocks: Vec<String>,
    id: Option<String>,
    players: ByColor<String>,
    side: Option<Color>,
    format: Option<String>,
    common: Option<TimeControl>,
    own: ByColor<Option<TimeControl>>,
    move_limit: Option<u32>,
    declaration: Option<DeclarationRule>,
    rule: Option<DeclarationRule>,
    position: String,
}

impl GameSummaryReader {
    /// No summary has so many lines.
    const LINES: usize = 4000;

    /// Takes a line; the summary if it was the last one. Keys and blocks it does not know are
    /// passed over.
    ///
    /// # Errors
    /// If the summary makes no sense.
    pub fn take(&mut self, line: &str) -> Result<Option<GameSummary>, GameSummaryError> {
        self.lines += 1;
        if self.lines > Self::LINES {
            return Err(GameSummaryError::TooLong);
        }
        let line = line.trim_end();
        if let Some(block) = line.strip_prefix("BEGIN ") {
            self.blocks.push(block.into());
            match block {
                "Time+" => self.own[Color::Black] = Some(NO_TIME),
                "Time-" => self.own[Color::White] = Some(NO_TIME),
                _ => {}
            }
            return Ok(None);
        }
        if line.starts_with("END ") {
            return match self.blocks.pop() {
                Some(_) => Ok(None),
                None => self.finish().map(Some),
            };
        }
        let block = self.blocks.last().map(String::as_str);
        if block == Some("Position") {
            self.position += line;
            self.position.push('\n');
            return Ok(None);
        }
        let Some((key, value)) = line.split_once(':') else {
            return Ok(None);
        };
        let times = match block {
            None => return Ok(self.key(key, value)),
            Some("Time") => Some(self.common.get_or_insert(NO_TIME)),
            Some("Time+") => self.own[Color::Black].as_mut(),
            Some("Time-") => self.own[Color::White].as_mut(),
            Some(_) => None,
        };
        if let Some(times) = times {
            times::read_line(times, key, value);
        }
        Ok(None)
    }

    fn key<T>(&mut self, key: &str, value: &str) -> Option<T> {
        match key {
            "Game_ID" => self.id = Some(value.into()),
            "Name+" => self.players[Color::Black] = value.into(),
            "Name-" => self.players[Color::White] = value.into(),
            "Your_Turn" => {
                self.side = match value {
                    "+" => Some(Color::Black),
                    "-" => Some(Color::White),
                    _ => None,
                };
            }
            "Format" => self.format = Some(value.into()),
            "Max_Moves" => self.move_limit = value.parse().ok().filter(|&limit| limit > 0),
            "Declaration" if value.starts_with("Jishogi 1.") => {
                self.declaration = Some(DeclarationRule::Points27);
            }
            "Entering_King_Rule" => self.rule = value.parse().ok(),
            _ => {}
        }
        None
    }

    fn finish(&mut self) -> Result<GameSummary, GameSummaryError> {
        if let Some(format) = self.format.take_if(|format| !format.starts_with("Shogi")) {
            return Err(GameSummaryError::Format(format.chars().take(40).collect()));
        }
        let game = read(&self.position)?;
        if game.ending().is_some() {
            return Err(GameSummaryError::Over);
        }
        let id = self.id.take().ok_or(GameSummaryError::Missing("Game_ID"))?;
        let read = self.common.unwrap_or(NO_TIME);
        let common = match read.unit > Duration::from_secs(1) {
            true => GameName::stop_watch(&id, read.main, read.byoyomi),
            false => None,
        };
        let common = common.unwrap_or_else(|| times::scaled(read));
        Ok(GameSummary {
            id,
            players: std::mem::take(&mut self.players),
            side: self.side.ok_or(GameSummaryError::Missing("Your_Turn"))?,
            times: ByColor(self.own.0.map(|own| own.map_or(common, times::scaled))),
            move_limit: self.move_limit,
            // Without a word about it the usual rule is the best guess: declaring is optional.
            declaration: self.rule.or(self.declaration).unwrap_or_default(),
            game,
        })
    }
}

impl GameSummary {
    /// The lines of the summary, each with its end.
    pub fn write(&self) -> String {
        let sign = |color| match color {
            Color::Black => '+',
            Color::White => '-',
        };
        let start = self.game.start();
        let turn = self.game.turn(self.game.last());
        let mut text = String::from(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n",
        );
        if self.declaration == DeclarationRule::Points27 {
            text += "Declaration:Jishogi 1.1\n";
        }
        let _ = writeln!(text, "Game_ID:{}", self.id);
        let _ = writeln!(text, "Name+:{}", self.players[Color::Black]);
        let _ = writeln!(text, "Name-:{}", self.players[Color::White]);
        let _ = writeln!(text, "Your_Turn:{}", sign(self.side));
        let _ = writeln!(text, "Rematch_On_Draw:NO\nTo_Move:{}", sign(turn));
        if let Some(limit) = self.move_limit {
            let _ = writeln!(text, "Max_Moves:{limit}");
        }
        let [black, white] = self.times.0.map(|control| times::write_lines(&control));
        match black == white {
            true => text += &format!("BEGIN Time\n{black}END Time\n"),
            false => {
                text += &format!("BEGIN Time+\n{black}END Time+\nBEGIN Time-\n{white}END Time-\n");
            }
        }
        text += "BEGIN Position\n";
        text += &write_position(start);
        let mut place = GamePosition::start(&self.game);
        for id in self.game.main_line() {
            if let Some(mv) = self.game[id].mv() {
                let time = self.game[id].time.unwrap_or(Duration::ZERO);
                let mv = write_move(place.position(), mv);
                let _ = writeln!(text, "{mv},T{}", write_seconds(time));
            }
            place.go(&self.game, id);
        }
        text += "END Position\n";
        if self.declaration != DeclarationRule::Points27 {
            let _ = writeln!(text, "Entering_King_Rule:{}", self.declaration);
        }
        text + "END Game_Summary\n"
    }
}
