//! Reads one JKF game.

use super::PRESETS;
use super::schema::{
    JkfInitial, JkfMove, JkfMoveEntry, JkfPosition, JkfRecord, JkfSpan, JkfSquare,
};
use crate::comments;
use crate::csa::kind_of;
use crate::ending::Ending;
use crate::error::{ReadError, ReadProblem};
use crate::game::{Game, GameCursor, Refusal};
use crate::kif::set_header;
use crate::names::quoted;
use std::time::Duration;
use tesuji_shogi::{Color, Move, Piece, PieceKind, Position, Setup, Square};

/// Reads a game from JSON.
///
/// ```
/// let text = r#"{"header":{"先手":"Habu"},"moves":[{},{"move":{"from":{"x":7,"y":7},
///     "to":{"x":7,"y":6},"piece":"FU"}},{"special":"TORYO"}]}"#;
/// assert_eq!(tesuji_record::jkf::read(text).unwrap().moves().count(), 1);
/// ```
pub fn read(text: &str) -> Result<Game, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let record: JkfRecord = serde_json::from_str(text)
        .map_err(|error| ReadProblem::Json(shortened(&error)).at(error.line().max(1)))?;
    let start = match &record.initial {
        None => Ok(Position::start()),
        Some(initial) => start_of(initial),
    };
    let mut cursor = GameCursor::new(Game::new(start.map_err(|problem| problem.at(1))?));
    for (key, value) in &record.header.0 {
        if key != "手合割" {
            set_header(&mut cursor.game_mut().headers, key, value);
        }
    }
    let (first, moves) = match record.moves.split_first() {
        Some((first, rest)) if first.mv.is_none() && first.special.is_none() => (Some(first), rest),
        _ => (None, &record.moves[..]),
    };
    for line in first.iter().flat_map(|first| &first.comments) {
        take_comment(&mut cursor, line);
    }
    read_line(&mut cursor, moves).map_err(|problem| problem.at(1))?;
    Ok(cursor.finish())
}

/// A message that may repeat what it found, which may be long.
fn shortened(error: &serde_json::Error) -> String {
    error.to_string().chars().take(200).collect()
}

fn start_of(initial: &JkfInitial) -> Result<Position, ReadProblem> {
    if let Some((_, handicap)) = PRESETS.iter().find(|(name, _)| *name == initial.preset) {
        return Ok(Position::handicap(*handicap));
    }
    let data = match (&initial.preset[..], &initial.data) {
        ("OTHER", Some(data)) => data,
        ("OTHER", None) => return Err(ReadProblem::Missing("the start position has no data")),
        (name, _) => {
            return Err(ReadProblem::Board(
                quoted(name),
                "a preset such as HIRATE, KY, OTHER",
            ));
        }
    };
    setup_of(data)
        .ok_or_else(|| {
            ReadProblem::Board("data".into(), "nine files of nine squares and two hands")
        })?
        .build()
        .map_err(ReadProblem::from)
}

fn setup_of(data: &JkfPosition) -> Option<Setup> {
    let color = |color| match color {
        0 => Some(Color::Black),
        1 => Some(Color::White),
        _ => None,
    };
    let mut setup = Setup {
        turn: color(data.color)?,
        ..Setup::default()
    };
    if data.board.len() != 9 || data.hands.len() != 2 {
        return None;
    }
    for (file, squares) in (1..).zip(&data.board) {
        if squares.len() != 9 {
            return None;
        }
        for (rank, cell) in (1..).zip(squares) {
            if let Some(kind) = &cell.kind {
                let piece = Piece::new(color(cell.color?)?, kind_of(kind)?);
                setup.board[Square::at(file, rank)?] = Some(piece);
            }
        }
    }
    for (color, held) in Color::ALL.into_iter().zip(&data.hands) {
        for (letters, &count) in held {
            let kind = kind_of(letters).filter(|kind| kind.is_hand_kind())?;
            if count > kind.full_count() {
                return None;
            }
            setup.hands[color] = setup.hands[color].with(kind, count);
        }
    }
    Some(setup)
}

fn take_comment(cursor: &mut GameCursor, comment: &str) {
    for line in comment.split('\n') {
        comments::take(cursor, line);
    }
}

