//! Games of other programs with what they thought of them, brought to one scale.
//!
//! A line of the table is a game: tabs between number, source, event, date, players, ratings,
//! result, end, plies, the game as a USI position, and a value for each move as Black sees it (`-`
//! for none, `b` for a book move). Every program counts on its own scale; a second table gives for
//! each player the scale of the logistic function that fits its results.

use super::record::DataRecord;
use std::collections::HashMap;
use tesuji_record::GameResult;
use tesuji_record::samples::Sample;
use tesuji_shogi::{ByColor, Color, Move, Position, Value};

/// Why a table of games cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ScaleError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// On which scale a player counts, in points for a chance of 73 %.
pub type Scale = HashMap<String, f64>;

/// Reads the table of players: the second column is the name, the last one the scale.
///
/// # Errors
/// If a line has no name or no finite number.
pub fn scales(text: &str) -> Result<Scale, ScaleError> {
    let mut scales = Scale::new();
    for (line, row) in (1..).zip(text.lines()) {
        if row.starts_with('#') || row.trim().is_empty() {
            continue;
        }
        let fields: Vec<_> = row.split('\t').collect();
        let scale = fields
            .last()
            .and_then(|text| text.trim().parse::<f64>().ok());
        match (fields.get(1), scale) {
            // Who wins no more when it sees itself ahead has no scale.
            (Some(_), Some(scale)) if scale <= 0.0 => {}
            (Some(name), Some(scale)) if scale.is_finite() => {
                scales.insert((*name).to_owned(), scale);
            }
            _ => {
                let what =
                    "expected tabs between the games, the player, …, and its scale".to_owned();
                return Err(ScaleError { line, what });
            }
        }
    }
    Ok(scales)
}

/// A line of the table.
#[derive(Clone, Debug)]
pub struct GameRow<'a> {
    players: ByColor<&'a str>,
    ratings: ByColor<Option<u32>>,
    result: Option<GameResult>,
    is_abnormal: bool,
    start: Position,
    moves: &'a str,
    values: &'a str,
}

impl<'a> GameRow<'a> {
    /// Reads a line; its moves are checked when they are walked along.
    ///
    /// # Errors
    /// If the line is no game.
    pub fn parse(row: &'a str) -> Result<Self, String> {
        let fields: Vec<_> = row.split('\t').collect();
        let &[
            _,
            _,
            _,
            _,
            black,
            white,
            black_rating,
            white_rating,
            result,
            end,
            _,
            moves,
            values,
            ..,
        ] = fields.as_slice()
        else {
            return Err(format!("has {} fields, not 13", fields.len()));
        };
        let result = match result {
            "b" => Some(GameResult::Win(Color::Black)),
            "w" => Some(GameResult::Win(Color::White)),
            "d" => Some(GameResult::Draw),
            "-" => None,
            _ => return Err(format!("{result:?} is no result: b, w, d, or - for none")),
        };
        let (start, moves) = moves.split_once(" moves ").unwrap_or((moves, ""));
        let start = start.trim_start_matches("sfen ");
        Ok(Self {
            players: ByColor([black, white]),
            ratings: ByColor([black_rating, white_rating].map(|rating| rating.parse().ok())),
            result,
            is_abnormal: end == "abnormal",
            start: Position::from_sfen(start).map_err(|error| error.to_string())?,
            moves,
            values,
        })
    }

    /// The result, if there is one and the game ended as games do.
    pub fn trusted_result(&self) -> Option<GameResult> {
        self.result.filter(|_| !self.is_abnormal)
    }

    /// The rating of a player, if it is known.
    pub fn rating_of(&self, color: Color) -> Option<u32> {
        self.ratings[color]
    }

    /// What a player said its position is worth to it, on the scale `to`; `None` without a value,
    /// without a scale, or beyond ±3000.
    pub fn scaled_value(
        &self,
        color: Color,
        value: Option<&str>,
        scales: &Scale,
        to: f64,
    ) -> Option<i32> {
        let value: f64 = value?.parse().ok()?;
        let for_black = (value * to / scales.get(self.players[color])?).round();
        let value = match color {
            Color::Black => for_black,
            Color::White => -for_black,
        };
        (value.abs() < 3000.0).then_some(value as i32)
    }

    /// Shows every position with the move that was played there and what stands for its value.
    ///
    /// # Errors
    /// If a move is illegal, or if `show` fails.
    pub fn each_move(
        &self,
        mut show: impl FnMut(&Position, Move, Option<&str>) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut pos = self.start.clone();
        let mut values = self.values.split_whitespace();
        for mv in self.moves.split_whitespace() {
            let mv: Move = mv.parse().map_err(|error| format!("{mv:?}: {error}"))?;
            if !pos.is_legal(mv) {
                return Err(format!("{mv} is illegal in {}", pos.to_sfen()));
            }
            show(&pos, mv, values.next())?;
            pos.play(mv);
        }
        Ok(())
    }
}

/// The positions of one line that its player has valued, on the scale `to`; none of a game that
/// ended abnormally or has no result (`-`), of a player whose scale is unknown, or beyond ±3000.
///
/// # Errors
/// If the line is no game.
pub fn import(row: &str, scales: &Scale, to: f64) -> Result<Vec<DataRecord>, String> {
    let game = GameRow::parse(row)?;
    let Some(result) = game.trusted_result() else {
        return Ok(Vec::new());
    };
    let mut records = Vec::new();
    game.each_move(|pos, mv, value| {
        if let Some(value) = game.scaled_value(pos.turn(), value, scales, to) {
            records.push(pack_played(pos, mv, value, result)?);
        }
        Ok(())
    })?;
    Ok(records)
}

/// Packs a position with the move that was played, its value for the side to move, and the result
/// of its game.
///
/// # Errors
/// If a number does not fit.
pub fn pack_played(
    pos: &Position,
    mv: Move,
    value: i32,
    result: GameResult,
) -> Result<DataRecord, String> {
    let sample = Sample {
        position: pos.setup().build().map_err(|error| error.to_string())?,
        value: Value::new(value),
        mv: Some(mv),
        result: Some(result),
        flags: 0,
    };
    DataRecord::pack(&sample).map_err(|error| error.to_string())
}
