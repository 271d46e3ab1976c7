//! Positions with the moves that strong players chose there.

use serde::Deserialize;
use tesuji_shogi::{Move, Position};

#[derive(Deserialize)]
struct ExpectedLine {
    sfen: String,
    bestmove: String,
}

/// Reads a file of positions, one a line: JSON with the fields `sfen` and `bestmove`, or `SFEN moves
/// MOVE`; what follows a tab is left alone. The error is the line and what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Vec<(Position, Move)>, (usize, String)> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| parse_line(line).map_err(|what| (number, what)))
        .collect()
}

fn parse_line(line: &str) -> Result<(Position, Move), String> {
    let (sfen, mv) = if line.starts_with('{') {
        let line: ExpectedLine = serde_json::from_str(line).map_err(|error| error.to_string())?;
        (line.sfen, line.bestmove)
    } else {
        let text = line.split('\t').next().unwrap_or(line);
        let (sfen, mv) = text
            .split_once(" moves ")
            .ok_or("expected `SFEN moves MOVE` or JSON with `sfen` and `bestmove`")?;
        (sfen.to_owned(), mv.trim().to_owned())
    };
    let pos = Position::from_sfen(&sfen).map_err(|error| error.to_string())?;
    let mv: Move = mv.parse().map_err(|_| format!("{mv:?} is no move"))?;
    match pos.is_legal(mv) {
        true => Ok((pos, mv)),
        false => Err(format!("{mv} is illegal there")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_lines_are_read_and_wrong_ones_named() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let text = format!(
            "{{\"sfen\": \"{start}\", \"bestmove\": \"7g7f\"}}\n\n{start} moves 2g2f\t90.8\n"
        );
        let read = parse(&text).unwrap();
        assert_eq!(read[0].1.to_string(), "7g7f");
        assert_eq!(read[1].1.to_string(), "2g2f");
        let (line, what) = parse(&format!("{text}{start} moves 2g2e")).unwrap_err();
        assert_eq!((line, what.as_str()), (4, "2g2e is illegal there"));
        assert!(parse("nothing").is_err());
    }
}