/// Reads a line and its variations. JSON that nests too deep was refused before.
fn read_line(cursor: &mut GameCursor, entries: &[JkfMoveEntry]) -> Result<(), ReadProblem> {
    let mut illegal: Option<(Move, Refusal)> = None;
    for entry in entries {
        let before = cursor.at();
        let number = cursor.game()[before].depth() + 1;
        let in_move = |problem: ReadProblem| ReadProblem::Json(format!("move {number}: {problem}"));
        if let Some(special) = &entry.special {
            end(cursor, special, illegal.take()).map_err(in_move)?;
        } else if let Some((mv, refusal)) = illegal {
            return Err(in_move(ReadProblem::refused(&mv.to_string(), refusal)));
        } else if let Some(mv) = &entry.mv {
            let mv = read_move(cursor.position(), mv).map_err(in_move)?;
            match cursor.play(mv) {
                Ok(_) => {}
                Err(refusal @ Refusal::Foul(_)) => illegal = Some((mv, refusal)),
                Err(refusal) => {
                    return Err(in_move(ReadProblem::refused(&mv.to_string(), refusal)));
                }
            }
        } else if entry.comments.is_empty() && entry.forks.is_empty() && entry.time.is_none() {
            continue;
        } else {
            return Err(in_move(ReadProblem::Missing(
                "neither a move nor an ending",
            )));
        }
        if illegal.is_none() {
            cursor.node().time = entry.time.as_ref().and_then(|time| duration(&time.now));
            for line in &entry.comments {
                take_comment(cursor, line);
            }
        }
        let here = cursor.at();
        for fork in &entry.forks {
            cursor.go(before);
            read_line(cursor, fork)?;
        }
        cursor.go(here);
    }
    match illegal {
        Some((mv, refusal)) => Err(ReadProblem::refused(&mv.to_string(), refusal)),
        None => Ok(()),
    }
}

fn end(
    cursor: &mut GameCursor,
    word: &str,
    illegal: Option<(Move, Refusal)>,
) -> Result<(), ReadProblem> {
    let turn = cursor.position().turn();
    let ending = Ending::from_csa(word, turn).or_else(|| Ending::from_japanese(word, turn));
    let mut ending = ending.ok_or_else(|| ReadProblem::Line(quoted(word)))?;
    if cursor.node().ending().is_some() {
        return Err(ReadProblem::Over(quoted(word)));
    }
    if let Some((mv, refusal)) = illegal {
        if !matches!(ending, Ending::Foul { .. }) {
            return Err(ReadProblem::refused(&mv.to_string(), refusal));
        }
        ending = Ending::Foul {
            by: turn,
            made: Some(mv),
        };
    }
    cursor.end(ending);
    Ok(())
}

fn duration(span: &JkfSpan) -> Option<Duration> {
    let minutes = u64::from(span.h.unwrap_or(0)) * 60 + u64::from(span.m);
    let seconds = minutes * 60 + u64::from(span.s);
    (seconds < u32::MAX.into()).then(|| Duration::from_secs(seconds))
}

fn read_move(pos: &Position, mv: &JkfMove) -> Result<Move, ReadProblem> {
    let wrong = || {
        ReadProblem::Move(
            quoted(&mv.piece),
            r#"{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}"#,
        )
    };
    let square = |point: JkfSquare| Square::at(point.x, point.y);
    let kind = kind_of(&mv.piece).ok_or_else(wrong)?;
    if mv
        .color
        .is_some_and(|color| usize::from(color) != pos.turn().index())
    {
        return Err(ReadProblem::Turn(quoted(&mv.piece)));
    }
    let to = match (mv.to, mv.same) {
        (Some(to), _) => square(to),
        (None, Some(true)) => pos.last_move().map(Move::to),
        _ => None,
    };
    let to = to.ok_or_else(wrong)?;
    let promotes = mv.promote.unwrap_or(false);
    let Some(from) = mv.from else {
        return match kind.is_hand_kind() && !promotes {
            true => Ok(Move::drop(kind, to)),
            false => Err(wrong()),
        };
    };
    let from = square(from).filter(|&from| from != to).ok_or_else(wrong)?;
    let own = pos.at(from).filter(|piece| piece.color() == pos.turn());
    match own.map(Piece::kind) {
        Some(own) if own == kind => {}
        // Some writers name the piece after the move.
        Some(own) if promotes && own.promoted() == Some(kind) => {}
        _ => return Err(wrong()),
    }
    let can_promote = own.map(Piece::kind).is_some_and(PieceKind::can_promote);
    match promotes {
        true if can_promote => Ok(Move::promotion(from, to)),
        true => Err(wrong()),
        false => Ok(Move::board(from, to)),
    }
}
