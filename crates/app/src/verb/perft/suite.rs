//! A file of positions with their counts: sfen, depth and nodes on each line.

use super::tree::DEEPEST;
use crate::answer::{Failure, read_file};
use std::path::Path;
use std::str::FromStr;
use tesuji_shogi::{Position, SfenError};

/// One line of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SuiteLine {
    /// Which, from 1.
    pub(super) number: usize,
    /// Where the tree starts.
    pub(super) pos: Position,
    /// How deep it is.
    pub(super) depth: u32,
    /// How many leaves it has.
    pub(super) nodes: u64,
}

/// What is wrong with a line. Columns count characters from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum SuiteLineError {
    /// The line stops before one of its fields.
    #[error("the {0} is missing: a line is sfen, depth and nodes with a tab between them")]
    Missing(&'static str),
    /// A field is not a number.
    #[error("column {column}: {found:?} is no {field}: expected a whole number{most}")]
    Number {
        /// Where the field starts.
        column: usize,
        /// Its beginning.
        found: String,
        /// Which field.
        field: &'static str,
        /// The range, if it has one.
        most: &'static str,
    },
    /// Something follows the last field.
    #[error("column {0}: nothing may follow the nodes")]
    Trailing(usize),
    /// The first field is not a position.
    #[error("in the sfen, {0}")]
    Sfen(#[from] SfenError),
}

/// Reads the whole file, or says which line is wrong and why.
pub(super) fn read(path: &Path) -> Result<Vec<SuiteLine>, Failure> {
    read_file(path, parse)
}

fn parse(text: &str) -> Result<Vec<SuiteLine>, (usize, SuiteLineError)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| parse_line(number, line).map_err(|what| (number, what)))
        .collect()
}

fn parse_line(number: usize, line: &str) -> Result<SuiteLine, SuiteLineError> {
    let mut column = 1;
    let mut fields = line.split('\t').map(|field| {
        let start = column;
        column += field.chars().count() + 1;
        (start, field.trim())
    });
    let mut field = |name| fields.next().ok_or(SuiteLineError::Missing(name));
    let (_, sfen) = field("sfen")?;
    let pos = Position::from_sfen(sfen)?;
    let depth = whole(field("depth")?, "depth", " up to 64", |depth| {
        depth <= DEEPEST
    })?;
    let nodes = whole(field("count of nodes")?, "count of nodes", "", |_| true)?;
    match fields.next() {
        Some((column, _)) => Err(SuiteLineError::Trailing(column)),
        None => Ok(SuiteLine {
            number,
            pos,
            depth,
            nodes,
        }),
    }
}

/// The number in a field that starts at a column, if it is one and in range.
fn whole<T: FromStr + Copy>(
    (column, text): (usize, &str),
    field: &'static str,
    most: &'static str,
    in_range: impl Fn(T) -> bool,
) -> Result<T, SuiteLineError> {
    let number = text.parse().ok().filter(|&number| in_range(number));
    number.ok_or_else(|| SuiteLineError::Number {
        column,
        found: text.chars().take(16).collect(),
        field,
        most,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "4k4/9/9/9/9/9/9/9/4K4 b - 1";

    #[test]
    fn comments_and_empty_lines_are_skipped_but_counted() {
        let text = format!("# kings\r\n\r\n{BARE}\t2\t25\r\n \n{BARE}\t0\t1\n");
        let lines = parse(&text).unwrap();
        let read: Vec<_> = lines
            .iter()
            .map(|line| (line.number, line.depth, line.nodes))
            .collect();
        assert_eq!(read, [(3, 2, 25), (5, 0, 1)]);
        assert_eq!(lines[0].pos.to_sfen(), BARE);
    }

    #[test]
    fn an_error_names_line_and_column() {
        let errors = [
            (BARE.into(), "the depth is missing"),
            (format!("{BARE}\t3"), "the count of nodes is missing"),
            (format!("{BARE}\tx\t1"), "column 29: \"x\" is no depth"),
            (format!("{BARE}\t65\t1"), "column 29: \"65\" is no depth"),
            (format!("{BARE}\t2\t-1"), "column 31: \"-1\" is no count"),
            (format!("{BARE}\t2\t1\t"), "column 33: nothing may follow"),
            (
                "4k4/9/9/9/9/9/9/9/4X4 b - 1\t1\t1".into(),
                "in the sfen, column 20: 'X'",
            ),
        ];
        for (line, expected) in errors {
            let (number, error) = parse(&format!("# one\n{line}\n")).unwrap_err();
            assert_eq!(number, 2);
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }
}
