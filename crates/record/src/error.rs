//! What can be wrong with a record that is read, and why one cannot be written.

use crate::game::Refusal;
use crate::names::NameError;
use tesuji_shogi::rules::Foul;
use tesuji_shogi::{SetupError, SfenError};

/// Why a record cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ReadError {
    /// In which line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: ReadProblem,
}

/// What can be wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadProblem {
    /// The line is none that the format knows.
    #[error("\"{0}\" is none of the lines a record of this kind has")]
    Line(String),
    /// The record breaks off.
    #[error("the record breaks off: {0}")]
    Missing(&'static str),
    /// A move cannot be made out.
    #[error("\"{0}\" is not a move: expected something like {1}")]
    Move(String, &'static str),
    /// A move cannot be made out from its name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A move is illegal.
    #[error("\"{mv}\" is illegal: {foul}")]
    Foul {
        /// Which, as the record writes it.
        mv: String,
        /// Why.
        foul: Foul,
    },
    /// A move of the side that is not to move.
    #[error("\"{0}\" is a move of the other side")]
    Turn(String),
    /// A move number that does not fit.
    #[error("move {found} follows move {before}")]
    Number {
        /// The number written.
        found: u32,
        /// The number of the move before.
        before: usize,
    },
    /// Something behind the end of the game.
    #[error("\"{0}\" stands behind the end of the game")]
    Over(String),
    /// A line without end.
    #[error("{}", Refusal::TooLong)]
    TooLong,
    /// A variation of a move that is not there.
    #[error("a variation of move {0}, but no line has that many moves")]
    Variation(u32),
    /// A piece or a square of the start position cannot be made out.
    #[error("\"{0}\" in the start position: expected {1}")]
    Board(String, &'static str),
    /// The pieces of the start position are no position.
    #[error("the start position cannot be: {0}")]
    Setup(#[from] SetupError),
    /// An SFEN that is none.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A time that is none.
    #[error("\"{0}\" is not a time")]
    Time(String),
    /// The text is not JSON, or not of the shape a record has.
    #[error("not a JKF record: {0}")]
    Json(String),
    /// The bytes are text in none of the known encodings.
    #[error("the text is neither UTF-8 nor Shift_JIS nor EUC-JP: byte {0} cannot be read")]
    Encoding(usize),
    /// The text can be read in two ways.
    #[error("the text could be Shift_JIS or EUC-JP: say which")]
    DoubtfulEncoding,
}

impl ReadProblem {
    /// The same problem, in its place.
    pub(crate) fn at(self, line: usize) -> ReadError {
        ReadError {
            line,
            problem: self,
        }
    }

    /// Why a move was refused.
    pub(crate) fn refused(mv: &str, refusal: Refusal) -> Self {
        let mv = crate::names::quoted(mv);
        match refusal {
            Refusal::Over => Self::Over(mv),
            Refusal::TooLong => Self::TooLong,
            Refusal::Foul(foul) => Self::Foul { mv, foul },
        }
    }
}

/// Why a game cannot be written in a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// The encoding has no such character.
    #[error("{0:?} does not exist in {1}: choose UTF-8")]
    Character(char, &'static str),
    /// JSON readers give up at this depth.
    #[error("variations inside variations, {0} deep: readers of JSON give up at that depth")]
    TooDeep(usize),
    /// Data formats need a result.
    #[error("the game has no result")]
    NoResult,
    /// A count that does not fit its field.
    #[error("{0} moves are more than the format can hold")]
    TooLong(usize),
    /// A position that the format has no room for.
    #[error("{0}")]
    Packed(#[from] crate::packed::PackError),
}
