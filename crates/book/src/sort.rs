//! Entries in order, each position once, in bounded memory: sorted runs on disk, merged (as tape
//! sorts did it; Knuth 1973).

use crate::codec::{decode, encode, pack};
use crate::entry::BookEntry;
use crate::error::{BookError, BookPlace, BookProblem};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

/// By what entries are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryOrder {
    /// By the text of the position, byte by byte: `.db`.
    Sfen,
    /// By the packed position: `.ybb`.
    Packed,
}

impl EntryOrder {
    /// What an entry is sorted by, byte by byte.
    pub(crate) fn key(self, entry: &BookEntry) -> Result<Vec<u8>, BookProblem> {
        Ok(match self {
            Self::Sfen => entry.pos.to_sfen_without_ply().into_bytes(),
            Self::Packed => pack(&entry.pos)?.to_vec(),
        })
    }
}

/// How many bytes of entries are held before they go to disk.
const BUDGET: usize = 128 << 20;

/// Takes entries in any order and gives them back sorted, those of one position merged.
#[derive(Debug)]
pub struct Sorter {
    order: EntryOrder,
    budget: usize,
    held: Vec<(Vec<u8>, Vec<u8>)>,
    bytes: usize,
    runs: Vec<File>,
}

impl Sorter {
    /// An empty sorter.
    pub const fn new(order: EntryOrder) -> Self {
        Self {
            order,
            budget: BUDGET,
            held: Vec::new(),
            bytes: 0,
            runs: Vec::new(),
        }
    }

    /// The same, holding about so many bytes in memory.
    pub const fn with_budget(mut self, budget: usize) -> Self {
        self.budget = budget;
        self
    }

    /// Takes an entry.
    ///
    /// # Errors
    /// If it cannot be kept.
    pub fn push(&mut self, entry: &BookEntry) -> Result<(), BookError> {
        let bytes = encode(entry).map_err(|problem| problem.at(BookPlace::File))?;
        let key = self.order.key(entry)?;
        self.bytes += key.len() + bytes.len() + 96;
        self.held.push((key, bytes));
        if self.bytes > self.budget {
            self.spill()?;
        }
        Ok(())
    }

    /// Writes what is held to disk, sorted.
    fn spill(&mut self) -> io::Result<()> {
        // Stable: of two entries the one that came first stays first.
        self.held.sort_by(|a, b| a.0.cmp(&b.0));
        let mut out = BufWriter::new(tempfile::tempfile()?);
        for (key, bytes) in self.held.drain(..) {
            for part in [key, bytes] {
                out.write_all(&(part.len() as u32).to_le_bytes())?;
                out.write_all(&part)?;
            }
        }
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(file);
        self.bytes = 0;
        Ok(())
    }

    /// The entries in order.
    ///
    /// # Errors
    /// If the temporary files cannot be read.
    pub fn finish(mut self) -> Result<Sorted, BookError> {
        self.spill()?;
        let runs: Vec<_> = self.runs.into_iter().map(BufReader::new).collect();
        let mut sorted = Sorted {
            heads: BinaryHeap::new(),
            runs,
        };
        for run in 0..sorted.runs.len() {
            sorted.advance(run)?;
        }
        Ok(sorted)
    }
}

/// The next record of a run: key, number of the run, bytes. The smallest comes first.
type Head = Reverse<(Vec<u8>, usize, Vec<u8>)>;

/// Entries in order.
#[derive(Debug)]
pub struct Sorted {
    heads: BinaryHeap<Head>,
    runs: Vec<BufReader<File>>,
}

impl Sorted {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let reader = &mut self.runs[run];
        if let Some(key) = read_part(reader)? {
            let bytes = read_part(reader)?.unwrap_or_default();
            self.heads.push(Reverse((key, run, bytes)));
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<Option<(Vec<u8>, BookEntry)>, BookError> {
        let Some(Reverse((key, run, bytes))) = self.heads.pop() else {
            return Ok(None);
        };
        self.advance(run)?;
        let entry = decode(&bytes).map_err(|problem| problem.at(BookPlace::File))?;
        Ok(Some((key, entry)))
    }

    fn merged(&mut self) -> Result<Option<BookEntry>, BookError> {
        let Some((key, mut entry)) = self.pop()? else {
            return Ok(None);
        };
        while self.heads.peek().is_some_and(|Reverse(next)| next.0 == key) {
            if let Some((_, other)) = self.pop()? {
                entry.merge(&other);
            }
        }
        Ok(Some(entry))
    }
}

fn read_part(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match reader.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut part = vec![0; u32::from_le_bytes(length) as usize];
    reader.read_exact(&mut part)?;
    Ok(Some(part))
}

impl Iterator for Sorted {
    type Item = Result<BookEntry, BookError>;
    fn next(&mut self) -> Option<Self::Item> {
        self.merged().transpose()
    }
}

impl From<BookProblem> for BookError {
    fn from(problem: BookProblem) -> Self {
        problem.at(BookPlace::File)
    }
}
