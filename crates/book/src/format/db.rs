//! The text format of YaneuraOu, `#YANEURAOU-DB2016 1.00`: a line with a position, then one for each
//! of its moves: `7g7f 3c3d 50 20 3` for move, reply, value, depth and count.
//!
//! Columns may be missing from the right, `none` stands for a missing one, and whatever follows the
//! fifth is a comment. Blank lines, comments, either kind of line end and unsorted files are welcome.

use super::text::Lines;
use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookProblem, quoted};
use std::io::{self, BufRead, Write};
use tesuji_shogi::Position;

/// The first line of a file.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// The entries of a file, one after the other. After a line that makes no sense the next one follows.
///
/// ```
/// use tesuji_book::format::db;
/// let text = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f none 50\n";
/// let entry = db::DbReader::new(text.as_bytes()).next().unwrap().unwrap();
/// assert_eq!((entry.moves[0].value, entry.moves[0].depth, entry.moves[0].count), (50, 0, 1));
/// ```
#[derive(Debug)]
pub struct DbReader<R> {
    lines: Lines<R>,
    entry: Option<BookEntry>,
    /// What is wrong with the line behind the entry that was handed out last.
    pending: Option<BookError>,
    /// Whether moves belong to a position that could not be read.
    is_lost: bool,
    is_done: bool,
}

impl<R: BufRead> DbReader<R> {
    /// Reads from a stream.
    pub const fn new(reader: R) -> Self {
        Self {
            lines: Lines::new(reader),
            entry: None,
            pending: None,
            is_lost: false,
            is_done: false,
        }
    }

    /// Takes in a line; a finished entry, if it ends one.
    fn take(&mut self, line: &str) -> Result<Option<BookEntry>, BookProblem> {
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            return Ok(None);
        }
        if line == "sfen" || line.starts_with("sfen ") {
            let finished = self.entry.take();
            match Position::from_sfen(line) {
                Ok(pos) => self.entry = Some(BookEntry::new(pos, Vec::new())),
                Err(error) => self.pending = Some(BookProblem::from(error).at(self.lines.place())),
            }
            self.is_lost = self.entry.is_none();
            return Ok(finished);
        }
        match &mut self.entry {
            Some(entry) => entry.moves.push(read_move(line)?),
            None if self.is_lost => {}
            None => return Err(BookProblem::NoPosition),
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for DbReader<R> {
    type Item = Result<BookEntry, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(error) = self.pending.take() {
                return Some(Err(error));
            }
            if self.is_done {
                return self.entry.take().map(Ok);
            }
            let line = match self.lines.next() {
                None => {
                    self.is_done = true;
                    continue;
                }
                Some(Ok(line)) => line,
                Some(Err(error)) => {
                    // A stream that fails once is not asked again.
                    self.is_done = matches!(error.problem, BookProblem::Io(_));
                    return Some(Err(error));
                }
            };
            match self.take(&line) {
                Ok(None) => {}
                Ok(Some(entry)) => return Some(Ok(entry)),
                Err(problem) => return Some(Err(problem.at(self.lines.place()))),
            }
        }
    }
}

/// Reads the line of a move.
fn read_move(line: &str) -> Result<BookMove, BookProblem> {
    let mut rest = line;
    let first = word(&mut rest).unwrap_or_default();
    let mut book_move = BookMove::resign();
    if !is_end(first) {
        let mv = first.parse();
        book_move.mv = Some(mv.map_err(|_| BookProblem::Move(quoted(first)))?);
    }
    let before = rest;
    match word(&mut rest) {
        None => return Ok(book_move),
        Some(reply) if is_end(reply) => {}
        // A file in which the reply was left out goes on with the value.
        Some(number) if number.parse::<i64>().is_ok() => rest = before,
        Some(comment) if is_comment(comment) => rest = before,
        Some(reply) => {
            let mv = reply.parse();
            book_move.ponder = Some(mv.map_err(|_| BookProblem::Move(quoted(reply)))?);
        }
    }
    let cut = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    book_move.value = cut(number(&mut rest)?.unwrap_or(0));
    book_move.depth = cut(number(&mut rest)?.unwrap_or(0));
    // Old files have the version of an engine here, which need not be a number.
    if let Some(count) = word(&mut rest) {
        match count.parse() {
            Ok(count) => book_move.count = count,
            Err(_) if is_comment(count) => rest = &line[line.len() - rest.len() - count.len()..],
            Err(_) => {}
        }
    }
    book_move.comment = rest.trim().into();
    Ok(book_move)
}

/// The next word of a line.
fn word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

/// The next number, if there is one; `none` is none.
fn number(rest: &mut &str) -> Result<Option<i64>, BookProblem> {
    let before = *rest;
    match word(rest) {
        None => Ok(None),
        Some(word) if word.eq_ignore_ascii_case("none") => Ok(None),
        Some(word) if is_comment(word) => {
            *rest = before;
            Ok(None)
        }
        Some(word) => {
            let number = word.parse::<i64>();
            number
                .map(Some)
                .map_err(|_| BookProblem::Number(quoted(word)))
        }
    }
}

fn is_comment(word: &str) -> bool {
    word.starts_with('#') || word.starts_with("//")
}

/// Whether a word stands where a move could and says that there is none.
fn is_end(word: &str) -> bool {
    ["resign", "none", "win"]
        .iter()
        .any(|end| word.eq_ignore_ascii_case(end))
}

/// Writes entries in the order in which they come. On-disk search needs them sorted by
/// [`Position::to_sfen_without_ply`].
#[derive(Debug)]
pub struct DbWriter<W>(W);

impl<W: Write> DbWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut out: W) -> io::Result<Self> {
        writeln!(out, "{HEADER}")?;
        Ok(Self(out))
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, entry: &BookEntry) -> io::Result<()> {
        writeln!(self.0, "sfen {}", entry.pos.to_sfen())?;
        for book_move in &entry.moves {
            write_move(&mut self.0, book_move)?;
        }
        Ok(())
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.0
    }
}

fn write_move(out: &mut impl Write, book_move: &BookMove) -> io::Result<()> {
    let BookMove {
        value,
        depth,
        count,
        ..
    } = book_move;
    match book_move.mv {
        Some(mv) => write!(out, "{mv} ")?,
        None => write!(out, "resign ")?,
    }
    match book_move.ponder {
        Some(ponder) => write!(out, "{ponder} ")?,
        None => write!(out, "none ")?,
    }
    write!(out, "{value} {depth} {count}")?;
    if !book_move.comment.is_empty() {
        let comment = book_move.comment.replace(['\r', '\n'], " ");
        write!(out, " {comment}")?;
    }
    writeln!(out)
}
