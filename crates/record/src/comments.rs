//! Comments as Japanese records keep them: free lines, and lines in which an engine speaks.
//!
//! An engine's line begins with one more asterisk. Known dialects:
//! `*解析 候補1 深さ 10/17 ノード数 49691 評価値 34 読み筋 △３四歩(33) …`, which is written here too,
//! and `評価値=34`.

use crate::evaluation::Evaluation;
use crate::game::{GameCursor, GameNode};
use crate::names::{is_mark, kif_move, mark, read_japanese};
use std::fmt::Write;
use tesuji_shogi::{Position, Value};

/// The lines that stand for a node's comment and evaluation, without the asterisk in front.
pub(crate) fn lines(node: &GameNode, pos: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(evaluation) = &node.evaluation {
        lines.push(speak(evaluation, pos));
    }
    if !node.comment.is_empty() {
        lines.extend(node.comment.split('\n').map(escape));
    }
    lines
}

/// A line of a comment that cannot be taken for an engine's.
pub(crate) fn escape(line: &str) -> String {
    let line = line.trim();
    if line.starts_with('*') || line.starts_with("depth=") || engine_value(line).is_some() {
        format!(" {line}")
    } else {
        line.into()
    }
}

fn speak(evaluation: &Evaluation, pos: &Position) -> String {
    let mut text = String::from("*解析 候補1");
    if let Some(depth) = evaluation.depth {
        let _ = write!(text, " 深さ {depth}");
    }
    if let Some(nodes) = evaluation.nodes {
        let _ = write!(text, " ノード数 {nodes}");
    }
    let _ = write!(text, " 評価値 {}", evaluation.value.points());
    if !evaluation.line.is_empty() {
        text += " 読み筋";
        let mut pos = pos.clone();
        for &mv in &evaluation.line {
            if !pos.is_legal(mv) {
                break;
            }
            let _ = write!(text, " {}{}", mark(pos.turn()), kif_move(&pos, mv));
            pos.play(mv);
        }
    }
    text
}

/// Takes a line of a comment, without its asterisk, into the node where the cursor stands.
pub(crate) fn take(cursor: &mut GameCursor, line: &str) {
    let evaluation = listen(line, cursor.position());
    match evaluation {
        // A second candidate or a second engine is kept as text.
        Some(evaluation) if cursor.node().evaluation.is_none() => {
            cursor.node().evaluation = Some(evaluation);
        }
        _ => add_line(&mut cursor.node().comment, line),
    }
}

/// Adds a line to a comment. Blank lines at the beginning say nothing.
pub(crate) fn add_line(comment: &mut String, line: &str) {
    let line = tidy_line(line);
    if comment.is_empty() {
        *comment = line;
    } else {
        comment.push('\n');
        *comment += &line;
    }
}

/// A line without control characters and without space around it.
pub(crate) fn tidy_line(line: &str) -> String {
    let clean: String = line.chars().filter(|c| !c.is_control()).collect();
    clean.trim().into()
}

/// A comment as every format can keep it: no space around lines, no blank lines around it.
pub(crate) fn tidy(comment: &str) -> String {
    let mut tidied = String::new();
    for line in comment.split('\n') {
        add_line(&mut tidied, line);
    }
    tidied.trim_end_matches('\n').into()
}

/// The evaluation of an engine's line.
fn listen(line: &str, pos: &Position) -> Option<Evaluation> {
    if let Some(value) = engine_value(line) {
        return Some(Evaluation::of(Value::new(value)));
    }
    let (head, moves) = line
        .strip_prefix('*')?
        .split_once("読み筋")
        .unwrap_or((&line[1..], ""));
    let mut evaluation = Evaluation::default();
    let mut found = false;
    let mut words = head.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "深さ" => evaluation.depth = words.next().and_then(leading_number),
            "ノード数" => evaluation.nodes = words.next().and_then(|n| n.parse().ok()),
            "評価値" => {
                evaluation.value = Value::new(read_value(&mut words)?);
                found = true;
            }
            _ => {}
        }
    }
    evaluation.line = read_line(pos, moves);
    found.then_some(evaluation)
}

/// `評価値=34`, without an asterisk.
fn engine_value(line: &str) -> Option<i32> {
    line.strip_prefix("評価値=")?.trim_end().parse().ok()
}

/// The depth of `10/17` is 10.
fn leading_number(text: &str) -> Option<u32> {
    text.split('/').next()?.parse().ok()
}

/// `34`, `+34`, `+詰`, `-詰 11`.
fn read_value<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<i32> {
    let word = words.next()?;
    let Some(sign) = word.strip_suffix('詰') else {
        return word.trim_end_matches(['↑', '↓']).parse().ok();
    };
    let plies = words.next().and_then(|plies| plies.parse::<u16>().ok());
    let value = Value::mate_in(plies.unwrap_or(0).min(1000).into()).points();
    match sign {
        "+" | "" => Some(value),
        "-" => Some(-value),
        _ => None,
    }
}

/// The moves of a line as far as they can be read and played.
fn read_line(pos: &Position, text: &str) -> Vec<tesuji_shogi::Move> {
    let mut pos = pos.clone();
    let mut moves = Vec::new();
    for (place, first) in text.char_indices() {
        if is_mark(first) != Some(pos.turn()) {
            if is_mark(first).is_some() {
                break;
            }
            continue;
        }
        match read_japanese(&pos, &text[place..]) {
            Ok((mv, _)) if pos.try_play(mv).is_ok() => moves.push(mv),
            _ => break,
        }
    }
    moves
}
