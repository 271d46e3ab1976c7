//! The binary format of YaneuraOu, `.ybb`: packed positions in ascending order, found by binary search
//! without loading the file.
//!
//! 32 bytes of header (magic, number of records, flags), then 44 bytes for each position (packed
//! position, where its moves lie, move number, number of moves), then the moves: move, value and, if
//! the first flag is set, depth, 16 bits each.

use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookPlace, BookProblem};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use tesuji_record::packed::{Packed, PackedLayout};
use tesuji_record::samples::MoveLayout;
use tesuji_shogi::Position;

const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER: u64 = 32;
const RECORD: u64 = 44;
const WITH_DEPTH: u64 = 1;
/// So many positions, a page of the disk, are read at once at the end of a search.
const BLOCK: u64 = 92;

/// A book on disk.
#[derive(Debug)]
pub struct YbbBook<R> {
    file: R,
    records: u64,
    has_depth: bool,
}

/// Where the moves of a position lie.
struct YbbRecord {
    key: Packed,
    moves: u64,
    ply: u16,
    count: u16,
}

impl<R: Read + Seek> YbbBook<R> {
    /// Looks at the header, and whether the file is long enough.
    ///
    /// # Errors
    /// If it is another kind of file, or one that breaks off.
    pub fn open(mut file: R) -> Result<Self, BookError> {
        let kind = |what: String| BookProblem::Kind(".ybb book", what).at(BookPlace::File);
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut header = [0; HEADER as usize];
        if length < HEADER {
            return Err(kind(format!("it has only {length} bytes")));
        }
        file.read_exact(&mut header)?;
        let number = |at: usize| u64::from_le_bytes(*header[at..].first_chunk().expect("8 bytes"));
        if header[..16] != *MAGIC {
            return Err(kind("it does not begin with YANE-BINBOOK-V1".into()));
        }
        let (records, flags) = (number(16), number(24));
        if flags & !WITH_DEPTH != 0 {
            return Err(kind(format!("its flags {flags:#x} are not known")));
        }
        let area = records.checked_mul(RECORD);
        if area.is_none_or(|area| area > length - HEADER) {
            return Err(BookProblem::Short("fewer positions than it says").at(BookPlace::File));
        }
        Ok(Self {
            file,
            records,
            has_depth: flags & WITH_DEPTH != 0,
        })
    }

    /// How many positions there are.
    pub const fn len(&self) -> u64 {
        self.records
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// The entry of a position, if it is there, by binary search.
    ///
    /// # Errors
    /// If the file cannot be read or makes no sense where it was looked at.
    pub fn find(&mut self, pos: &Position) -> Result<Option<BookEntry>, BookError> {
        let Ok(key) = PackedLayout::PackedSfen.pack(pos) else {
            return Ok(None);
        };
        let (mut low, mut high) = (0, self.records);
        while high - low > BLOCK {
            let middle = low + (high - low) / 2;
            let record = self.record(middle)?;
            match record.key.cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.entry(middle, &record).map(Some),
            }
        }
        let mut bytes = [0; (BLOCK * RECORD) as usize];
        let bytes = &mut bytes[..((high - low) * RECORD) as usize];
        self.file.seek(SeekFrom::Start(HEADER + low * RECORD))?;
        self.file.read_exact(bytes)?;
        let (records, _) = bytes.as_chunks();
        match records.binary_search_by(|record| record[..32].cmp(&key)) {
            Ok(place) => {
                let record = YbbRecord::read(&records[place]);
                self.entry(low + place as u64, &record).map(Some)
            }
            Err(_) => Ok(None),
        }
    }

    fn record(&mut self, number: u64) -> Result<YbbRecord, BookError> {
        let mut bytes = [0; RECORD as usize];
        self.file.seek(SeekFrom::Start(HEADER + number * RECORD))?;
        self.file.read_exact(&mut bytes)?;
        Ok(YbbRecord::read(&bytes))
    }

    fn entry(&mut self, number: u64, record: &YbbRecord) -> Result<BookEntry, BookError> {
        let place = BookPlace::Record(number + 1);
        let at = |problem: BookProblem| problem.at(place);
        let mut setup = PackedLayout::PackedSfen
            .unpack_setup(&record.key)
            .map_err(|error| at(error.into()))?;
        setup.ply = record.ply.max(1);
        let pos = setup
            .build()
            .map_err(|error| at(BookProblem::Unpack(error.into())))?;
        let width = if self.has_depth { 6 } else { 4 };
        let start = (HEADER + self.records * RECORD).checked_add(record.moves);
        let start = start.ok_or_else(|| at(BookProblem::Short("moves lie behind its end")))?;
        self.file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        let wanted = usize::from(record.count) * width;
        self.file
            .by_ref()
            .take(wanted as u64)
            .read_to_end(&mut bytes)?;
        if bytes.len() < wanted {
            return Err(at(BookProblem::Short("moves lie behind its end")));
        }
        let moves = bytes.chunks_exact(width).map(read_move);
        let moves = moves.collect::<Result<_, _>>().map_err(at)?;
        Ok(BookEntry::new(pos, moves))
    }

