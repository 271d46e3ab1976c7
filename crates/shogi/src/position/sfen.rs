//! SFEN in and out.
//!
//! The notation is that of Tord Romstad's USI (2007).

use super::Position;
use super::setup::{Setup, SetupError};
use crate::types::color::Color;
use crate::types::hand::Hand;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;
use std::fmt::Write;
use std::str::FromStr;

/// Why a text is not a position. Columns count characters from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SfenError {
    /// The text stops before one of its four parts.
    #[error("the {0} is missing: an SFEN is `board turn hands ply`")]
    Missing(&'static str),
    /// A character that cannot stand there.
    #[error("column {column}: {found:?} in the {part}; expected {expected}")]
    Unexpected {
        /// Where.
        column: usize,
        /// What stands there.
        found: char,
        /// In which of the four parts.
        part: &'static str,
        /// What could stand there.
        expected: &'static str,
    },
    /// A rank has too few or too many squares.
    #[error("column {column}: rank {rank} has {squares} squares instead of 9")]
    Width {
        /// Where the rank ends.
        column: usize,
        /// Which rank, 1 to 9.
        rank: usize,
        /// How many squares it has.
        squares: usize,
    },
    /// Not nine ranks.
    #[error("the board has {0} ranks instead of 9")]
    Height(usize),
    /// A count in hand that no set of pieces has, or without a piece behind it.
    #[error("column {column}: {count} is no count of pieces in hand")]
    Count {
        /// Where.
        column: usize,
        /// The count as far as it was read.
        count: u32,
    },
    /// The move number is not a number from 1 to 32767.
    #[error("{0:?} is no move number: expected 1 to 32767")]
    Ply(String),
    /// Something follows the move number.
    #[error("column {0}: nothing may follow the move number")]
    Trailing(usize),
    /// The pieces are where no game could bring them.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Position {
    /// Reads an SFEN; `startpos` and a leading `sfen` are understood, the move number may be absent.
    ///
    /// ```
    /// use tesuji_shogi::{Position, SfenError};
    /// let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2p2lRB 1").unwrap();
    /// assert_eq!(pos.to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b RB2l2p 1");
    /// let error = Position::from_sfen("4k4/9/9/9/9/9/9/9/4X4 b - 1").unwrap_err();
    /// assert!(error.to_string().starts_with("column 20: 'X' in the board"));
    /// ```
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        Ok(Setup::from_sfen(text)?.build()?)
    }

    /// The position as SFEN, hands in canonical order.
    pub fn to_sfen(&self) -> String {
        let mut text = self.to_sfen_without_ply();
        let _ = write!(text, " {}", self.ply());
        text
    }

    /// Board, turn and hands as SFEN: what makes two positions the same.
    pub fn to_sfen_without_ply(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in 1..=9 {
            if rank > 1 {
                text.push('/');
            }
            write_rank(self, rank, &mut text);
        }
        let _ = write!(text, " {} ", self.turn().letter());
        let empty = text.len();
        for color in Color::ALL {
            write_hand(color, self.hand(color), &mut text);
        }
        if text.len() == empty {
            text.push('-');
        }
        text
    }
}

fn write_rank(pos: &Position, rank: u8, text: &mut String) {
    let mut empty = 0_u8;
    for file in (1..=9).rev() {
        match Square::at(file, rank).and_then(|square| pos.at(square)) {
            None => empty += 1,
            Some(piece) => {
                push_empty(std::mem::take(&mut empty), text);
                push_piece(piece, text);
            }
        }
    }
    push_empty(empty, text);
}

/// A digit for so many empty squares; nothing for none.
fn push_empty(count: u8, text: &mut String) {
    if count > 0 {
        text.push((b'0' + count) as char);
    }
}

/// The letters of a piece; formatting machinery would cost more than the rest of an SFEN.
fn push_piece(piece: Piece, text: &mut String) {
    if piece.kind().is_promoted() {
        text.push('+');
    }
    let letter = piece.kind().letter();
    text.push(match piece.color() {
        Color::Black => letter,
        Color::White => letter.to_ascii_lowercase(),
    });
}

