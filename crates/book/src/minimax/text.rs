//! The lines of a text book, byte by byte, into places that are there already. Whatever is not as
//! programs write it is left to the reader that can say what is wrong with it.

use crate::numbers::TERMS;
use tesuji_shogi::{Color, Hand, Move, Piece, PieceKind, Setup, Square};

/// What is left of a text.
pub(super) struct BookText<'a>(pub(super) &'a [u8]);

/// A line of a text book.
pub(super) enum TextLine {
    /// A position follows.
    Position,
    /// A move follows.
    Move,
    /// There is nothing more.
    End,
}

/// A position that was read.
pub(super) struct TextPosition {
    pub(super) number: u128,
    /// Whether it was turned round.
    pub(super) is_turned: bool,
}

/// The columns of a move.
pub(super) struct TextMove {
    /// The move; `None` is resigning.
    pub(super) mv: Option<Move>,
    pub(super) value: i32,
    pub(super) depth: i32,
    pub(super) count: u64,
}

/// Where the n-th square of a line of text lies.
const SQUARES: [Square; Square::COUNT] = {
    let first = Square::at(9, 1).expect("a corner");
    let mut squares = [first; Square::COUNT];
    let mut place = 0;
    while place < Square::COUNT {
        let (file, rank) = (9 - place as u8 % 9, place as u8 / 9 + 1);
        squares[place] = Square::at(file, rank).expect("nine files and nine ranks");
        place += 1;
    }
    squares
};

/// The piece of a letter, unpromoted and promoted.
const PIECES: [[Option<Piece>; 128]; 2] = {
    let mut pieces = [[None; 128]; 2];
    let mut letter = 0;
    while letter < 128 {
        let byte = letter as u8;
        if let Some(kind) = PieceKind::from_letter(byte.to_ascii_uppercase() as char) {
            let color = match byte.is_ascii_lowercase() {
                true => Color::White,
                false => Color::Black,
            };
            pieces[0][letter] = Some(Piece::new(color, kind));
            if let Some(promoted) = kind.promoted() {
                pieces[1][letter] = Some(Piece::new(color, promoted));
            }
        }
        letter += 1;
    }
    pieces
};

impl<'a> BookText<'a> {
    fn peek(&self) -> Option<u8> {
        self.0.first().copied()
    }

    fn skip(&mut self, bytes: usize) {
        self.0 = self.0.get(bytes..).unwrap_or_default();
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        let rest = self.0.strip_prefix(&[byte])?;
        self.0 = rest;
        Some(())
    }

    /// Goes behind the end of this line.
    fn skip_line(&mut self) {
        // A search for one byte that the library does many at a time.
        let _ = std::io::BufRead::skip_until(&mut self.0, b'\n');
    }

    /// Goes to the next line that has something in it.
    pub(super) fn line(&mut self) -> TextLine {
        loop {
            match self.0 {
                [] => return TextLine::End,
                [b's', b'f', b'e', b'n', b' ', rest @ ..] => {
                    self.0 = rest;
                    return TextLine::Position;
                }
                [b'#' | b'\n', ..] | [b'\r', b'\n', ..] => self.skip_line(),
                _ => return TextLine::Move,
            }
        }
    }

    /// Goes behind moves that nobody wants to know.
    pub(super) fn skip_move(&mut self) {
        self.skip_line();
    }

    /// The word up to the next space or the end of the line.
    fn word(&mut self) -> &'a [u8] {
        let ends = |&byte: &u8| matches!(byte, b' ' | b'\n' | b'\r');
        let end = self.0.iter().position(ends).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    /// The end of a line; `None` if there is more in it.
    fn end_line(&mut self) -> Option<()> {
        if self.peek() == Some(b'\r') {
            self.skip(1);
        }
        match self.peek() {
            None => Some(()),
            Some(_) => self.take(b'\n'),
        }
    }

