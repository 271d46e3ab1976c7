//! Pieces, moves and start positions in the letters of CSA.

use crate::error::ReadProblem;
use crate::names::quoted;
use std::fmt::Write;
use tesuji_shogi::{Color, Move, Piece, PieceKind, Position, Setup, Square};

/// `+` for Black, `-` for White.
pub(super) const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// The side for a sign.
pub(super) const fn color_of(sign: u8) -> Option<Color> {
    match sign {
        b'+' => Some(Color::Black),
        b'-' => Some(Color::White),
        _ => None,
    }
}

/// Two letters for a kind.
pub(crate) const fn letters(kind: PieceKind) -> &'static str {
    use PieceKind::*;
    match kind {
        Pawn => "FU",
        Lance => "KY",
        Knight => "KE",
        Silver => "GI",
        Gold => "KI",
        Bishop => "KA",
        Rook => "HI",
        King => "OU",
        PromotedPawn => "TO",
        PromotedLance => "NY",
        PromotedKnight => "NK",
        PromotedSilver => "NG",
        Horse => "UM",
        Dragon => "RY",
    }
}

/// The kind for two letters.
pub fn kind_of(letters_of_it: &str) -> Option<PieceKind> {
    PieceKind::ALL
        .into_iter()
        .find(|&kind| letters(kind) == letters_of_it)
}

/// A move in the letters of CSA and of its server protocol: `+7776FU`. The piece is the one after
/// the move.
///
/// ```
/// use tesuji_shogi::Position;
/// let pos = Position::start();
/// assert_eq!(tesuji_record::csa::write_move(&pos, "7g7f".parse().unwrap()), "+7776FU");
/// ```
pub fn write_move(pos: &Position, mv: Move) -> String {
    let to = mv.to();
    let (from, kind) = match mv.from() {
        None => ("00".into(), mv.dropped()),
        Some(from) => {
            let kind = pos.at(from).map(Piece::kind);
            let kind = match mv.is_promotion() {
                true => kind.and_then(|kind| kind.promoted().or(Some(kind))),
                false => kind,
            };
            (format!("{}{}", from.file(), from.rank()), kind)
        }
    };
    let kind = kind.map_or("FU", letters);
    format!("{}{from}{}{}{kind}", sign(pos.turn()), to.file(), to.rank())
}

/// The start position in CSA lines: the board, the hands, the side to move.
pub fn write_position(pos: &Position) -> String {
    let mut text = String::new();
    for rank in 1..=9 {
        let _ = write!(text, "P{rank}");
        for file in (1..=9).rev() {
            match Square::at(file, rank).and_then(|square| pos.at(square)) {
                None => text += " * ",
                Some(piece) => {
                    text.push(sign(piece.color()));
                    text += letters(piece.kind());
                }
            }
        }
        text.push('\n');
    }
    for color in Color::ALL {
        if pos.hand(color).is_empty() {
            continue;
        }
        let _ = write!(text, "P{}", sign(color));
        for (kind, count) in pos.hand(color).iter() {
            for _ in 0..count {
                let _ = write!(text, "00{}", letters(kind));
            }
        }
        text.push('\n');
    }
    text.push(sign(pos.turn()));
    text.push('\n');
    text
}

/// A start position while its lines come in.
#[derive(Default)]
pub(super) struct CsaStart {
    setup: Setup,
    pub(super) begun: bool,
}

impl CsaStart {
    /// Takes a statement that begins with `P`.
    pub(super) fn take(&mut self, statement: &str) -> Result<(), ReadProblem> {
        self.begun = true;
        let wrong = |what| ReadProblem::Board(quoted(statement), what);
        let bytes = statement.as_bytes();
        if !statement.is_ascii() {
            return Err(wrong("CSA letters"));
        }
        match bytes.get(1) {
            Some(b'I') => {
                self.setup = Setup::start();
                let removed = statement[2..].trim_end();
                for piece in chunks(removed, 4).ok_or_else(|| wrong("pieces such as 82HI"))? {
                    self.remove(piece)
                        .ok_or_else(|| wrong("pieces that stand there, such as 82HI"))?;
                }
                Ok(())
            }
            Some(rank @ b'1'..=b'9') => self
                .rank(rank - b'0', &statement[2..])
                .ok_or_else(|| wrong("nine squares such as +FU or ' * '")),
            Some(b'+' | b'-') => {
                let color = if bytes[1] == b'+' {
                    Color::Black
                } else {
                    Color::White
                };
                let list = statement[2..].trim_end();
                for piece in chunks(list, 4).ok_or_else(|| wrong("pieces such as 00FU"))? {
                    self.place(color, piece)
                        .ok_or_else(|| wrong("pieces such as 77FU, 00FU or 00AL"))?;
                }
                Ok(())
            }
            _ => Err(wrong("PI, P1 to P9, P+ or P-")),
        }
    }

    fn remove(&mut self, text: &str) -> Option<()> {
        let square = square(&text[..2])?;
        let kind = kind_of(&text[2..])?;
        if self.setup.board[square]?.kind() != kind {
            return None;
        }
        self.setup.board[square] = None;
        Some(())
    }

    fn rank(&mut self, rank: u8, text: &str) -> Option<()> {
        // The space behind the last empty square is often lost; some write one space too few
        // before it.
        let padded = format!("{text:27}");
        if padded.len() > 27 && !padded[27..].trim().is_empty() {
            return None;
        }
        for (place, file) in (1..=9).rev().enumerate() {
            let piece = &padded[place * 3..place * 3 + 3];
            self.setup.board[Square::at(file, rank)?] = match piece.trim() {
                "*" | "" => None,
                _ => Some(Piece::new(
                    color_of(piece.as_bytes()[0])?,
                    kind_of(&piece[1..])?,
                )),
            };
        }
        Some(())
    }

    fn place(&mut self, color: Color, text: &str) -> Option<()> {
        if text == "00AL" {
            self.take_all(color);
            return Some(());
        }
        let kind = kind_of(&text[2..])?;
        if &text[..2] == "00" {
            let count = self.setup.hands[color].count(kind) + 1;
            if !kind.is_hand_kind() || count > kind.full_count() {
                return None;
            }
            self.setup.hands[color] = self.setup.hands[color].with(kind, count);
        } else {
            self.setup.board[square(&text[..2])?] = Some(Piece::new(color, kind));
        }
        Some(())
    }

    /// All pieces of a set that are nowhere yet go into one hand; kings do not.
    fn take_all(&mut self, color: Color) {
        for kind in PieceKind::HAND {
            let on_board = self
                .setup
                .board
                .0
                .iter()
                .flatten()
                .filter(|piece| piece.base() == kind);
            let used = on_board.count() as u32 + self.setup.hands[color.foe()].count(kind);
            let rest = kind.full_count().saturating_sub(used);
            self.setup.hands[color] = self.setup.hands[color].with(kind, rest);
        }
    }

    /// The position, once it is known who moves first.
    pub(super) fn build(&self, turn: Color) -> Result<Position, ReadProblem> {
        let mut setup = if self.begun {
            self.setup.clone()
        } else {
            Setup::start()
        };
        setup.turn = turn;
        Ok(setup.build()?)
    }
}

fn chunks(text: &str, size: usize) -> Option<Vec<&str>> {
    text.len().is_multiple_of(size).then(|| {
        (0..text.len() / size)
            .map(|place| &text[place * size..(place + 1) * size])
            .collect()
    })
}

/// The square for two digits.
pub(super) fn square(text: &str) -> Option<Square> {
    match *text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Square::at(file - b'0', rank - b'0'),
        _ => None,
    }
}
