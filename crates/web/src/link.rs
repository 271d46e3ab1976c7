//! A game in an address: `startpos_7g7f_3c3d(8c8d_2g2f)_2g2f`, variations in parentheses, comments
//! in braces.
//!
//! Parentheses stand behind the move that they replace. An SFEN has dots for its spaces. Times and
//! evaluations are left out: a link is for people, and addresses must stay short.

use crate::game_view::MOST_NODES;
use crate::user_error::UserError;
use std::fmt::Write;
use tesuji_record::{Game, GameCursor, NodeId};
use tesuji_shogi::Position;

/// The game as a text that may stand behind `#game=`.
pub(crate) fn write(game: &Game) -> String {
    let start = game.start().to_sfen();
    let mut text = match start == Position::start().to_sfen() {
        true => "startpos".to_owned(),
        false => start.replace(' ', "."),
    };
    comment(game, Game::ROOT, &mut text);
    line(game, Game::ROOT, &mut text);
    text
}

/// Writes what follows a node. Variations are few levels deep in practice; a line is a loop.
fn line(game: &Game, mut at: NodeId, text: &mut String) {
    while let Some(&next) = game[at].children().first() {
        step(game, next, text);
        for &other in game.variations(at) {
            if game[other].mv().is_some() && nesting(text) < DEEPEST {
                text.push('(');
                step(game, other, text);
                line(game, other, text);
                text.push(')');
            }
        }
        at = next;
    }
}

/// How deep variations may stand inside variations.
const DEEPEST: usize = 64;

fn nesting(text: &str) -> usize {
    let count = |bracket| text.bytes().filter(|&byte| byte == bracket).count();
    count(b'(') - count(b')')
}

fn step(game: &Game, id: NodeId, text: &mut String) {
    if let Some(mv) = game[id].mv() {
        if !text.ends_with('(') {
            text.push('_');
        }
        let _ = write!(text, "{mv}");
        comment(game, id, text);
    }
}

fn comment(game: &Game, id: NodeId, text: &mut String) {
    if game[id].comment.is_empty() {
        return;
    }
    text.push('{');
    for byte in game[id].comment.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text.push('}');
}

/// Reads what [`write`] wrote.
pub(crate) fn read(text: &str) -> Result<Game, UserError> {
    let broken = || {
        UserError::new(
            "The link is broken: the game in it cannot be read.",
            "リンクが壊れています。棋譜を読み取れません。",
        )
    };
    // Some programs write brackets of an address as per cent and digits.
    let text = text
        .replace("%28", "(")
        .replace("%29", ")")
        .replace("%7B", "{")
        .replace("%7D", "}")
        .replace("%2B", "+")
        .replace("%2A", "*");
    let end = text.find(['_', '{', '(']).unwrap_or(text.len());
    let (start, mut rest) = text.split_at(end);
    let start = Position::from_sfen(&start.replace('.', " ")).map_err(|_| broken())?;
    let mut cursor = GameCursor::new(Game::new(start));
    let mut forks = Vec::new();
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            '(' => {
                forks.push(cursor.at());
                let parent = cursor.node().parent().ok_or_else(broken)?;
                cursor.go(parent);
                rest = play(&mut cursor, rest).ok_or_else(broken)?;
            }
            ')' => cursor.go(forks.pop().ok_or_else(broken)?),
            '_' => rest = play(&mut cursor, rest).ok_or_else(broken)?,
            '{' => {
                let (words, behind) = rest.split_once('}').ok_or_else(broken)?;
                cursor.node().comment = unescaped(words).ok_or_else(broken)?;
                rest = behind;
            }
            _ => return Err(broken()),
        }
        if cursor.game().size() > MOST_NODES {
            return Err(UserError::too_many_moves(MOST_NODES));
        }
    }
    Ok(cursor.finish())
}

/// Plays the move that a text begins with, and gives what follows.
fn play<'t>(cursor: &mut GameCursor, text: &'t str) -> Option<&'t str> {
    let end = text.find(['_', '{', '(', ')']).unwrap_or(text.len());
    let (mv, rest) = text.split_at(end);
    cursor.play(mv.parse().ok()?).ok()?;
    Some(rest)
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => (digit(rest.next())? * 16 + digit(rest.next())?) as u8,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_the_tree_and_what_was_said() {
        let mut game = Game::default();
        let first = game.push("7g7f".parse().unwrap()).unwrap();
        game[first].comment = "角道 (open)".into();
        game.push("3c3d".parse().unwrap()).unwrap();
        game.push("8h2b+".parse().unwrap()).unwrap();
        let other = game.add(first, "8c8d".parse().unwrap()).unwrap();
        game.add(other, "7f7e".parse().unwrap()).unwrap();
        game.add(other, "2g2f".parse().unwrap()).unwrap();
        let text = write(&game);
        assert!(
            text.starts_with("startpos_7g7f{") && text.contains("_3c3d(8c8d_7f7e(2g2f))_8h2b+")
        );
        assert_eq!(read(&text).unwrap(), game);
        let odd = Game::new(Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap());
        assert_eq!(read(&write(&odd)).unwrap(), odd);
    }

    #[test]
    fn broken_links_are_refused() {
        for text in [
            "",
            "x",
            "startpos_",
            "startpos(7g7f)",
            "startpos_7g7f)",
            "startpos_7g7f{%F}",
            "startpos{%FF}",
            "startpos_9z9z",
            "startpos_7g7f{",
            "startpos)",
            "é(",
            "startpos_7g7f(é",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
