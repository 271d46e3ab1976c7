//! Lines of a text file, numbered, one at a time, never longer than they may be.

use crate::error::{BookError, BookPlace, BookProblem};
use std::io::{BufRead, Read};

/// The longest line: a position and a comment fit many times.
pub(in crate::format) const LONGEST_LINE: usize = 1 << 16;

/// The lines of a stream. Bytes that are no UTF-8 become question marks; a mark at the beginning that
/// says UTF-8, and either kind of line end, are taken away.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    number: u64,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(reader: R) -> Self {
        Self {
            reader,
            number: 0,
            bytes: Vec::new(),
        }
    }

    /// The number of the line that was read last.
    pub(super) const fn place(&self) -> BookPlace {
        BookPlace::Line(self.number)
    }

    /// The next line without what surrounds it; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Result<String, BookError>> {
        self.bytes.clear();
        let mut limited = self.reader.by_ref().take(LONGEST_LINE as u64 + 1);
        self.number += 1;
        match limited.read_until(b'\n', &mut self.bytes) {
            Ok(0) => None,
            Ok(_) if self.bytes.len() > LONGEST_LINE => Some(Err(self.skip_long_line())),
            Ok(_) => {
                let text = String::from_utf8_lossy(&self.bytes);
                Some(Ok(text.trim_start_matches('\u{feff}').trim().to_owned()))
            }
            Err(error) => Some(Err(BookProblem::Io(error).at(self.place()))),
        }
    }

    /// Reads on to the end of a line that is too long, without keeping it.
    fn skip_long_line(&mut self) -> BookError {
        let mut problem = BookProblem::LongLine(LONGEST_LINE);
        while self.bytes.last() != Some(&b'\n') {
            self.bytes.clear();
            let mut limited = self.reader.by_ref().take(LONGEST_LINE as u64);
            match limited.read_until(b'\n', &mut self.bytes) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    problem = BookProblem::Io(error);
                    break;
                }
            }
        }
        problem.at(self.place())
    }
}
