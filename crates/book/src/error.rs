//! What can be wrong with a book.

use std::fmt;
use std::io;
use tesuji_record::names::NameError;
use tesuji_record::packed::{PackError, UnpackError};
use tesuji_shogi::SfenError;

/// Where in a file something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookPlace {
    /// In the file as a whole.
    File,
    /// In a line, from 1.
    Line(u64),
    /// In a record, from 1.
    Record(u64),
}

impl fmt::Display for BookPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => write!(f, "the file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Record(record) => write!(f, "record {record}"),
        }
    }
}

/// Why a book, or a part of it, cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct BookError {
    /// Where.
    pub place: BookPlace,
    /// Why.
    pub problem: BookProblem,
}

/// What can be wrong.
#[derive(Debug, thiserror::Error)]
pub enum BookProblem {
    /// The bytes cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A position that is none.
    #[error("not a position: {0}")]
    Sfen(#[from] SfenError),
    /// A word that is no move.
    #[error("{0:?} is not a move: expected something like 7g7f, 8h2b+, P*5e, resign or ７六歩")]
    Move(String),
    /// A move in Japanese that makes no sense.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A move that cannot be played.
    #[error("{0} cannot be played here")]
    Illegal(String),
    /// A word that is no number.
    #[error("{0:?} is not a number: a line is MOVE REPLY VALUE DEPTH COUNT")]
    Number(String),
    /// A move before any position.
    #[error("a move before the first line that begins with \"sfen\"")]
    NoPosition,
    /// A line longer than any that makes sense.
    #[error("the line has more than {0} bytes")]
    LongLine(usize),
    /// Not the kind of file it should be.
    #[error("not a {0}: {1}")]
    Kind(&'static str, String),
    /// The file ends too early.
    #[error("the file ends in the middle: {0}")]
    Short(&'static str),
    /// Bytes that are no position.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// A position that cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A number that is no move.
    #[error("{0:#06x} is not a move")]
    Bits(u32),
    /// Positions that do not ascend.
    #[error("the position stands before or beside the one ahead of it: the file must be sorted")]
    Order,
    /// Something the format has no room for.
    #[error("the format has no room for {0}")]
    Room(String),
    /// A text that stays on disk and is not sorted.
    #[error(
        "the position stands before the one ahead of it: positions are not found in a large file that \
         is not sorted; `tesuji book merge` writes it sorted"
    )]
    Unsorted,
    /// A store that would take too much memory.
    #[error("it has more than {0} bytes: lines that win in it are not looked for")]
    Unsolved(u64),
    /// The check sum of a record is wrong.
    #[error("the check sum is wrong")]
    Sum,
    /// What the database says.
    #[error("{0}")]
    Database(String),
    /// The library was built without it.
    #[error("this build cannot use books in SQLite: it lacks the feature \"sqlite\"")]
    NoSqlite,
}

impl BookProblem {
    /// The same problem, in its place.
    pub fn at(self, place: BookPlace) -> BookError {
        BookError {
            place,
            problem: self,
        }
    }
}

impl BookError {
    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(&self.problem, BookProblem::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        BookProblem::Io(error).at(BookPlace::File)
    }
}

/// The beginning of a text that came from outside, for a message.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().take(24).collect()
}
