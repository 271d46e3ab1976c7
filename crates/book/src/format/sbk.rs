//! SBK, the format of the books that ShogiGUI edits: states and moves between them, as Protocol
//! Buffers.
//!
//! Only some states name their position; the others follow from the moves that lead to them. The
//! whole file is therefore held in memory while it is read.

use super::protobuf::{Field, Fields, Message};
use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookPlace, BookProblem};
use crate::graph::BookSource;
use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use tesuji_shogi::{ByColor, Color, Move, PieceKind, Position, Square};

#[derive(Clone, Debug, Default)]
struct SbkState {
    id: i64,
    position: Option<String>,
    comment: String,
    moves: Vec<StateMove>,
    /// Games that came here, won by Black and by White.
    won: ByColor<u32>,
    evaluation: Option<StateValue>,
}

/// What an engine thinks of a state, for the side to move there.
#[derive(Clone, Debug, Default)]
struct StateValue {
    value: i64,
    depth: i64,
    nodes: i64,
    engine: String,
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
            (5, Field::Number(won)) => state.won[Color::Black] = games(won),
            (6, Field::Number(won)) => state.won[Color::White] = games(won),
            (7, Field::Bytes(text)) => state.position = Some(text_of(text)),
            (8, Field::Bytes(text)) => state.comment = text_of(text),
            (9, Field::Bytes(bytes)) => state.moves.push(read_move(bytes)?),
            (10, Field::Bytes(bytes)) => state.evaluation = Some(read_value(bytes)?),
            _ => {}
        }
    }
    Ok(state)
}

/// A number of games; what makes no sense is none.
fn games(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(0)
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

fn read_value(bytes: &[u8]) -> Result<StateValue, BookProblem> {
    let mut found = StateValue::default();
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Number(number)) => found.value = i64::from(number as i32),
            (2, Field::Number(number)) => found.depth = i64::from(number as i32),
            (4, Field::Number(number)) => found.nodes = number as i64,
            (6, Field::Bytes(name)) => found.engine = text_of(name),
            _ => {}
        }
    }
    Ok(found)
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
    let mut lost = 0;
    for id in order {
        match positions.remove(id) {
            // Without moves it holds what is known of the move that leads to it.
            Some(_) if states[id].moves.is_empty() => {}
            Some(pos) => entries.push(entry(pos, &states[id], states)),
            None => lost += 1,
        }
    }
    Ok((entries, lost))
}

/// The entry of a state. The value of a move is that of the state it leads to, seen from here, and so
/// are games.
fn entry(pos: Position, state: &SbkState, states: &HashMap<i64, SbkState>) -> BookEntry {
    let cut = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let moves = state.moves.iter().filter_map(|found| {
        let mut book_move = BookMove::new(unpack(found.bits)?);
        book_move.count = u64::try_from(found.weight).unwrap_or(0);
        if let Some(next) = states.get(&found.next) {
            let turn = pos.turn();
            (book_move.won, book_move.lost) = (next.won[turn], next.won[turn.foe()]);
            if let Some(known) = &next.evaluation {
                (book_move.value, book_move.depth) = (cut(-known.value), cut(known.depth));
                book_move.source = source(known);
            }
        }
        Some(book_move)
    });
    let mut moves: Vec<BookMove> = moves.collect();
    if let Some(first) = moves.first_mut() {
        first.comment.clone_from(&state.comment);
    }
    BookEntry::new(pos, moves)
}

fn source(known: &StateValue) -> BookSource {
    match known.engine.is_empty() {
        true => BookSource::Unknown,
        false => BookSource::Search {
            engine: known.engine.clone(),
            nodes: known.nodes.max(0).unsigned_abs(),
        },
    }
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
/// no place in the format. What is known of a move stands in the state that it leads to.
///
/// # Errors
/// If it cannot be written.
pub fn write(entries: &[BookEntry], author: &str, mut out: impl Write) -> io::Result<()> {
    let mut writer = SbkWriter::new(entries);
    let mut book = Message::default();
    book.bytes(1, author.as_bytes());
    out.write_all(&book.0)?;
    let states: Vec<Message> = (0..)
        .zip(entries)
        .map(|(id, entry)| writer.state(id, entry))
        .collect();
    for (state, games) in states.into_iter().zip(&writer.games) {
        write_state(state, games, &mut out)?;
    }
    for (state, games) in writer.leaves {
        write_state(state, &games, &mut out)?;
    }
    Ok(())
}

fn write_state(mut state: Message, games: &ByColor<u32>, out: &mut impl Write) -> io::Result<()> {
    let [black, white] = games.0.map(i64::from);
    if black + white > 0 {
        state.number(4, black + white);
        state.number(5, black);
        state.number(6, white);
    }
    let mut field = Message::default();
    field.bytes(3, &state.0);
    out.write_all(&field.0)
}

/// States in the making.
struct SbkWriter {
    /// The states of the positions that are in the book.
    ids: HashMap<u128, i64>,
    /// How many games came to each of them by moves of the book, won by Black and by White.
    games: Vec<ByColor<u32>>,
    /// States without moves, behind the others.
    leaves: Vec<(Message, ByColor<u32>)>,
}

impl SbkWriter {
    fn new(entries: &[BookEntry]) -> Self {
        let ids = (0..).zip(entries);
        Self {
            ids: ids.map(|(id, entry)| (entry.pos.identity(), id)).collect(),
            games: vec![ByColor([0; 2]); entries.len()],
            leaves: Vec::new(),
        }
    }

    /// The state of an entry; its games are written when all moves that lead to it are known.
    fn state(&mut self, id: i64, entry: &BookEntry) -> Message {
        let mut state = Message::default();
        state.number(1, id);
        state.bytes(7, entry.pos.to_sfen().as_bytes());
        let first = entry.moves.first();
        if let Some(first) = first.filter(|mv| !mv.comment.is_empty()) {
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
            let turn = pos.turn();
            pos.play(mv);
            message.number(4, self.next(&pos, turn, book_move));
            pos.undo();
            state.bytes(9, &message.0);
        }
        let best = first.filter(|mv| mv.value != 0 || mv.depth != 0);
        if let Some(best) = best {
            state.bytes(10, &evaluation(best.value.into(), best));
        }
        state
    }

    /// The state that a move of a side leads to, which takes in what is known of it; -1 for none.
    fn next(&mut self, pos: &Position, turn: Color, book_move: &BookMove) -> i64 {
        let mut games = ByColor([0; 2]);
        (games[turn], games[turn.foe()]) = (book_move.won, book_move.lost);
        if let Some(&id) = self.ids.get(&pos.identity()) {
            for color in Color::ALL {
                let known = &mut self.games[id as usize][color];
                *known = known.saturating_add(games[color]);
            }
            return id;
        }
        let has_value = book_move.value != 0 || book_move.depth != 0;
        if !has_value && games.0 == [0; 2] {
            return -1;
        }
        let id = (self.ids.len() + self.leaves.len()) as i64;
        let mut state = Message::default();
        state.number(1, id);
        if has_value {
            let seen_from_there = -i64::from(book_move.value);
            state.bytes(10, &evaluation(seen_from_there, book_move));
        }
        self.leaves.push((state, games));
        id
    }
}

/// An evaluation as a message, with whose it is.
fn evaluation(value: i64, book_move: &BookMove) -> Vec<u8> {
    let mut message = Message::default();
    message.number(1, value);
    message.number(2, book_move.depth.into());
    if let BookSource::Search { engine, nodes } = &book_move.source {
        message.number(4, i64::try_from(*nodes).unwrap_or(i64::MAX));
        message.bytes(6, engine.as_bytes());
    }
    message.0
}
