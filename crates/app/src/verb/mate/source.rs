//! A file of problems: one SFEN on each line, and what is expected of it.

use crate::answer::{Failure, read_file};
use std::path::Path;
use tesuji_mate::MateVerdict;
use tesuji_shogi::{Position, SfenError};

/// One problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MateProblem {
    pub(crate) pos: Position,
    /// Whether there is a mate, if the file says so.
    pub(crate) expected: Option<bool>,
    /// What the file calls it.
    pub(crate) label: Option<String>,
}

impl MateProblem {
    pub(crate) fn new(pos: Position) -> Self {
        Self {
            pos,
            expected: None,
            label: None,
        }
    }

    /// A remark if the answer is not the expected one.
    pub(crate) fn surprise(&self, verdict: &MateVerdict) -> Option<&'static str> {
        match (self.expected, verdict) {
            (Some(true), MateVerdict::NoMate) => Some("  (a mate was expected)"),
            (Some(false), MateVerdict::Mate(_) | MateVerdict::Shortest(_)) => {
                Some("  (no mate was expected)")
            }
            _ => None,
        }
    }
}

/// Reads every problem, or says which line is wrong and why.
pub(crate) fn read(path: &Path) -> Result<Vec<MateProblem>, Failure> {
    read_file(path, parse)
}

/// Reads every problem of a text, or gives the number of a wrong line and what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Vec<MateProblem>, (usize, SfenError)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| read_line(line).map_err(|what| (number, what)))
        .collect()
}

fn read_line(line: &str) -> Result<MateProblem, SfenError> {
    let mut fields = line.split('\t');
    let sfen = fields.next().unwrap_or(line);
    let sfen = sfen.split(" moves ").next().unwrap_or(sfen);
    let mut problem = MateProblem::new(Position::from_sfen(sfen.trim())?);
    for field in fields {
        match field.trim().split_once('=') {
            Some(("expect", "mate")) => problem.expected = Some(true),
            Some(("expect", "nomate")) => problem.expected = Some(false),
            Some(("id", name)) => problem.label = Some(name.into()),
            _ => {}
        }
    }
    Ok(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_behind_the_position_are_read() {
        let text = "# a comment\n4k4/9/4P4/9/9/9/9/9/9 b G 1\tid=one\texpect=mate\tlen=1\n\n\
                    4k4/9/9/9/9/9/9/9/9 b G 1 moves G*5b 5a4a\n";
        let problems = parse(text).unwrap();
        assert_eq!(problems.len(), 2);
        assert_eq!(problems[0].expected, Some(true));
        assert_eq!(problems[0].label.as_deref(), Some("one"));
        assert_eq!(problems[1].expected, None);
    }

    #[test]
    fn a_bad_line_is_named() {
        let (line, _) = parse("startpos\n9/9 b - 1\n").unwrap_err();
        assert_eq!(line, 2);
    }
}
