//! Rows of the tables and what they mean. Any file may hold anything: whatever is no position, move or
//! source is said.

use crate::codec::unpack;
use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookPlace, BookProblem, quoted};
use crate::graph::BookSource;
use crate::repetition_rule::RepetitionRule;
use sqlx::Sqlite;
use sqlx::query_builder::Separated;
use tesuji_record::packed::Packed;
use tesuji_shogi::Move;

/// id, key, ply, challenges, whether games begin here (bit 0) and by which rule of repetition (the next
/// two), whether it is a proven win.
pub(super) type PositionRow = (i64, Vec<u8>, i64, i64, i64, i64);
/// id, kind, engine, nodes.
pub(super) type SourceRow = (i64, String, String, i64);
/// The position, the move, the reply, value, depth, count, won, lost, comment, and the source.
pub(super) type MoveRow = (
    i64,
    String,
    String,
    i64,
    i64,
    i64,
    i64,
    i64,
    String,
    String,
    String,
    i64,
);

pub(super) const POSITION: &str = "\
SELECT id, key, ply, challenges, is_start, is_proven_win FROM book_position WHERE key = $1";

pub(super) const NEXT_POSITIONS: &str = "\
SELECT id, key, ply, challenges, is_start, is_proven_win FROM book_position
WHERE id > $1 ORDER BY id LIMIT $2";

pub(super) const MOVES: &str = "\
SELECT m.position, m.move, m.ponder, m.value, m.depth, m.count, m.won, m.lost, m.comment,
    s.kind, s.engine, s.nodes
FROM book_move m JOIN book_source s ON s.id = m.source
WHERE m.position BETWEEN $1 AND $2 ORDER BY m.position, m.place";

pub(super) const PUT_POSITIONS: &str =
    "INSERT INTO book_position (id, key, ply, challenges, is_start, is_proven_win) ";

pub(super) const OR_REPLACE_POSITIONS: &str = " \
ON CONFLICT (id) DO UPDATE SET ply = excluded.ply, challenges = excluded.challenges,
    is_start = excluded.is_start, is_proven_win = excluded.is_proven_win";

pub(super) const PUT_MOVES: &str = "INSERT INTO book_move \
(position, move, place, ponder, value, depth, count, won, lost, comment, source) ";

pub(super) const OR_REPLACE_MOVES: &str = " \
ON CONFLICT (position, move) DO UPDATE SET place = excluded.place, ponder = excluded.ponder,
    value = excluded.value, depth = excluded.depth, count = excluded.count, won = excluded.won,
    lost = excluded.lost, comment = excluded.comment, source = excluded.source";

/// What is written for giving up.
const RESIGN: &str = "resign";

