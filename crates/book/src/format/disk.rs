//! A text book looked up on disk, without loading it: binary search over the bytes of a sorted file.
//!
//! Nothing is assumed about line ends, blank lines or comments, so small files and files from other
//! systems are found in as well.

use super::db;
use super::text::LONGEST_LINE;
use crate::entry::BookEntry;
use crate::error::{BookError, BookPlace, BookProblem};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use tesuji_shogi::Position;

/// A sorted `.db` file.
#[derive(Debug)]
pub struct DiskBook<R> {
    file: BufReader<R>,
    length: u64,
}

impl<R: Read + Seek> DiskBook<R> {
    /// Takes a file whose positions stand in the order of their text.
    ///
    /// # Errors
    /// If its length cannot be had.
    pub fn open(mut file: R) -> Result<Self, BookError> {
        let length = file.seek(SeekFrom::End(0))?;
        let file = BufReader::with_capacity(4096, file);
        Ok(Self { file, length })
    }

    /// The entry of a position, whatever its move number.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(&mut self, pos: &Position) -> Result<Option<BookEntry>, BookError> {
        let wanted = pos.to_sfen_without_ply();
        let (mut low, mut high) = (0, self.length);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle, high)? {
                None => high = middle,
                Some((start, key)) => match key.as_str().cmp(&wanted) {
                    std::cmp::Ordering::Less => low = start + 1,
                    std::cmp::Ordering::Greater => high = middle,
                    std::cmp::Ordering::Equal => return self.entry(start),
                },
            }
        }
        Ok(None)
    }

    /// The first line of a position that begins in a range: where, and its text without the number.
    fn position_from(&mut self, from: u64, to: u64) -> Result<Option<(u64, String)>, BookError> {
        // One byte before, so that a line that begins right here is seen as a whole one.
        let mut at = from.saturating_sub(1);
        self.file.seek(SeekFrom::Start(at))?;
        let mut line = Vec::new();
        if from > 0 {
            at += self.line(&mut line)?;
        }
        while at < to {
            line.clear();
            let read = self.line(&mut line)?;
            if read == 0 {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_start_matches('\u{feff}').trim();
            if let Some(sfen) = text.strip_prefix("sfen ") {
                let words: Vec<&str> = sfen.split_whitespace().take(3).collect();
                return Ok(Some((at, words.join(" "))));
            }
            at += read;
        }
        Ok(None)
    }

    /// Reads a line or the rest of one; how many bytes it has.
    fn line(&mut self, line: &mut Vec<u8>) -> Result<u64, BookError> {
        let mut limited = self.file.by_ref().take(LONGEST_LINE as u64 + 1);
        match limited.read_until(b'\n', line)? {
            read if read > LONGEST_LINE => {
                Err(BookProblem::LongLine(LONGEST_LINE).at(BookPlace::File))
            }
            read => Ok(read as u64),
        }
    }

    fn entry(&mut self, start: u64) -> Result<Option<BookEntry>, BookError> {
        self.file.seek(SeekFrom::Start(start))?;
        let mut reader = db::DbReader::new(&mut self.file);
        reader.next().transpose().map_err(|mut error| {
            // Lines were counted from the position, not from the beginning of the file.
            error.place = BookPlace::File;
            error
        })
    }
}
