//! Positions and lines as pages are told them.

use serde::Serialize;
use std::collections::BTreeMap;
use tesuji_record::names::{japanese, western};
use tesuji_search::Info;
use tesuji_shogi::{Board, Bound, Color, Move, Piece, PieceKind, Position, Square, Value};

/// A position, ready to be drawn.
#[derive(Serialize)]
pub(crate) struct PositionView {
    sfen: String,
    /// 81 squares as one reads them: 9一 first, then 8一; pieces as SFEN writes them.
    board: Vec<Option<String>>,
    hands: [BTreeMap<char, u32>; 2],
    turn: char,
    ply: u32,
    /// Every legal move, if somebody may move.
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
            turn: pos.turn().letter(),
            ply: pos.ply(),
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

/// A move with its names.
#[derive(Clone, Serialize)]
pub(crate) struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    ja: String,
    en: String,
}

/// The moves of a line, as far as they can be played and somebody will read.
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

/// A value for Black.
pub(crate) fn for_black(value: Value, turn: Color) -> Value {
    match turn {
        Color::Black => value,
        Color::White => -value,
    }
}

/// One of the best lines of a search.
#[derive(Serialize)]
pub(crate) struct LineView {
    rank: usize,
    depth: u32,
    value: i32,
    mate: Option<i32>,
    /// `=`, `≥` or `≤`, as Black sees it.
    bound: char,
    nodes: u64,
    millis: u64,
    moves: Vec<MoveView>,
}

impl LineView {
    pub(crate) fn new(pos: &Position, info: &Info) -> Self {
        let value = for_black(info.value.value, pos.turn());
        let bound = match (info.value.bound, pos.turn()) {
            (Bound::Exact, _) => '=',
            (Bound::Lower, Color::Black) | (Bound::Upper, Color::White) => '≥',
            _ => '≤',
        };
        Self {
            rank: info.rank,
            depth: info.depth,
            value: value.points(),
            mate: value.mate_distance(),
            bound,
            nodes: info.nodes,
            millis: info.time.as_millis() as u64,
            moves: line_view(pos, &info.line, 16),
        }
    }
}
