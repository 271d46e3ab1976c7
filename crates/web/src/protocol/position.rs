//! Positions and lines as pages are sent them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tesuji_record::names::{japanese, western};
use tesuji_search::SearchInfo;
use tesuji_shogi::{Board, Bound, Color, Move, Piece, PieceKind, Position, Square, Value};
#[cfg(test)]
use ts_rs::TS;

/// A colour as SFEN writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) enum ColorLetter {
    #[serde(rename = "b")]
    Black,
    #[serde(rename = "w")]
    White,
}

impl From<Color> for ColorLetter {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<ColorLetter> for Color {
    fn from(letter: ColorLetter) -> Self {
        match letter {
            ColorLetter::Black => Self::Black,
            ColorLetter::White => Self::White,
        }
    }
}

/// A position, ready to be drawn.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct PositionView {
    sfen: String,
    /// 81 squares in the order of reading: 9一 first, then 8一; pieces as SFEN writes them.
    board: Vec<Option<String>>,
    /// Black and White.
    hands: [BTreeMap<char, u32>; 2],
    turn: ColorLetter,
    /// Every legal move, if a person may move.
    moves: Vec<String>,
    last: Option<String>,
    /// The square of a king in check.
    check: Option<String>,
}

impl PositionView {
    pub(crate) fn new(pos: &Position, with_moves: bool) -> Self {
        let reading = (1..=9u8).flat_map(|rank| (1..=9u8).rev().map(move |file| (file, rank)));
        let board = reading
            .map(|(file, rank)| Some(sfen_piece(pos.at(Square::at(file, rank)?)?)))
            .collect();
        let hand = |color: Color| {
            let kinds = pos.hand(color).iter();
            kinds.map(|(kind, count)| (kind.letter(), count)).collect()
        };
        let moves = match with_moves {
            true => pos.legal_moves().iter().map(|mv| mv.to_string()).collect(),
            false => Vec::new(),
        };
        let king = pos.king(pos.turn()).filter(|_| pos.in_check());
        Self {
            sfen: pos.to_sfen(),
            board,
            hands: Color::ALL.map(hand),
            turn: pos.turn().into(),
            moves,
            last: pos.last_move().map(|mv| mv.to_string()),
            check: king.map(|square| square.to_string()),
        }
    }
}

fn sfen_piece(piece: Piece) -> String {
    let kind: PieceKind = piece.kind();
    let letter = match piece.color() {
        Color::Black => kind.letter(),
        Color::White => kind.letter().to_ascii_lowercase(),
    };
    match kind.is_promoted() {
        true => format!("+{letter}"),
        false => letter.to_string(),
    }
}

/// A move with its names in Japanese and in Western notation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    ja: String,
    en: String,
}

impl MoveView {
    /// The move as USI writes it.
    pub(crate) fn text(&self) -> &str {
        &self.mv
    }

    /// The square that the move begins on, or the piece in hand with a star.
    pub(crate) fn origin(&self) -> &str {
        self.mv.get(..2).unwrap_or_default()
    }
}

/// A name in Japanese and in English, as of a move or an opening.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct MoveNames {
    pub(crate) ja: String,
    pub(crate) en: String,
}

/// The moves of a line, as far as they are legal, `most` of them at most.
pub(crate) fn line_view(pos: &Position, line: &[Move], most: usize) -> Vec<MoveView> {
    let mut pos = pos.clone();
    let mut moves = Vec::new();
    for &mv in line.iter().take(most) {
        if !pos.is_legal(mv) {
            break;
        }
        moves.push(MoveView {
            mv: mv.to_string(),
            ja: japanese(&pos, mv),
            en: western(&pos, mv),
        });
        pos.play(mv);
    }
    moves
}

/// The value for Black of a value for the side to move.
pub(crate) fn for_black(value: Value, turn: Color) -> Value {
    match turn {
        Color::Black => value,
        Color::White => -value,
    }
}

/// One of the best lines of a search.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct LineView {
    depth: u32,
    value: i32,
    mate: Option<i32>,
    bound: BoundSign,
    nodes: u64,
    millis: u64,
    moves: Vec<MoveView>,
}

/// What kind of bound a value is, for Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) enum BoundSign {
    #[serde(rename = "=")]
    Exact,
    #[serde(rename = "≥")]
    Lower,
    #[serde(rename = "≤")]
    Upper,
}

impl LineView {
    pub(crate) fn new(pos: &Position, info: &SearchInfo) -> Self {
        let value = for_black(info.value.value, pos.turn());
        let bound = match (info.value.bound, pos.turn()) {
            (Bound::Exact, _) => BoundSign::Exact,
            (Bound::Lower, Color::Black) | (Bound::Upper, Color::White) => BoundSign::Lower,
            _ => BoundSign::Upper,
        };
        Self {
            depth: info.depth,
            value: value.points(),
            mate: value.mate_distance(),
            bound,
            nodes: info.nodes,
            millis: info.time.as_millis() as u64,
            moves: line_view(pos, &info.pv, 16),
        }
    }
}