fn write_hand(color: Color, hand: Hand, text: &mut String) {
    for kind in PieceKind::BY_VALUE.into_iter().rev() {
        match hand.count(kind) {
            0 => continue,
            1 => {}
            count => {
                let _ = write!(text, "{count}");
            }
        }
        push_piece(Piece::new(color, kind), text);
    }
}

impl FromStr for Position {
    type Err = SfenError;
    fn from_str(text: &str) -> Result<Self, SfenError> {
        Self::from_sfen(text)
    }
}

impl Setup {
    /// Reads an SFEN without asking whether the pieces stand where they may.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let mut parts = SfenFields { text, at: 0 };
        let mut board = parts.next().ok_or(SfenError::Missing("board"))?;
        if board.1 == "sfen" {
            board = parts.next().ok_or(SfenError::Missing("board"))?;
        }
        let mut setup = Setup::default();
        if board.1 == "startpos" {
            setup = Setup::start();
        } else {
            read_board(board, &mut setup)?;
            setup.turn = read_turn(parts.next().ok_or(SfenError::Missing("turn"))?)?;
            read_hands(parts.next().ok_or(SfenError::Missing("hands"))?, &mut setup)?;
            if let Some((_, ply)) = parts.next() {
                setup.ply = read_ply(ply)?;
            }
        }
        match parts.next() {
            Some((at, _)) => Err(SfenError::Trailing(parts.column(at))),
            None => Ok(setup),
        }
    }
}

/// A part of the text and where it starts, counted in characters from 0.
type SfenField<'a> = (usize, &'a str);

struct SfenFields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> SfenFields<'a> {
    fn next(&mut self) -> Option<SfenField<'a>> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let length = self.text[start..].find(char::is_whitespace);
        self.at = length.map_or(self.text.len(), |length| start + length);
        // Characters are counted only where they are not bytes.
        let column = match self.text.is_ascii() {
            true => start,
            false => self.text[..start].chars().count(),
        };
        Some((column, &self.text[start..self.at]))
    }

    fn column(&self, at: usize) -> usize {
        at + 1
    }
}

fn unexpected(
    (start, _): SfenField<'_>,
    offset: usize,
    found: char,
    part: &'static str,
    expected: &'static str,
) -> SfenError {
    SfenError::Unexpected {
        column: start + offset + 1,
        found,
        part,
        expected,
    }
}

fn read_board(part: SfenField<'_>, setup: &mut Setup) -> Result<(), SfenError> {
    let mut reader = BoardReader {
        part,
        rank: 1,
        file: 9,
        promoted: false,
    };
    for (offset, found) in part.1.chars().enumerate() {
        match found {
            '+' if !reader.promoted => reader.promoted = true,
            '/' if !reader.promoted => reader.next_rank(offset)?,
            '1'..='9' if !reader.promoted => {
                reader.skip(offset, found as usize - '0' as usize)?;
            }
            _ => {
                let piece = reader.piece(offset, found)?;
                setup.board[reader.next_square(offset)?] = Some(piece);
            }
        }
    }
    reader.finish()
}

/// What was read of a board.
struct BoardReader<'t> {
    part: SfenField<'t>,
    /// Where the next piece stands; file 0 is behind the last square of a rank.
    rank: usize,
    file: usize,
    /// Whether a plus waits for its piece.
    promoted: bool,
}

