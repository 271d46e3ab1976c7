//! A file of positions: one SFEN on each line, or a table with a column `sfen`.

use crate::answer::{Failure, read_file};
use std::path::Path;
use tesuji_shogi::{Position, SfenError};

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum PositionLineError {
    /// The line has fewer columns than the one that names them.
    #[error("column {0} is missing: the first line puts the sfen there")]
    Missing(usize),
    /// The field is not a position.
    #[error("in the sfen, {0}")]
    Sfen(#[from] SfenError),
}

/// Reads every position, or says which line is wrong and why.
pub(super) fn read(path: &Path) -> Result<Vec<Position>, Failure> {
    read_file(path, parse)
}

fn parse(text: &str) -> Result<Vec<Position>, (usize, PositionLineError)> {
    let column = text.lines().next().and_then(sfen_column);
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .filter(|&(number, _)| number > 1 || column.is_none())
        .map(|(number, line)| read_line(line, column.unwrap_or(0)).map_err(|what| (number, what)))
        .collect()
}

/// Which column the first line calls `sfen`, be it a comment or not.
fn sfen_column(first: &str) -> Option<usize> {
    let names = first.trim_start_matches('#').split('\t');
    names.map(str::trim).position(|name| name == "sfen")
}

fn read_line(line: &str, column: usize) -> Result<Position, PositionLineError> {
    let field = line
        .split('\t')
        .nth(column)
        .ok_or(PositionLineError::Missing(column + 1))?;
    Ok(Position::from_sfen(field.trim())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tables_are_read_alike() {
        let sfen = Position::start().to_sfen();
        let plain = format!("# a comment\n{sfen}\n\nsfen {sfen}\n");
        let table = format!("id\tsfen\traw\n1\t{sfen}\t0\n2\t{sfen}\t5\n");
        let comment = format!("# tag\tsfen\n1\t{sfen}\n2\t{sfen}\n");
        for text in [plain, table, comment] {
            assert_eq!(parse(&text), Ok(vec![Position::start(); 2]), "{text}");
        }
        assert_eq!(parse(""), Ok(vec![]));
    }

    #[test]
    fn a_bad_line_is_named() {
        let (line, what) = parse("startpos\n\n9/9 b - 1\n").unwrap_err();
        assert_eq!(line, 3);
        assert!(what.to_string().starts_with("in the sfen, "), "{what}");
        assert_eq!(
            parse("id\tsfen\n1\n"),
            Err((2, PositionLineError::Missing(2)))
        );
    }
}