    /// The position that follows, turned round if `turns` says so of whoever moves; and its number.
    pub(super) fn position(
        &mut self,
        setup: &mut Setup,
        turns: impl Fn(Color) -> bool,
    ) -> Option<TextPosition> {
        let board = self.word();
        self.take(b' ')?;
        let turn = match self.word() {
            b"b" => Color::Black,
            b"w" => Color::White,
            _ => return None,
        };
        self.take(b' ')?;
        let hands = self.word();
        setup.ply = match self.take(b' ') {
            Some(()) => self.ply()?,
            None => 1,
        };
        self.end_line()?;
        let is_turned = turns(turn);
        let number = read_board(board, is_turned, setup)?;
        setup.hands.0 = read_hands(hands)?;
        setup.turn = turn;
        if is_turned {
            setup.hands.0.swap(0, 1);
            setup.turn = turn.foe();
        }
        let [black, white] = setup.hands.0;
        Some(TextPosition {
            number: number ^ TERMS.off_board(setup.turn, black, white),
            is_turned,
        })
    }

    fn ply(&mut self) -> Option<u16> {
        match unsigned(self.word())? {
            0 => Some(1),
            ply @ 1..=32_767 => Some(ply as u16),
            _ => None,
        }
    }

    /// The move that follows.
    pub(super) fn book_move(&mut self) -> Option<TextMove> {
        let mv = match self.word() {
            b"resign" => None,
            word => Some(read_move(word)?),
        };
        let mut found = TextMove {
            mv,
            value: 0,
            depth: 0,
            count: 1,
        };
        if self.take(b' ').is_some() {
            match self.word() {
                b"none" | b"resign" => {}
                word => {
                    read_move(word)?;
                }
            }
        }
        if self.take(b' ').is_some() {
            found.value = signed(self.word())?;
        }
        if self.take(b' ').is_some() {
            found.depth = signed(self.word())?;
        }
        if self.take(b' ').is_some() {
            found.count = unsigned(self.word())?;
        }
        self.end_line()?;
        Some(found)
    }
}

/// Puts the pieces of a text onto the board, and says what they add to the number.
fn read_board(text: &[u8], is_turned: bool, setup: &mut Setup) -> Option<u128> {
    let board = &mut setup.board.0;
    board.fill(None);
    // Squares in the order of the text; turned round, the last one comes first.
    let (mut place, mut rank_end, mut row, mut number) = (0, 9, 0, 0);
    for &byte in text {
        match byte {
            b'1'..=b'9' if row == 0 => place += usize::from(byte - b'0'),
            b'/' if row == 0 && place == rank_end => rank_end += 9,
            b'+' if row == 0 => row = 1,
            _ => {
                let piece = (*PIECES[row].get(usize::from(byte))?)?;
                row = 0;
                let square = *SQUARES.get(place).filter(|_| place < rank_end)?;
                let (square, piece) = match is_turned {
                    true => (square.rotated(), piece.inverse()),
                    false => (square, piece),
                };
                board[square.index()] = Some(piece);
                number ^= TERMS.on(Some(piece), square);
                place += 1;
            }
        }
        if place > rank_end {
            return None;
        }
    }
    (place == Square::COUNT && rank_end == Square::COUNT && row == 0).then_some(number)
}

fn read_hands(text: &[u8]) -> Option<[Hand; 2]> {
    let mut hands = [Hand::EMPTY; 2];
    if text == b"-" {
        return Some(hands);
    }
    let mut count = 0;
    for &byte in text {
        if byte.is_ascii_digit() {
            count = count * 10 + u32::from(byte - b'0');
            if !(1..=18).contains(&count) {
                return None;
            }
            continue;
        }
        let piece = (*PIECES[0].get(usize::from(byte))?)?;
        let (kind, hand) = (piece.kind(), &mut hands[piece.color().index()]);
        let sum = hand.count(kind) + std::mem::take(&mut count).max(1);
        if !kind.is_hand_kind() || sum > kind.full_count() {
            return None;
        }
        *hand = hand.with(kind, sum);
    }
    (count == 0 && !text.is_empty()).then_some(hands)
}

