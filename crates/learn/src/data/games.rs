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
use tesuji_shogi::{Color, Move, Position, Value};

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
/// If a line has no name or no number.
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
            (Some(name), Some(scale)) => {
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

/// The positions of one line that its player has valued, on the scale `to`; none of a game that
/// ended abnormally or has no result (`-`), of a player whose scale is unknown, or beyond ±3000.
///
/// # Errors
/// If the line is no game.
pub fn import(row: &str, scales: &Scale, to: f64) -> Result<Vec<DataRecord>, String> {
    let fields: Vec<_> = row.split('\t').collect();
    let &[
        _,
        _,
        _,
        _,
        black,
        white,
        _,
        _,
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
        "b" => GameResult::Win(Color::Black),
        "w" => GameResult::Win(Color::White),
        "d" => GameResult::Draw,
        "-" => return Ok(Vec::new()),
        _ => return Err(format!("{result:?} is no result: b, w, d, or - for none")),
    };
    if end == "abnormal" {
        return Ok(Vec::new());
    }
    let (start, moves) = moves.split_once(" moves ").unwrap_or((moves, ""));
    let start = start.trim_start_matches("sfen ");
    let mut pos = Position::from_sfen(start).map_err(|error| error.to_string())?;
    let mut records = Vec::new();
    for (mv, value) in moves.split_whitespace().zip(values.split_whitespace()) {
        let mv: Move = mv.parse().map_err(|error| format!("{mv:?}: {error}"))?;
        if !pos.is_legal(mv) {
            return Err(format!("{mv} is illegal in {}", pos.to_sfen()));
        }
        let player = match pos.turn() {
            Color::Black => black,
            Color::White => white,
        };
        if let (Ok(value), Some(scale)) = (value.parse::<f64>(), scales.get(player)) {
            let for_black = (value * to / scale).round();
            if for_black.abs() < 3000.0 {
                records.push(record(&pos, mv, for_black as i32, result)?);
            }
        }
        pos.play(mv);
    }
    Ok(records)
}

fn record(
    pos: &Position,
    mv: Move,
    for_black: i32,
    result: GameResult,
) -> Result<DataRecord, String> {
    let value = match pos.turn() {
        Color::Black => for_black,
        Color::White => -for_black,
    };
    let sample = Sample {
        position: pos.setup().build().map_err(|error| error.to_string())?,
        value: Value::new(value),
        mv: Some(mv),
        result: Some(result),
        flags: 0,
    };
    DataRecord::pack(&sample).map_err(|error| error.to_string())
}
