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

    /// How many bytes the file has.
    pub const fn len(&self) -> u64 {
        self.length
    }

    /// Whether the file has no bytes.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Looks whether a search can find anything: whether the first position is one, and whether some
    /// positions spread over the file ascend. The first that does not is told, with its line.
    ///
    /// # Errors
    /// If there is no position in the file, or it cannot be read.
    pub fn check(&mut self) -> Result<Option<BookError>, BookError> {
        const SAMPLES: u64 = 64;
        let Some((start, mut last)) = self.position_from(0, self.length)? else {
            let what = "no line of it begins with \"sfen\"".to_owned();
            return Err(BookProblem::Kind(".db book", what).at(BookPlace::File));
        };
        if let Err(error) = Position::from_sfen(&format!("{last} 1")) {
            let place = self.line_at(start)?;
            return Err(BookProblem::Sfen(error).at(place));
        }
        let mut last_start = start;
        for sample in 0..=SAMPLES {
            let from = self.length / SAMPLES * sample;
            let Some((start, key)) = self.position_from(from.max(last_start), self.length)? else {
                break;
            };
            // A neighbour as well: small parts may be sorted where the whole is not, and the other way
            // round.
            let next = self.position_from(start + 1, self.length)?;
            let next = next.filter(|(_, next)| *next < key);
            if key < last || next.is_some() {
                let start = next
                    .filter(|_| key >= last)
                    .map_or(start, |(start, _)| start);
                return Ok(Some(BookProblem::Unsorted.at(self.line_at(start)?)));
            }
            (last_start, last) = (start, key);
        }
        Ok(None)
    }

    /// The number of the line that begins at a byte.
    fn line_at(&mut self, start: u64) -> Result<BookPlace, BookError> {
        self.file.seek(SeekFrom::Start(0))?;
        let (mut at, mut lines) = (0, 1);
        while at < start {
            let bytes = self.file.fill_buf()?;
            let count =
                usize::try_from(start - at).map_or(bytes.len(), |left| left.min(bytes.len()));
            if count == 0 {
                break;
            }
            lines += bytes[..count].iter().filter(|&&byte| byte == b'\n').count() as u64;
            self.file.consume(count);
            at += count as u64;
        }
        Ok(BookPlace::Line(lines))
    }

    /// The entry of a position; with a move number the one that has it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(
        &mut self,
        pos: &Position,
        ply: Option<u32>,
    ) -> Result<Option<BookEntry>, BookError> {
        let wanted = pos.to_sfen_without_ply();
        let (mut low, mut high) = (0, self.length);
        // To the first of several that differ only in their move numbers.
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle, high)? {
                Some((start, key)) if key < wanted => low = start + 1,
                _ => high = middle,
            }
        }
        match self.position_from(low, self.length)? {
            Some((start, key)) if key == wanted => self.entry(start, &wanted, ply),
            _ => Ok(None),
        }
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

    /// The entry that begins at a byte, or one of the same position behind it with this move number.
    fn entry(
        &mut self,
        start: u64,
        wanted: &str,
        ply: Option<u32>,
    ) -> Result<Option<BookEntry>, BookError> {
        self.file.seek(SeekFrom::Start(start))?;
        for entry in db::DbReader::new(&mut self.file) {
            let entry = entry.map_err(|mut error| {
                // Lines were counted from the position, not from the beginning of the file.
                error.place = BookPlace::File;
                error
            })?;
            if entry.pos.to_sfen_without_ply() != wanted {
                break;
            }
            if ply.is_none_or(|ply| entry.pos.ply() == ply) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }
}
