//! SBK, the format of the books that ShogiGUI edits: states and moves between them, as Protocol
//! Buffers.
//!
//! Only some states name their position; the others follow from the moves that lead to them. The
//! whole file is therefore held in memory while it is read.

use super::protobuf::{Field, Fields, Message};
use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookPlace, BookProblem};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{self, Write};
use tesuji_shogi::{Color, Move, PieceKind, Position, Square};

#[derive(Clone, Debug, Default)]
struct SbkState {
    id: i64,
    position: Option<String>,
    comment: String,
    moves: Vec<StateMove>,
    /// Value, depth and the line of each evaluation.
    value: Option<(i64, i64)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct StateMove {
    bits: u32,
    weight: i64,
    next: i64,
}

/// Reads a book. Every state that can be reached becomes an entry; the number of those that cannot
/// is the second thing that is told.
///
/// # Errors
/// If the bytes are no book of this kind.
pub fn read(bytes: &[u8]) -> Result<(Vec<BookEntry>, usize), BookError> {
    let mut states: HashMap<i64, SbkState> = HashMap::new();
    let mut order = Vec::new();
    let mut fields = Fields(bytes);
    let at = |problem: BookProblem, order: &Vec<i64>| {
        problem.at(BookPlace::Record(order.len() as u64 + 1))
    };
    while let Some((number, field)) = fields.next().map_err(|problem| at(problem, &order))? {
        if let (3, Field::Bytes(bytes)) = (number, field) {
            let state = read_state(bytes).map_err(|problem| at(problem, &order))?;
            order.push(state.id);
            states.insert(state.id, state);
        }
    }
    if order.is_empty() && !bytes.is_empty() {
        let what = "it has no positions".to_owned();
        return Err(BookProblem::Kind("SBK book", what).at(BookPlace::File));
    }
    place(&states, &order)
}

fn read_state(bytes: &[u8]) -> Result<SbkState, BookProblem> {
    let mut state = SbkState::default();
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Number(id)) => state.id = id as i64,
            (7, Field::Bytes(text)) => state.position = Some(text_of(text)),
            (8, Field::Bytes(text)) => state.comment = text_of(text),
            (9, Field::Bytes(bytes)) => state.moves.push(read_move(bytes)?),
            (10, Field::Bytes(bytes)) => state.value = Some(read_value(bytes)?),
            _ => {}
        }
    }
    Ok(state)
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read_move(bytes: &[u8]) -> Result<StateMove, BookProblem> {
    let mut found = StateMove {
        next: -1,
        ..StateMove::default()
    };
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        if let Field::Number(value) = field {
            match number {
                1 => found.bits = value as u32,
                3 => found.weight = value as i64,
                // Written as 32 bits by some: -1 is then a large number.
                4 => found.next = i64::from(value as i32),
                _ => {}
            }
        }
    }
    Ok(found)
}

fn read_value(bytes: &[u8]) -> Result<(i64, i64), BookProblem> {
    let (mut value, mut depth) = (0, 0);
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Number(number)) => value = i64::from(number as i32),
            (2, Field::Number(number)) => depth = i64::from(number as i32),
            _ => {}
        }
    }
    Ok((value, depth))
}

/// Finds the positions of all states that can be reached.
fn place(
    states: &HashMap<i64, SbkState>,
    order: &[i64],
) -> Result<(Vec<BookEntry>, usize), BookError> {
    let mut positions: HashMap<i64, Position> = HashMap::new();
    let mut queue: VecDeque<i64> = VecDeque::new();
    for (number, id) in order.iter().enumerate() {
        if let Some(sfen) = states[id]
            .position
            .as_deref()
            .filter(|text| !text.is_empty())
        {
            let pos = Position::from_sfen(sfen).map_err(|error| {
                BookProblem::Sfen(error).at(BookPlace::Record(number as u64 + 1))
            })?;
            positions.insert(*id, pos);
            queue.push_back(*id);
        }
    }
    // A book that names no position begins with the usual one.
    if let (true, Some(&first)) = (queue.is_empty(), order.first()) {
        positions.insert(first, Position::start());
        queue.push_back(first);
    }
    while let Some(id) = queue.pop_front() {
        let mut pos = positions[&id].clone();
        for found in &states[&id].moves {
            let is_new = states.contains_key(&found.next) && !positions.contains_key(&found.next);
            if let Some(mv) = unpack(found.bits).filter(|_| is_new)
                && pos.try_play(mv).is_ok()
            {
                let child = pos.setup().build().expect("a sound position");
                positions.insert(found.next, child);
                queue.push_back(found.next);
                pos.undo();
            }
        }
    }
    let mut entries = Vec::new();
    for id in order {
        if let Some(pos) = positions.remove(id) {
            entries.push(entry(pos, &states[id], states));
        }
    }
    let lost = order.len() - entries.len();
    Ok((entries, lost))
}

