//! The log: a file to which facts are only ever appended, each with a check sum.
//!
//! What says something about a position adds to what was said before: counts add up, the deeper value
//! stays. A file whose writer was killed ends with half a record; the next one who opens it cuts that
//! off, and nothing that was complete is lost. Written anew, every position is there once.

use crate::codec::{decode, encode};
use crate::entry::BookEntry;
use crate::error::{BookError, BookPlace, BookProblem};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first bytes of a file.
const MAGIC: &[u8; 16] = b"TESUJI-BOOK-LOG\n";
/// No entry is longer: 600 moves with long comments are far below.
const LONGEST: u32 = 1 << 24;

/// The entries of a store, as they were appended. A record that breaks off ends it without complaint:
/// its writer was killed. One whose check sum is wrong is said and ends it too.
#[derive(Debug)]
pub struct StoreReader<R> {
    reader: R,
    number: u64,
    /// How many bytes were read and are whole.
    whole: u64,
    is_done: bool,
}

impl<R: Read> StoreReader<R> {
    /// Looks at the first bytes. An empty file is an empty store.
    ///
    /// # Errors
    /// If it is another kind of file.
    pub fn new(mut reader: R) -> Result<Self, BookError> {
        let mut magic = Vec::new();
        reader.by_ref().take(16).read_to_end(&mut magic)?;
        if !MAGIC.starts_with(&magic) {
            let what = "it does not begin with TESUJI-BOOK-LOG".to_owned();
            return Err(BookProblem::Kind("store of Tesuji", what).at(BookPlace::File));
        }
        Ok(Self {
            reader,
            number: 0,
            whole: if magic.len() == 16 { 16 } else { 0 },
            is_done: magic.len() < 16,
        })
    }

    /// The payload of the next record; `None` if there is none that is whole.
    fn payload(&mut self) -> Result<Option<Vec<u8>>, BookError> {
        let mut head = Vec::new();
        self.reader.by_ref().take(8).read_to_end(&mut head)?;
        let Some((length, sum)) = head.split_first_chunk() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length);
        let place = BookPlace::Record(self.number + 1);
        if length > LONGEST {
            return Err(BookProblem::Sum.at(place));
        }
        let mut payload = Vec::new();
        let limited = self.reader.by_ref().take(length.into());
        let read = BufReader::new(limited).read_to_end(&mut payload)?;
        if read < length as usize || sum.len() < 4 {
            return Ok(None);
        }
        if *sum != check_sum(&payload).to_le_bytes() {
            return Err(BookProblem::Sum.at(place));
        }
        self.number += 1;
        self.whole += 8 + u64::from(length);
        Ok(Some(payload))
    }
}

impl<R: Read> Iterator for StoreReader<R> {
    type Item = Result<BookEntry, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        match self.payload() {
            Ok(Some(payload)) => {
                let place = BookPlace::Record(self.number);
                Some(decode(&payload).map_err(|problem| problem.at(place)))
            }
            Ok(None) => {
                self.is_done = true;
                None
            }
            Err(error) => {
                self.is_done = true;
                Some(Err(error))
            }
        }
    }
}

/// Where a book that grows puts what it learns.
pub trait FactStore: Send + std::fmt::Debug {
    /// Adds an entry to what is known. It is safe after [`FactStore::sync`].
    ///
    /// # Errors
    /// If it cannot be written.
    fn append(&mut self, entry: &BookEntry) -> Result<(), BookError>;

    /// Returns when everything added is on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    fn sync(&mut self) -> Result<(), BookError>;
}

impl FactStore for BookStore {
    fn append(&mut self, entry: &BookEntry) -> Result<(), BookError> {
        Self::append(self, entry)
    }

    fn sync(&mut self) -> Result<(), BookError> {
        Ok(Self::sync(self)?)
    }
}

/// Why a store cannot be opened that somebody else writes to.
pub(crate) fn busy() -> BookError {
    io::Error::other("another program writes to it: wait until it ends").into()
}

/// Makes sure that nobody writes to a store, for as long as the handle lives.
///
/// # Errors
/// If the file cannot be opened, or somebody writes to it.
pub fn lock_store(path: &Path) -> Result<File, BookError> {
    let file = File::open(path)?;
    file.try_lock().map_err(|_| busy())?;
    Ok(file)
}

/// A store that is open for writing; nobody else can write to it meanwhile.
#[derive(Debug)]
pub struct BookStore {
    out: BufWriter<File>,
}

