//! The binary format of Apery, `.bin`: 16 bytes for each move (key of the position, move, count, score),
//! in ascending order of the keys, found by binary search without loading the file.
//!
//! The keys come from a table of their own, drawn from a 64-bit Mersenne Twister (Matsumoto and
//! Nishimura 2000) with its usual seed; they say nothing about the position, so a file is read by
//! walking from the start position.

use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookPlace, BookProblem};
use std::collections::{HashSet, VecDeque};
use std::io::{self, Read, Seek, SeekFrom, Write};
use tesuji_record::samples::MoveLayout;
use tesuji_shogi::{Board, Color, PieceKind, Position, Square};

const RECORD: u64 = 16;

/// What the keys of positions are made of.
#[derive(Clone, Debug)]
pub struct Keys {
    pieces: Vec<[u64; 81]>,
    hands: Vec<[u64; 19]>,
    turn: u64,
}

/// The order of the hands in the table.
const HAND_ORDER: [PieceKind; 7] = PieceKind::BY_VALUE;

impl Default for Keys {
    fn default() -> Self {
        let mut twister = Twister::new(5489);
        Self {
            pieces: (0..31)
                .map(|_| std::array::from_fn(|_| twister.next()))
                .collect(),
            hands: (0..7)
                .map(|_| std::array::from_fn(|_| twister.next()))
                .collect(),
            turn: twister.next(),
        }
    }
}

impl Keys {
    /// The key of a position. Only the hand of the side to move is part of it.
    ///
    /// ```
    /// use tesuji_book::format::apery::Keys;
    /// use tesuji_shogi::Position;
    /// assert_eq!(Keys::default().key(&Position::start()), 0xeebe_8ee7_e1ad_7e15);
    /// ```
    pub fn key(&self, pos: &Position) -> u64 {
        let mut key = if pos.turn() == Color::White {
            self.turn
        } else {
            0
        };
        for square in Square::all() {
            if let Some(piece) = pos.at(square) {
                let white = if piece.color() == Color::White { 16 } else { 0 };
                key ^= self.pieces[piece.kind().index() + white][square.index()];
            }
        }
        let hand = pos.hand(pos.turn());
        for (counts, kind) in self.hands.iter().zip(HAND_ORDER) {
            key ^= counts[hand.count(kind) as usize];
        }
        key
    }
}

/// The 64-bit Mersenne Twister.
struct Twister {
    state: [u64; Self::SIZE],
    at: usize,
}

impl Twister {
    const SIZE: usize = 312;
    const MIDDLE: usize = 156;

    fn new(seed: u64) -> Self {
        let mut state = [seed; Self::SIZE];
        for i in 1..Self::SIZE {
            let last = state[i - 1];
            state[i] = (last ^ (last >> 62))
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(i as u64);
        }
        let at = Self::SIZE;
        Self { state, at }
    }

    fn turn(&mut self) {
        const UPPER: u64 = 0xffff_ffff_8000_0000;
        for i in 0..Self::SIZE {
            let next = self.state[(i + 1) % Self::SIZE];
            let word = self.state[i] & UPPER | next & !UPPER;
            let odd = if word & 1 == 1 {
                0xb502_6f5a_a966_19e9
            } else {
                0
            };
            self.state[i] = self.state[(i + Self::MIDDLE) % Self::SIZE] ^ (word >> 1) ^ odd;
        }
        self.at = 0;
    }

    fn next(&mut self) -> u64 {
        if self.at == Self::SIZE {
            self.turn();
        }
        let mut word = self.state[self.at];
        self.at += 1;
        word ^= (word >> 29) & 0x5555_5555_5555_5555;
        word ^= (word << 17) & 0x71d6_7fff_eda6_0000;
        word ^= (word << 37) & 0xfff7_eee0_0000_0000;
        word ^ (word >> 43)
    }
}

/// A book on disk.
#[derive(Debug)]
pub struct AperyBook<R> {
    file: R,
    records: u64,
    keys: Keys,
}

impl<R: Read + Seek> AperyBook<R> {
    /// Looks at the length of the file.
    ///
    /// # Errors
    /// If it is no multiple of 16 bytes.
    pub fn open(mut file: R) -> Result<Self, BookError> {
        let length = file.seek(SeekFrom::End(0))?;
        if length % RECORD != 0 {
            let what = format!("its {length} bytes are no multiple of 16");
            return Err(BookProblem::Kind(".bin book of Apery", what).at(BookPlace::File));
        }
        Ok(Self {
            file,
            records: length / RECORD,
            keys: Keys::default(),
        })
    }

    /// How many moves there are.
    pub const fn len(&self) -> u64 {
        self.records
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.records == 0
    }

    fn record(&mut self, number: u64) -> Result<[u8; RECORD as usize], BookError> {
        let mut bytes = [0; RECORD as usize];
        self.file.seek(SeekFrom::Start(number * RECORD))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The entry of a position, if it is there, by binary search. Moves that cannot be played here
    /// belong to another position of the same key, and are left out.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(&mut self, pos: &Position) -> Result<Option<BookEntry>, BookError> {
        self.find_and_mark(pos, |_| ())
    }