    /// All entries, in the order of the file. After one that makes no sense the next one follows.
    pub fn entries(mut self) -> impl Iterator<Item = Result<BookEntry, BookError>> {
        let mut before: Option<Packed> = None;
        (0..self.records).map(move |number| {
            let record = self.record(number)?;
            let ascends = before.is_none_or(|before| before < record.key);
            before = Some(record.key);
            if !ascends {
                return Err(BookProblem::Order.at(BookPlace::Record(number + 1)));
            }
            self.entry(number, &record)
        })
    }
}

impl YbbRecord {
    fn read(bytes: &[u8; RECORD as usize]) -> Self {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            key: *bytes.first_chunk().expect("32 bytes"),
            moves: u64::from_le_bytes(*bytes[32..].first_chunk().expect("8 bytes")),
            ply: short(40),
            count: short(42),
        }
    }
}

fn read_move(bytes: &[u8]) -> Result<BookMove, BookProblem> {
    let short = |at: usize| [bytes[at], bytes[at + 1]];
    let bits = u16::from_le_bytes(short(0));
    let mut book_move = BookMove::resign();
    if bits != RESIGN {
        let mv = MoveLayout::Flagged.read(bits);
        book_move.mv = Some(mv.ok_or(BookProblem::Bits(bits.into()))?);
    }
    book_move.value = i16::from_le_bytes(short(2)).into();
    if bytes.len() == 6 {
        book_move.depth = u16::from_le_bytes(short(4)).into();
    }
    Ok(book_move)
}

/// What stands for resigning where a move could: a move that does not move.
const RESIGN: u16 = (2 << 7) + 2;

/// Writes a book whose entries come in ascending order of their packed positions. Positions and moves
/// wait in temporary files until their number is known.
#[derive(Debug)]
pub struct YbbWriter {
    records: BufWriter<File>,
    moves: BufWriter<File>,
    count: u64,
    at: u64,
    last: Option<Packed>,
}

impl YbbWriter {
    /// Begins a book.
    ///
    /// # Errors
    /// If there is no room for temporary files.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            records: BufWriter::new(tempfile::tempfile()?),
            moves: BufWriter::new(tempfile::tempfile()?),
            count: 0,
            at: 0,
            last: None,
        })
    }

    /// Adds an entry. Replies, counts and comments have no place in the format.
    ///
    /// # Errors
    /// If it does not ascend, or cannot be written.
    pub fn add(&mut self, entry: &BookEntry) -> Result<(), BookError> {
        self.count += 1;
        let place = BookPlace::Record(self.count);
        let at = |problem: BookProblem| problem.at(place);
        let key = PackedLayout::PackedSfen.pack(&entry.pos);
        let key = key.map_err(|error| at(error.into()))?;
        if self.last.is_some_and(|last| last >= key) {
            return Err(at(BookProblem::Order));
        }
        self.last = Some(key);
        let count = u16::try_from(entry.moves.len())
            .map_err(|_| at(BookProblem::Room(format!("{} moves", entry.moves.len()))))?;
        let ply = u16::try_from(entry.pos.ply()).unwrap_or(u16::MAX);
        self.records.write_all(&key)?;
        self.records.write_all(&self.at.to_le_bytes())?;
        self.records.write_all(&ply.to_le_bytes())?;
        self.records.write_all(&count.to_le_bytes())?;
        for book_move in &entry.moves {
            let bits = book_move
                .mv
                .map_or(RESIGN, |mv| MoveLayout::Flagged.write(mv));
            let value = book_move.value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            let depth = book_move.depth.clamp(0, u16::MAX.into()) as u16;
            self.moves.write_all(&bits.to_le_bytes())?;
            self.moves.write_all(&value.to_le_bytes())?;
            self.moves.write_all(&depth.to_le_bytes())?;
            self.at += 6;
        }
        Ok(())
    }

    /// Writes the book.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self, mut out: impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        out.write_all(&self.count.to_le_bytes())?;
        out.write_all(&WITH_DEPTH.to_le_bytes())?;
        for part in [self.records, self.moves] {
            let mut part = part.into_inner().map_err(io::IntoInnerError::into_error)?;
            part.rewind()?;
            io::copy(&mut part, &mut out)?;
        }
        Ok(())
    }
}