impl BookStore {
    /// Opens a store, or makes one, hands everything it holds to `see`, and cuts off what a writer
    /// that was killed left behind. Says how many bytes that were.
    ///
    /// # Errors
    /// If the file cannot be opened or is no store, or somebody else writes to it.
    pub fn open(path: &Path, mut see: impl FnMut(BookEntry)) -> Result<(Self, u64), BookError> {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.try_lock().map_err(|_| busy())?;
        let length = file.metadata()?.len();
        let mut reader = StoreReader::new(BufReader::new(&file))?;
        for entry in reader.by_ref() {
            match entry {
                Ok(entry) => see(entry),
                // The end of a file may be torn: what lies before it is whole.
                Err(error) if matches!(error.problem, BookProblem::Sum) => break,
                Err(error) => return Err(error),
            }
        }
        let whole = reader.whole;
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        if whole == 0 {
            file.write_all(MAGIC)?;
        }
        let out = BufWriter::new(file);
        Ok((Self { out }, length - whole))
    }

    /// Appends an entry. It is safe after [`BookStore::sync`].
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, entry: &BookEntry) -> Result<(), BookError> {
        let payload = encode(entry).map_err(|problem| problem.at(BookPlace::File))?;
        write_record(&mut self.out, &payload)?;
        Ok(())
    }

    /// Returns when everything appended is on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_data()
    }
}

fn write_record(out: &mut impl Write, payload: &[u8]) -> io::Result<()> {
    out.write_all(&(payload.len() as u32).to_le_bytes())?;
    out.write_all(&check_sum(payload).to_le_bytes())?;
    out.write_all(payload)
}

/// Writes a store from the beginning; every entry should be there once.
#[derive(Debug)]
pub struct StoreWriter<W>(W);

impl<W: Write> StoreWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        Ok(Self(out))
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, entry: &BookEntry) -> Result<(), BookError> {
        let payload = encode(entry).map_err(|problem| problem.at(BookPlace::File))?;
        write_record(&mut self.0, &payload)?;
        Ok(())
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.0
    }
}

/// CRC-32 as in Ethernet and zip files.
fn check_sum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut word = i as u32;
            let mut bit = 0;
            while bit < 8 {
                let odd = if word & 1 == 1 { 0xedb8_8320 } else { 0 };
                word = word >> 1 ^ odd;
                bit += 1;
            }
            table[i] = word;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum: u32, &byte| {
        TABLE[usize::from(sum as u8 ^ byte)] ^ (sum >> 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::BookMove;
    use tesuji_shogi::Position;

    fn entry(count: u64) -> BookEntry {
        let mut entry = BookEntry::new(Position::start(), vec![BookMove::resign()]);
        entry.moves[0].count = count;
        entry
    }

    fn counts(path: &Path) -> Vec<u64> {
        let mut counts = Vec::new();
        BookStore::open(path, |entry| counts.push(entry.moves[0].count)).unwrap();
        counts
    }

    #[test]
    fn the_sum_is_the_usual_one() {
        assert_eq!(check_sum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_store_cut_anywhere_opens_and_keeps_what_was_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.tbk");
        let (mut store, _) = BookStore::open(&path, |_| ()).unwrap();
        let mut ends = vec![16];
        for count in 1..=4 {
            store.append(&entry(count)).unwrap();
            store.sync().unwrap();
            ends.push(std::fs::metadata(&path).unwrap().len());
        }
        assert!(
            BookStore::open(&path, |_| ()).is_err(),
            "one writer at a time"
        );
        drop(store);
        let bytes = std::fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let whole = ends.iter().filter(|&&end| end <= length as u64).count();
            let expected: Vec<u64> = (1..whole.max(1) as u64).collect();
            assert_eq!(counts(&path), expected);
            // What is appended then is read behind it.
            let (mut store, _) = BookStore::open(&path, |_| ()).unwrap();
            store.append(&entry(9)).unwrap();
            store.sync().unwrap();
            drop(store);
            assert_eq!(counts(&path).last(), Some(&9));
        }
        let mut torn = bytes.clone();
        torn[ends[3] as usize - 1] ^= 1;
        std::fs::write(&path, torn).unwrap();
        assert_eq!(counts(&path), [1, 2]);
        std::fs::write(&path, b"SQLite format 3\0").unwrap();
        assert!(BookStore::open(&path, |_| ()).is_err());
    }
}