fn read_move(word: &[u8]) -> Option<Move> {
    let square = |file: u8, rank: u8| Square::at(file.wrapping_sub(b'0'), rank.wrapping_sub(b'`'));
    match *word {
        [letter, b'*', file, rank] => {
            let kind = PieceKind::from_letter(letter as char).filter(|kind| kind.is_hand_kind())?;
            Some(Move::drop(kind, square(file, rank)?))
        }
        [a, b, file, rank, ref plus @ ..] => {
            let (from, to) = (square(a, b)?, square(file, rank)?);
            match plus {
                _ if from == to => None,
                [] => Some(Move::board(from, to)),
                [b'+'] => Some(Move::promotion(from, to)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn unsigned(word: &[u8]) -> Option<u64> {
    if word.is_empty() || word.len() > 18 {
        return None;
    }
    word.iter().try_fold(0, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        Some(number * 10 + digit)
    })
}

fn signed(word: &[u8]) -> Option<i32> {
    let (digits, is_negative) = match word.strip_prefix(b"-") {
        Some(digits) => (digits, true),
        None => (word, false),
    };
    let number = i64::try_from(unsigned(digits)?).ok()?;
    let number = if is_negative { -number } else { number };
    i32::try_from(number).ok()
}

/// Writes board, turn and hands as [`tesuji_shogi::Position::to_sfen_without_ply`] does.
pub(super) fn write_position(setup: &Setup, text: &mut Vec<u8>) {
    let mut empty = 0;
    for (place, square) in SQUARES.iter().enumerate() {
        let piece = setup.board.0[square.index()];
        let is_rank_start = place % 9 == 0;
        if empty > 0 && (piece.is_some() || is_rank_start) {
            text.push(b'0' + std::mem::take(&mut empty));
        }
        if is_rank_start && place > 0 {
            text.push(b'/');
        }
        match piece {
            Some(piece) => write_piece(piece, text),
            None => empty += 1,
        }
    }
    if empty > 0 {
        text.push(b'0' + empty);
    }
    text.extend_from_slice(match setup.turn {
        Color::Black => b" b ",
        Color::White => b" w ",
    });
    let before = text.len();
    for color in Color::ALL {
        write_hand(color, setup.hands[color], text);
    }
    if text.len() == before {
        text.push(b'-');
    }
}

fn write_hand(color: Color, hand: Hand, text: &mut Vec<u8>) {
    use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
    if hand.is_empty() {
        return;
    }
    for kind in [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn] {
        match hand.count(kind) {
            0 => continue,
            1 => {}
            count => write_number(count.into(), text),
        }
        write_piece(Piece::new(color, kind), text);
    }
}

fn write_piece(piece: Piece, text: &mut Vec<u8>) {
    if piece.kind().is_promoted() {
        text.push(b'+');
    }
    let letter = piece.kind().letter() as u8;
    text.push(match piece.color() {
        Color::Black => letter,
        Color::White => letter.to_ascii_lowercase(),
    });
}

/// Writes a move as USI does.
pub(super) fn write_move(mv: Move, text: &mut Vec<u8>) {
    let square = |square: Square, text: &mut Vec<u8>| {
        text.extend_from_slice(&[b'0' + square.file(), b'`' + square.rank()]);
    };
    match (mv.dropped(), mv.from()) {
        (Some(kind), _) => text.extend_from_slice(&[kind.letter() as u8, b'*']),
        (None, Some(from)) => square(from, text),
        (None, None) => {}
    }
    square(mv.to(), text);
    if mv.is_promotion() {
        text.push(b'+');
    }
}

/// Writes a number.
pub(super) fn write_number(number: i64, text: &mut Vec<u8>) {
    if number < 0 {
        text.push(b'-');
    }
    let (mut digits, mut left, mut start) = ([0; 20], number.unsigned_abs(), 20);
    loop {
        start -= 1;
        digits[start] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}