/// A large number as a column has it: there is room for one bit less.
fn wide(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn bind_position(
    mut row: Separated<'_, Sqlite, &'static str>,
    (id, key, entry): (i64, Packed, &BookEntry),
) {
    row.push_bind(id);
    row.push_bind(key.to_vec());
    row.push_bind(i64::from(entry.pos.ply()));
    row.push_bind(i64::from(entry.challenges));
    let rule = entry.repetition.map_or(0, RepetitionRule::code);
    row.push_bind(i64::from(entry.is_start) | i64::from(rule) << 1);
    row.push_bind(i64::from(entry.is_proven_win));
}

pub(super) fn bind_move(
    mut row: Separated<'_, Sqlite, &'static str>,
    &(position, place, book_move, source): &(i64, usize, &BookMove, i64),
) {
    let text = |mv: Option<Move>| mv.map(|mv| mv.to_string());
    row.push_bind(position);
    row.push_bind(text(book_move.mv).unwrap_or_else(|| RESIGN.into()));
    row.push_bind(wide(place as u64));
    row.push_bind(text(book_move.ponder).unwrap_or_default());
    row.push_bind(i64::from(book_move.value));
    row.push_bind(i64::from(book_move.depth));
    row.push_bind(wide(book_move.count));
    row.push_bind(i64::from(book_move.won));
    row.push_bind(i64::from(book_move.lost));
    row.push_bind(book_move.comment.clone());
    row.push_bind(source);
}

/// The position of a row, without its moves.
pub(super) fn position(row: &PositionRow) -> Result<BookEntry, BookError> {
    let &(id, ref key, ply, challenges, is_start, is_proven_win) = row;
    let wrong = |problem: BookProblem| problem.at(BookPlace::Record(id.unsigned_abs()));
    let key = key.as_slice().try_into();
    let key = key.map_err(|_| wrong(BookProblem::Short("a position has 32 bytes")))?;
    let ply = u16::try_from(ply.max(1)).unwrap_or(u16::MAX);
    let mut entry = BookEntry::new(unpack(key, ply).map_err(wrong)?, Vec::new());
    entry.challenges = small(challenges);
    (entry.is_start, entry.is_proven_win) = (is_start != 0, is_proven_win != 0);
    entry.repetition = RepetitionRule::of_code((is_start >> 1 & 3) as u8);
    Ok(entry)
}

fn small(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

fn signed(number: i64) -> i32 {
    number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

pub(super) fn book_move(row: MoveRow) -> Result<BookMove, BookError> {
    let (id, mv, ponder, value, depth, count, won, lost, comment, kind, engine, nodes) = row;
    let parse = |text: &str| {
        let mv = text.parse::<Move>();
        let wrong = |_| BookProblem::Move(quoted(text)).at(BookPlace::Record(id.unsigned_abs()));
        mv.map(Some).map_err(wrong)
    };
    Ok(BookMove {
        mv: if mv == RESIGN { None } else { parse(&mv)? },
        ponder: if ponder.is_empty() {
            None
        } else {
            parse(&ponder)?
        },
        value: signed(value),
        depth: signed(depth),
        count: count.max(0).unsigned_abs(),
        won: small(won),
        lost: small(lost),
        comment,
        source: source(&kind, engine, nodes)?,
    })
}

pub(super) fn source_row(source: &BookSource) -> (&'static str, &str, i64) {
    match source {
        BookSource::Unknown => ("unknown", "", 0),
        BookSource::Person => ("person", "", 0),
        BookSource::Games => ("games", "", 0),
        BookSource::Proof => ("proof", "", 0),
        BookSource::Transposition => ("transposition", "", 0),
        BookSource::Search { engine, nodes } => ("search", engine, wide(*nodes)),
    }
}

pub(super) fn source(kind: &str, engine: String, nodes: i64) -> Result<BookSource, BookError> {
    Ok(match kind {
        "unknown" => BookSource::Unknown,
        "person" => BookSource::Person,
        "games" => BookSource::Games,
        "proof" => BookSource::Proof,
        "transposition" => BookSource::Transposition,
        "search" => BookSource::Search {
            engine,
            nodes: nodes.max(0).unsigned_abs(),
        },
        kind => {
            let what = format!("{:?} is no source of a value", quoted(kind));
            return Err(BookProblem::Database(what).at(BookPlace::File));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many rows as asked for by TESUJI_FUZZ, ten thousand otherwise.
    #[test]
    fn no_row_makes_the_reader_panic() {
        let count = std::env::var("TESUJI_FUZZ").ok();
        let count = count.and_then(|text| text.parse().ok()).unwrap_or(10_000);
        let mut dice = fastrand::Rng::with_seed(3);
        let words = [
            "",
            "7g7f",
            "resign",
            "P*5e",
            "8h2b+",
            "search",
            "person",
            "\0",
            "７六歩",
        ];
        let mut key = crate::codec::pack(&tesuji_shogi::Position::start())
            .unwrap()
            .to_vec();
        let (mut good, mut bad) = (0, 0);
        for _ in 0..count {
            let mut number = || dice.i64(..) >> dice.u32(..64);
            let numbers = [(); 7].map(|()| number());
            let mut word = || {
                let mut word = words[dice.usize(..words.len())].to_owned();
                if dice.u8(..4) == 0 {
                    word.push(dice.char(..));
                }
                word
            };
            let texts = [(); 5].map(|()| word());
            if dice.u8(..8) == 0 {
                key = crate::codec::pack(&tesuji_shogi::Position::start())
                    .unwrap()
                    .to_vec();
            }
            let place = dice.usize(..key.len());
            key[place] ^= 1 << dice.u8(..8);
            let [id, ply, a, b, c, d, e] = numbers;
            let found = position(&(id, key.clone(), ply, a, b, c)).is_ok();
            let [mv, ponder, comment, kind, engine] = texts;
            let row = (id, mv, ponder, ply, a, b, c, d, comment, kind, engine, e);
            let found = found | book_move(row).is_ok();
            *(if found { &mut good } else { &mut bad }) += 1;
        }
        assert!(good > 0 && bad > 0, "{good} good, {bad} bad");
    }
}
