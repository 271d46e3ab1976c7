//! A book that a person types: lines of moves, as on a score sheet.
//!
//! ```text
//! # Bishop exchange. Everything behind # is a comment.
//! 7g7f 3c3d 2g2f 8c8d 2f2e *3
//! ▲７六歩 △３四歩 ▲２六歩 △４四歩 ▲４八銀
//! sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1
//! 3c3d =120 @18 ~7g7f   # White gives two pieces
//! ```
//!
//! Every line begins at the start position, or at the last line that begins with `sfen` or says
//! `startpos`. Moves are written as in USI or as in Japanese records; `resign` ends a line. Behind a
//! move may stand `*N`, its weight; `=N`, its value for the side that plays it; `@N`, the depth of
//! the search behind the value; `~MOVE`, the reply that is expected. A move that several lines have
//! in common gets the weights of all of them.

mod edit;

pub use edit::set_weight;

use super::text::Lines;
use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookProblem, quoted};
use crate::graph::BookSource;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::Range;
use tesuji_record::names::read_japanese;
use tesuji_shogi::{Move, Position};

/// The entries of a file: one for each move that is typed. After a line that makes no sense the next
/// one follows; nothing of such a line is used.
#[derive(Debug)]
pub struct LinesReader<R> {
    lines: Lines<R>,
    start: Position,
    ready: VecDeque<BookEntry>,
    is_done: bool,
}

impl<R: BufRead> LinesReader<R> {
    /// Reads from a stream.
    pub fn new(reader: R) -> Self {
        Self {
            lines: Lines::new(reader),
            start: Position::start(),
            ready: VecDeque::new(),
            is_done: false,
        }
    }

    fn take(&mut self, line: &str) -> Result<(), BookProblem> {
        let (text, comment) = line.split_once('#').unwrap_or((line, ""));
        let text = text.trim();
        if let Some(start) = read_start(text) {
            self.start = start?;
            return Ok(());
        }
        let mut moves = read_line(&self.start, text)?;
        if let Some(last) = moves.last_mut() {
            last.entry.moves[0].comment = comment.trim().into();
        }
        self.ready
            .extend(moves.into_iter().map(|typed| typed.entry));
        Ok(())
    }
}

impl<R: BufRead> Iterator for LinesReader<R> {
    type Item = Result<BookEntry, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(Ok(entry));
            }
            if self.is_done {
                return None;
            }
            match self.lines.next() {
                None => self.is_done = true,
                Some(Err(error)) => {
                    self.is_done = matches!(error.problem, BookProblem::Io(_));
                    return Some(Err(error));
                }
                Some(Ok(line)) => {
                    if let Err(problem) = self.take(&line) {
                        return Some(Err(problem.at(self.lines.place())));
                    }
                }
            }
        }
    }
}

/// A move of a line, and where it stands there.
struct TypedMove {
    entry: BookEntry,
    /// The move with all that is said about it.
    span: Range<usize>,
    /// Its weight, if one is written.
    weight: Option<Range<usize>>,
}

/// The moves of a line, each in its position.
fn read_line(start: &Position, text: &str) -> Result<Vec<TypedMove>, BookProblem> {
    let mut pos = start.clone();
    let mut moves: Vec<TypedMove> = Vec::new();
    let mut is_over = false;
    for word in text.split_whitespace() {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let span = at..at + word.len();
        if let Some(mark) = word.chars().next().filter(|c| "*=@~".contains(*c)) {
            let last = moves.last_mut();
            let typed = last.ok_or_else(|| BookProblem::Move(quoted(word)))?;
            describe(&mut typed.entry.moves[0], mark, &word[1..], &pos)?;
            typed.span.end = span.end;
            if mark == '*' {
                typed.weight = Some(span);
            }
            continue;
        }
        if is_over {
            return Err(BookProblem::Move(quoted(word)));
        }
        let here = pos.setup().build().expect("a sound position");
        let mut book_move = BookMove::resign();
        if word.eq_ignore_ascii_case("resign") || word == "投了" {
            is_over = true;
        } else {
            let mv = read_move(&pos, word)?;
            if pos.try_play(mv).is_err() {
                return Err(BookProblem::Illegal(mv.to_string()));
            }
            book_move.mv = Some(mv);
        }
        book_move.source = BookSource::Person;
        moves.push(TypedMove {
            entry: BookEntry::new(here, vec![book_move]),
            span,
            weight: None,
        });
    }
    Ok(moves)
}

/// The position that a line names for those below it; `None` if it is a line of moves.
fn read_start(text: &str) -> Option<Result<Position, BookProblem>> {
    let is_start = text == "startpos" || text == "sfen" || text.starts_with("sfen ");
    is_start.then(|| Ok(Position::from_sfen(text)?))
}

fn read_move(pos: &Position, word: &str) -> Result<Move, BookProblem> {
    if word.is_ascii() {
        return word.parse().map_err(|_| BookProblem::Move(quoted(word)));
    }
    let (mv, rest) = read_japanese(pos, word)?;
    match rest.trim().is_empty() {
        true => Ok(mv),
        false => Err(BookProblem::Move(quoted(word))),
    }
}

/// What stands behind a move; `pos` is the position after it.
fn describe(
    book_move: &mut BookMove,
    mark: char,
    text: &str,
    pos: &Position,
) -> Result<(), BookProblem> {
    let wrong = |_| BookProblem::Number(quoted(text));
    match mark {
        '*' => book_move.count = text.parse().map_err(wrong)?,
        '=' => book_move.value = text.parse().map_err(wrong)?,
        '@' => book_move.depth = text.parse().map_err(wrong)?,
        _ => {
            let reply = read_move(pos, text)?;
            if !pos.is_legal(reply) {
                return Err(BookProblem::Illegal(reply.to_string()));
            }
            book_move.ponder = Some(reply);
        }
    }
    Ok(())
}

/// Writes entries, each with its position, one move on a line.
#[derive(Debug)]
pub struct LinesWriter<W>(W);

impl<W: Write> LinesWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut out: W) -> io::Result<Self> {
        writeln!(out, "# MOVE *WEIGHT =VALUE @DEPTH ~REPLY # comment")?;
        Ok(Self(out))
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, entry: &BookEntry) -> io::Result<()> {
        writeln!(self.0, "sfen {}", entry.pos.to_sfen())?;
        for book_move in &entry.moves {
            let BookMove {
                mv,
                value,
                depth,
                count,
                ponder,
                comment,
                ..
            } = book_move;
            match mv {
                Some(mv) => write!(self.0, "{mv}")?,
                None => write!(self.0, "resign")?,
            }
            if *count != 1 {
                write!(self.0, " *{count}")?;
            }
            if *value != 0 {
                write!(self.0, " ={value}")?;
            }
            if *depth != 0 {
                write!(self.0, " @{depth}")?;
            }
            if let (Some(_), Some(ponder)) = (mv, ponder) {
                write!(self.0, " ~{ponder}")?;
            }
            if !comment.is_empty() {
                write!(self.0, " # {}", comment.replace(['\r', '\n'], " "))?;
            }
            writeln!(self.0)?;
        }
        Ok(())
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.0
    }
}