impl BoardReader<'_> {
    fn next_rank(&mut self, offset: usize) -> Result<(), SfenError> {
        if self.file != 0 {
            return Err(self.width(self.part.0 + offset + 1, 9 - self.file));
        }
        if self.rank == 9 {
            return Err(SfenError::Height(self.part.1.split('/').count()));
        }
        (self.rank, self.file) = (self.rank + 1, 9);
        Ok(())
    }

    fn skip(&mut self, offset: usize, empty: usize) -> Result<(), SfenError> {
        let too_wide = self.width(self.part.0 + offset + 1, 9 - self.file + empty);
        self.file = self.file.checked_sub(empty).ok_or(too_wide)?;
        Ok(())
    }

    fn piece(&mut self, offset: usize, found: char) -> Result<Piece, SfenError> {
        let expected = match self.promoted {
            true => "a piece that can promote",
            false => "a piece, a digit 1-9, or / between ranks",
        };
        let kind = PieceKind::from_letter(found.to_ascii_uppercase());
        let kind = match self.promoted {
            true => kind.and_then(PieceKind::promoted),
            false => kind,
        };
        let kind = kind.ok_or_else(|| unexpected(self.part, offset, found, "board", expected))?;
        self.promoted = false;
        let color = match found.is_ascii_lowercase() {
            true => Color::White,
            false => Color::Black,
        };
        Ok(Piece::new(color, kind))
    }

    fn next_square(&mut self, offset: usize) -> Result<Square, SfenError> {
        let square = Square::at(self.file as u8, self.rank as u8);
        let square = square.ok_or_else(|| self.width(self.part.0 + offset + 1, 10 - self.file))?;
        self.file -= 1;
        Ok(square)
    }

    fn width(&self, column: usize, squares: usize) -> SfenError {
        SfenError::Width {
            column,
            rank: self.rank,
            squares,
        }
    }

    /// Whether the board is complete.
    fn finish(self) -> Result<(), SfenError> {
        let length = self.part.1.chars().count();
        if self.promoted {
            let expected = "a piece behind the plus";
            return Err(unexpected(self.part, length - 1, '+', "board", expected));
        }
        if self.file != 0 {
            return Err(self.width(self.part.0 + length, 9 - self.file));
        }
        match self.rank {
            9 => Ok(()),
            rank => Err(SfenError::Height(rank)),
        }
    }
}

fn read_turn(part: SfenField<'_>) -> Result<Color, SfenError> {
    match part.1 {
        "b" => Ok(Color::Black),
        "w" => Ok(Color::White),
        text => {
            let found = text.chars().find(|&c| c != 'b' && c != 'w').unwrap_or('b');
            let offset = text.chars().position(|c| c == found).unwrap_or(0);
            Err(unexpected(part, offset, found, "turn", "b or w alone"))
        }
    }
}

fn read_hands(part: SfenField<'_>, setup: &mut Setup) -> Result<(), SfenError> {
    const EXPECTED: &str = "- or counts and pieces such as R2Pb";
    let (start, text) = part;
    if text == "-" {
        return Ok(());
    }
    let mut count: Option<u32> = None;
    for (offset, found) in text.chars().enumerate() {
        let column = start + offset + 1;
        if let Some(digit) = found.to_digit(10) {
            let sum = count.unwrap_or(0) * 10 + digit;
            if sum == 0 || sum > 18 {
                return Err(SfenError::Count { column, count: sum });
            }
            count = Some(sum);
            continue;
        }
        let kind = PieceKind::from_letter(found.to_ascii_uppercase())
            .filter(|kind| kind.is_hand_kind())
            .ok_or_else(|| unexpected(part, offset, found, "hands", EXPECTED))?;
        let color = if found.is_ascii_lowercase() {
            Color::White
        } else {
            Color::Black
        };
        let sum = setup.hands[color].count(kind) + count.take().unwrap_or(1);
        if sum > kind.full_count() {
            return Err(SfenError::Count { column, count: sum });
        }
        setup.hands[color] = setup.hands[color].with(kind, sum);
    }
    match count {
        Some(count) => Err(SfenError::Count {
            column: start + text.chars().count(),
            count,
        }),
        None => Ok(()),
    }
}

fn read_ply(text: &str) -> Result<u16, SfenError> {
    // Some programs count from 0 when they do not know the number: read it as the first move.
    match text.parse::<u16>() {
        Ok(0) => Ok(1),
        Ok(ply) if ply <= 32_767 => Ok(ply),
        _ => Err(SfenError::Ply(text.chars().take(16).collect())),
    }
}
