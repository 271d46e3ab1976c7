//! An entry as bytes: what the own store and the temporary files of a sort hold.

use crate::entry::{BookEntry, BookMove};
use crate::error::BookProblem;
use crate::graph::BookSource;
use crate::repetition_rule::RepetitionRule;
use tesuji_record::packed::{Packed, PackedLayout};
use tesuji_shogi::{Move, Position};

const SHORT: BookProblem = BookProblem::Short("an entry breaks off");
const IS_START: u64 = 1;
const IS_PROVEN_WIN: u64 = 2;
/// From this bit on the rule of repetition.
const RULE_SHIFT: u32 = 2;
/// Added to the number of a source: games won and lost follow.
const HAS_RESULTS: u64 = 8;

/// The 32 bytes of a position.
///
/// # Errors
/// If it has not two kings.
pub(crate) fn pack(pos: &Position) -> Result<Packed, BookProblem> {
    Ok(PackedLayout::PackedSfen.pack(pos)?)
}

/// The position of 32 bytes, with a move number.
///
/// # Errors
/// If they are none.
pub(crate) fn unpack(key: &Packed, ply: u16) -> Result<Position, BookProblem> {
    let mut setup = PackedLayout::PackedSfen.unpack_setup(key)?;
    setup.ply = ply;
    let pos = setup.build();
    pos.map_err(|error| BookProblem::Unpack(error.into()))
}

/// The bytes of an entry; the first 32 are the packed position.
///
/// # Errors
/// If the position cannot be packed.
pub(crate) fn encode(entry: &BookEntry) -> Result<Vec<u8>, BookProblem> {
    let mut bytes = pack(&entry.pos)?.to_vec();
    let rule = entry.repetition.map_or(0, RepetitionRule::code);
    let flags = (u64::from(entry.is_start) * IS_START)
        | (u64::from(entry.is_proven_win) * IS_PROVEN_WIN)
        | u64::from(rule) << RULE_SHIFT;
    put(&mut bytes, entry.pos.ply().into());
    put(&mut bytes, flags);
    put(&mut bytes, entry.challenges.into());
    put(&mut bytes, entry.moves.len() as u64);
    for book_move in &entry.moves {
        let bits = |mv: Option<Move>| mv.map_or(0, |mv| u64::from(mv.bits()));
        put(&mut bytes, bits(book_move.mv));
        put(&mut bytes, bits(book_move.ponder));
        put(&mut bytes, zigzag(book_move.value));
        put(&mut bytes, zigzag(book_move.depth));
        put(&mut bytes, book_move.count);
        put_text(&mut bytes, &book_move.comment);
        put_source(&mut bytes, book_move);
    }
    Ok(bytes)
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

fn put_source(bytes: &mut Vec<u8>, book_move: &BookMove) {
    let source = &book_move.source;
    let number = match source {
        BookSource::Unknown => 0,
        BookSource::Person => 1,
        BookSource::Games => 2,
        BookSource::Proof => 3,
        BookSource::Transposition => 4,
        BookSource::Search { .. } => 5,
    };
    let has_results = book_move.won > 0 || book_move.lost > 0;
    put(bytes, number + u64::from(has_results) * HAS_RESULTS);
    if let BookSource::Search { engine, nodes } = source {
        put_text(bytes, engine);
        put(bytes, *nodes);
    }
    if has_results {
        put(bytes, book_move.won.into());
        put(bytes, book_move.lost.into());
    }
}

fn zigzag(number: i32) -> u64 {
    ((i64::from(number) << 1) ^ (i64::from(number) >> 63)) as u64
}

/// The entry of bytes that [`encode`] made, or what is wrong with them.
///
/// # Errors
/// If they are no entry.
pub(crate) fn decode(bytes: &[u8]) -> Result<BookEntry, BookProblem> {
    let (key, rest) = bytes.split_first_chunk().ok_or(SHORT)?;
    let mut rest = Bytes(rest);
    let ply = u16::try_from(rest.number()?).unwrap_or(u16::MAX).max(1);
    let pos = unpack(key, ply)?;
    let mut entry = BookEntry::new(pos, Vec::new());
    let flags = rest.number()?;
    entry.is_start = flags & IS_START != 0;
    entry.is_proven_win = flags & IS_PROVEN_WIN != 0;
    entry.repetition = RepetitionRule::of_code((flags >> RULE_SHIFT & 3) as u8);
    entry.challenges = u32::try_from(rest.number()?).unwrap_or(u32::MAX);
    for _ in 0..rest.number()? {
        entry.moves.push(rest.book_move()?);
    }
    Ok(entry)
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn number(&mut self) -> Result<u64, BookProblem> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(SHORT)?;
            self.0 = rest;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(SHORT)
    }

    fn signed(&mut self) -> Result<i32, BookProblem> {
        let number = self.number()?;
        let signed = (number >> 1) as i64 ^ -((number & 1) as i64);
        Ok(signed.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }

    fn text(&mut self) -> Result<&'a str, BookProblem> {
        let length = usize::try_from(self.number()?).map_err(|_| SHORT)?;
        let (text, rest) = self.0.split_at_checked(length).ok_or(SHORT)?;
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| SHORT)
    }

    fn mv(&mut self) -> Result<Option<Move>, BookProblem> {
        match self.number()? {
            0 => Ok(None),
            bits => {
                let short = u16::try_from(bits).ok().and_then(Move::from_bits);
                short.map(Some).ok_or(BookProblem::Bits(bits as u32))
            }
        }
    }

    fn book_move(&mut self) -> Result<BookMove, BookProblem> {
        let mut book_move = BookMove {
            mv: self.mv()?,
            ponder: self.mv()?,
            value: self.signed()?,
            depth: self.signed()?,
            count: self.number()?,
            comment: self.text()?.into(),
            ..BookMove::default()
        };
        let number = self.number()?;
        book_move.source = self.source(number & !HAS_RESULTS)?;
        if number & HAS_RESULTS != 0 {
            let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
            book_move.won = count(self.number()?);
            book_move.lost = count(self.number()?);
        }
        Ok(book_move)
    }

    fn source(&mut self, number: u64) -> Result<BookSource, BookProblem> {
        Ok(match number {
            0 => BookSource::Unknown,
            1 => BookSource::Person,
            2 => BookSource::Games,
            3 => BookSource::Proof,
            4 => BookSource::Transposition,
            5 => BookSource::Search {
                engine: self.text()?.into(),
                nodes: self.number()?,
            },
            _ => return Err(SHORT),
        })
    }
}