/// The entry of a state. The value of a move is that of the state it leads to, seen from here.
fn entry(pos: Position, state: &SbkState, states: &HashMap<i64, SbkState>) -> BookEntry {
    let cut = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let moves = state.moves.iter().filter_map(|found| {
        let mut book_move = BookMove::new(unpack(found.bits)?);
        book_move.count = u64::try_from(found.weight).unwrap_or(0);
        if let Some((value, depth)) = states.get(&found.next).and_then(|state| state.value) {
            (book_move.value, book_move.depth) = (cut(-value), cut(depth));
        }
        Some(book_move)
    });
    let mut moves: Vec<BookMove> = moves.collect();
    if let Some(first) = moves.first_mut() {
        first.comment.clone_from(&state.comment);
    }
    BookEntry::new(pos, moves)
}

/// A move: ranks and files in half bytes, whether it promotes, the piece, the colour.
fn unpack(bits: u32) -> Option<Move> {
    let square = |at: u32| Square::at((bits >> (at + 4) & 15) as u8, (bits >> at & 15) as u8);
    let to = square(8)?;
    let is_drop = bits & 0xff == 0;
    let from = square(0);
    if is_drop {
        let place = (bits >> 24 & 7).checked_sub(1)?;
        let kind = *KINDS.get(place as usize)?;
        return Some(Move::drop(kind, to));
    }
    let from = from.filter(|&from| from != to)?;
    Some(match bits >> 19 & 1 {
        1 => Move::promotion(from, to),
        _ => Move::board(from, to),
    })
}

/// The pieces as the format numbers them, from 1; the king is 8.
const KINDS: [PieceKind; 7] = PieceKind::BY_VALUE;

fn pack(pos: &Position, mv: Move) -> u32 {
    let square = |square: Square| u32::from(square.file()) << 4 | u32::from(square.rank());
    let white = pos.turn() == Color::White;
    let piece = mv.from().and_then(|from| pos.at(from));
    let kind = piece.map(|piece| piece.kind()).or(mv.dropped());
    let base = kind.map_or(PieceKind::King, PieceKind::base);
    let place = KINDS.iter().position(|&kind| kind == base);
    let mut number = place.map_or(8, |place| place as u32 + 1);
    if kind.is_some_and(PieceKind::is_promoted) {
        number |= 8;
    }
    mv.from().map_or(0, square)
        | square(mv.to()) << 8
        | u32::from(mv.is_promotion()) << 19
        | number << 24
        | u32::from(white) << 28
        | u32::from(white) << 31
}

/// Writes a book. Replies, resignations and the comments of all but the first move of a position have
/// no place in the format.
///
/// # Errors
/// If it cannot be written.
pub fn write(entries: &[BookEntry], author: &str, mut out: impl Write) -> io::Result<()> {
    let ids: HashMap<u128, i64> = entries
        .iter()
        .enumerate()
        .map(|(id, entry)| (entry.pos.identity(), id as i64))
        .collect();
    let mut leaves: BTreeMap<i64, Vec<u8>> = BTreeMap::new();
    let mut book = Message::default();
    book.bytes(1, author.as_bytes());
    out.write_all(&book.0)?;
    for (id, entry) in entries.iter().enumerate() {
        let mut state = Message::default();
        state.number(1, id as i64);
        state.bytes(7, entry.pos.to_sfen().as_bytes());
        if let Some(first) = entry.moves.first().filter(|mv| !mv.comment.is_empty()) {
            state.bytes(8, first.comment.as_bytes());
        }
        let mut pos = entry.pos.clone();
        for book_move in &entry.moves {
            let Some(mv) = book_move.mv.filter(|&mv| pos.is_legal(mv)) else {
                continue;
            };
            let mut message = Message::default();
            message.number(1, pack(&pos, mv).into());
            let weight = i32::try_from(book_move.count).unwrap_or(i32::MAX);
            message.number(3, weight.into());
            pos.play(mv);
            let known = ids.get(&pos.identity()).copied();
            let next = known.unwrap_or_else(|| (entries.len() + leaves.len()) as i64);
            let has_value = book_move.value != 0 || book_move.depth != 0;
            if known.is_none() && has_value {
                leaves.insert(next, leaf(next, book_move));
            }
            pos.undo();
            let is_there = known.is_some() || has_value;
            message.number(4, if is_there { next } else { -1 });
            state.bytes(9, &message.0);
        }
        if let Some(best) = entry
            .moves
            .first()
            .filter(|mv| mv.value != 0 || mv.depth != 0)
        {
            state.bytes(10, &value(best.value.into(), best.depth.into()));
        }
        let mut field = Message::default();
        field.bytes(3, &state.0);
        out.write_all(&field.0)?;
    }
    for state in leaves.into_values() {
        let mut field = Message::default();
        field.bytes(3, &state);
        out.write_all(&field.0)?;
    }
    Ok(())
}

/// A state without moves, which holds the value of the move that leads to it.
fn leaf(id: i64, book_move: &BookMove) -> Vec<u8> {
    let mut state = Message::default();
    state.number(1, id);
    let seen_from_there = value(-i64::from(book_move.value), book_move.depth.into());
    state.bytes(10, &seen_from_there);
    state.0
}

fn value(value: i64, depth: i64) -> Vec<u8> {
    let mut message = Message::default();
    message.number(1, value);
    message.number(2, depth);
    message.0
}