    /// The same; `mark` hears the numbers of the records that are moves of the position.
    fn find_and_mark(
        &mut self,
        pos: &Position,
        mut mark: impl FnMut(u64),
    ) -> Result<Option<BookEntry>, BookError> {
        let key = self.keys.key(pos);
        let (mut low, mut high) = (0, self.records);
        while low < high {
            let middle = low + (high - low) / 2;
            if key_of(&self.record(middle)?) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut moves: Vec<BookMove> = Vec::new();
        while low < self.records {
            let record = self.record(low)?;
            if key_of(&record) != key {
                break;
            }
            if let Some(book_move) = read_move(&record, pos) {
                moves.push(book_move);
                mark(low);
            }
            low += 1;
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.count));
        Ok((!moves.is_empty()).then(|| BookEntry::new(pos.clone(), moves)))
    }

    /// All entries that can be reached from some positions by moves of the book, with at most one
    /// move in between that it does not have. At the end it is said how many moves cannot.
    pub fn walk(self, starts: &[Position]) -> Walk<R> {
        let queue: VecDeque<Position> = starts.iter().map(fresh).collect();
        Walk {
            seen: queue.iter().map(Position::identity).collect(),
            reached: HashSet::new(),
            is_done: false,
            book: self,
            queue,
        }
    }
}

fn key_of(record: &[u8; 16]) -> u64 {
    u64::from_le_bytes(*record.first_chunk().expect("8 bytes"))
}

fn read_move(record: &[u8; 16], pos: &Position) -> Option<BookMove> {
    let short = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let mv = MoveLayout::Shifted.read(short(8))?;
    pos.is_legal(mv).then(|| BookMove {
        count: short(10).into(),
        value: i32::from_le_bytes(*record[12..].first_chunk().expect("4 bytes")),
        ..BookMove::new(mv)
    })
}

/// The position without its past.
fn fresh(pos: &Position) -> Position {
    pos.setup().build().expect("a sound position")
}

/// Entries in the order in which a walk meets them.
#[derive(Debug)]
pub struct Walk<R> {
    book: AperyBook<R>,
    queue: VecDeque<Position>,
    seen: HashSet<u128>,
    /// The numbers of the records that were read.
    reached: HashSet<u64>,
    is_done: bool,
}

impl<R: Read + Seek> Walk<R> {
    /// Puts a position on the list, unless it was there before.
    fn meet(&mut self, pos: &Position) {
        if self.seen.insert(pos.identity()) {
            self.queue.push_back(fresh(pos));
        }
    }

    /// Looks one move further from a position that the book does not have.
    fn look_beyond(&mut self, pos: &mut Position) -> Result<(), BookError> {
        for mv in pos.legal_moves().iter() {
            pos.play(mv);
            if self.book.find(pos)?.is_some() {
                self.meet(pos);
            }
            pos.undo();
        }
        Ok(())
    }
}

impl<R: Read + Seek> Iterator for Walk<R> {
    type Item = Result<BookEntry, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(mut pos) = self.queue.pop_front() {
            let reached = &mut self.reached;
            let found = self.book.find_and_mark(&pos, |number| {
                reached.insert(number);
            });
            let entry = match found {
                Err(error) => return Some(Err(error)),
                Ok(entry) => entry,
            };
            let Some(entry) = entry else {
                match self.look_beyond(&mut pos) {
                    Err(error) => return Some(Err(error)),
                    Ok(()) => continue,
                }
            };
            for mv in entry.moves.iter().filter_map(|mv| mv.mv) {
                pos.play(mv);
                self.meet(&pos);
                pos.undo();
            }
            return Some(Ok(entry));
        }
        let lost = self.book.records - self.reached.len() as u64;
        if std::mem::replace(&mut self.is_done, true) || lost == 0 {
            return None;
        }
        let what = format!("{lost} moves of positions that no move leads to");
        Some(Err(
            BookProblem::Kind("whole .bin book", what).at(BookPlace::File)
        ))
    }
}

/// Gathers a book and writes it sorted. 16 bytes a move are kept in memory.
#[derive(Debug, Default)]
pub struct AperyWriter {
    keys: Keys,
    records: Vec<(u64, u16, u16, i32)>,
}

impl AperyWriter {
    /// Adds an entry. Resignations, replies, depths and comments have no place in the format; counts
    /// beyond 65,535 are cut.
    pub fn add(&mut self, entry: &BookEntry) {
        let key = self.keys.key(&entry.pos);
        for book_move in &entry.moves {
            if let Some(mv) = book_move.mv {
                let count = u16::try_from(book_move.count).unwrap_or(u16::MAX);
                let bits = MoveLayout::Shifted.write(mv);
                self.records.push((key, bits, count, book_move.value));
            }
        }
    }

    /// Writes what was added.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, mut out: impl Write) -> io::Result<()> {
        self.records
            .sort_by_key(|&(key, _, count, _)| (key, std::cmp::Reverse(count)));
        for (key, bits, count, value) in self.records {
            out.write_all(&key.to_le_bytes())?;
            out.write_all(&bits.to_le_bytes())?;
            out.write_all(&count.to_le_bytes())?;
            out.write_all(&value.to_le_bytes())?;
        }
        Ok(())
    }
}
