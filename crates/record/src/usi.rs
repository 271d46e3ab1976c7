//! Games as USI has them (Romstad 2007), one on a line: `startpos moves 7g7f 3c3d`. Openings and
//! bare positions too.

use crate::error::{ReadError, ReadProblem};
use crate::game::{Game, GameCursor};
use crate::names::quoted;
use std::fmt::Write;
use tesuji_shogi::{Move, Position};

/// Reads a line such as `startpos moves 7g7f`, `sfen … moves …`, `position startpos`, or a bare
/// SFEN. Fields such as `id=3` behind a tab, as lists of positions have them, are not looked at.
///
/// ```
/// let game = tesuji_record::usi::read("startpos moves 7g7f 3c3d").unwrap();
/// assert_eq!(game.moves().count(), 2);
/// assert_eq!(tesuji_record::usi::write(&game), "startpos moves 7g7f 3c3d\n");
/// ```
pub fn read(text: &str) -> Result<Game, ReadError> {
    let at = |problem: ReadProblem| problem.at(1);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    let fields = text.split('\t').take_while(|field| !field.contains('='));
    let text = &fields.collect::<Vec<_>>().join(" ");
    let text = text.strip_prefix("position ").unwrap_or(text);
    let (start, moves) = match text.split_once("moves") {
        Some((start, moves)) => (start, moves),
        None => (text, ""),
    };
    let start = Position::from_sfen(start).map_err(|error| at(error.into()))?;
    let mut cursor = GameCursor::new(Game::new(start));
    let mut words = moves.split_whitespace();
    while let Some(word) = words.next() {
        if let Some(ending) = ending(word)
            && words.clone().next().is_none()
        {
            cursor.end(ending);
            break;
        }
        let mv: Move = word
            .parse()
            .map_err(|_| at(ReadProblem::Move(quoted(word), "7g7f, 8h2b+ or P*5e")))?;
        cursor
            .play(mv)
            .map_err(|refusal| at(ReadProblem::refused(word, refusal)))?;
    }
    Ok(cursor.finish())
}

/// What some programs write behind the last move.
fn ending(word: &str) -> Option<crate::Ending> {
    match word {
        "resign" => Some(crate::Ending::Resignation),
        "win" => Some(crate::Ending::Declaration),
        _ => None,
    }
}

/// The start and the main line, with a line break behind.
pub fn write(game: &Game) -> String {
    let sfen = game.start().to_sfen();
    let mut text = match sfen == Position::start().to_sfen() {
        true => String::from("startpos"),
        false => format!("sfen {sfen}"),
    };
    for (place, mv) in game.moves().enumerate() {
        let _ = write!(text, "{}{mv}", if place == 0 { " moves " } else { " " });
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_games_read_back() {
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 w R2b 7";
        for (text, written) in [
            ("startpos", "startpos\n".into()),
            ("position startpos moves", "startpos\n".into()),
            (sfen, format!("sfen {sfen}\n")),
            ("startpos moves 7g7f resign", "startpos moves 7g7f\n".into()),
            (
                &format!("{sfen}\tid=1\texpect=mate"),
                format!("sfen {sfen}\n"),
            ),
        ] {
            assert_eq!(write(&read(text).unwrap()), written);
        }
        assert_eq!(
            read("startpos moves 7g7f resign").unwrap().ending(),
            Some(crate::Ending::Resignation)
        );
    }

    #[test]
    fn bad_lines_are_refused() {
        for text in [
            "",
            "moves",
            "startpos moves 7g7e",
            "startpos moves resign 7g7f",
            "startpos 7g7f",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
