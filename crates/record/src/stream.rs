//! Many games from one stream, never more than one of them in memory.

use crate::encoding::{Encoding, decode};
use crate::error::{ReadError, ReadProblem};
use crate::format::TextFormat;
use crate::game::Game;
use std::io::{self, BufRead, Read};

/// Why a stream of games ends.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The bytes cannot be had.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// A game cannot be read; the line is counted from the beginning of the stream.
    #[error(transparent)]
    Game(#[from] ReadError),
    /// A game longer than any that was ever played.
    #[error("line {0}: more than 64 MiB without the end of the game")]
    TooLong(usize),
}

/// What one game may take.
const LONGEST: usize = 64 << 20;

/// The games of a stream, one after the other. After a game that cannot be read the next one
/// follows; after any other trouble nothing does.
///
/// Games are told apart by `/` in CSA, by the line in USI, by their first line (`#KIF`, `#KI2`) in
/// KIF and KI2, and in JKF by the line, unless the first game fills several.
///
/// ```
/// use tesuji_record::{Games, TextFormat};
/// let text = "startpos moves 7g7f\n# a comment\n\nstartpos moves 2g2f 8c8d\n";
/// let games: Vec<_> = Games::new(text.as_bytes(), TextFormat::Usi).collect();
/// assert_eq!(games.len(), 2);
/// ```
pub struct Games<R> {
    reader: R,
    format: TextFormat,
    encoding: Option<Encoding>,
    /// Lines read so far.
    line: usize,
    /// The first line of the next game, which had to be read to see that this one was over.
    ahead: Vec<u8>,
    is_done: bool,
}

impl<R: BufRead> Games<R> {
    /// The games of a stream in one format.
    pub const fn new(reader: R, format: TextFormat) -> Self {
        Self {
            reader,
            format,
            encoding: None,
            line: 0,
            ahead: Vec::new(),
            is_done: false,
        }
    }

    /// The same, with the encoding known.
    pub const fn with_encoding(mut self, encoding: Option<Encoding>) -> Self {
        self.encoding = encoding;
        self
    }

    /// How many lines have been read.
    pub const fn lines(&self) -> usize {
        self.line
    }

    /// The bytes of the next game, and the number of the line before it.
    fn next_text(&mut self) -> Result<Option<(usize, Vec<u8>)>, StreamError> {
        let mut text = std::mem::take(&mut self.ahead);
        let mut before = self.line - usize::from(!text.is_empty());
        loop {
            let start = text.len();
            let limit = (LONGEST - start) as u64;
            let read = self
                .reader
                .by_ref()
                .take(limit)
                .read_until(b'\n', &mut text)?;
            if read == 0 {
                if limit == 0 {
                    return Err(StreamError::TooLong(self.line));
                }
                self.is_done = true;
                return Ok((!is_blank(&text)).then_some((before, text)));
            }
            self.line += 1;
            match self.boundary(&text, start) {
                Boundary::Inside => {}
                Boundary::Skip => {
                    text.truncate(start);
                    if start == 0 {
                        before = self.line;
                    }
                }
                Boundary::Here => return Ok(Some((before, text))),
                Boundary::Before => {
                    self.ahead = text.split_off(start);
                    return Ok(Some((before, text)));
                }
            }
        }
    }

    /// What the line from `start` on means for the game that is being gathered.
    fn boundary(&self, text: &[u8], start: usize) -> Boundary {
        let line = text[start..].trim_ascii();
        let has_game = || !is_blank(&text[..start]);
        match self.format {
            TextFormat::Csa | TextFormat::Csa3 if line == b"/" => match has_game() {
                true => Boundary::Here,
                false => Boundary::Skip,
            },
            TextFormat::Kif | TextFormat::Ki2 if line.starts_with(b"#KI") && has_game() => {
                Boundary::Before
            }
            TextFormat::Usi if line.is_empty() || line.starts_with(b"#") => Boundary::Skip,
            TextFormat::Usi => Boundary::Here,
            TextFormat::Jkf if line.is_empty() && start == 0 => Boundary::Skip,
            // A record in one line ends with it; one in many lines goes on to the end.
            TextFormat::Jkf if start == 0 && line.starts_with(b"{") && line.ends_with(b"}") => {
                Boundary::Here
            }
            _ => Boundary::Inside,
        }
    }

    fn read(&self, bytes: &[u8]) -> Result<Game, ReadError> {
        let text = match self.encoding {
            None => decode(bytes).map_err(|problem| problem.at(1))?,
            Some(encoding) => encoding
                .decode(bytes)
                .ok_or_else(|| ReadProblem::Encoding(1).at(1))?,
        };
        self.format.read(&text)
    }
}

enum Boundary {
    Inside,
    Skip,
    Here,
    Before,
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Game, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done && self.ahead.is_empty() {
            return None;
        }
        match self.next_text() {
            Ok(None) => {
                self.is_done = true;
                None
            }
            Ok(Some((before, bytes))) => Some(self.read(&bytes).map_err(|mut error| {
                error.line += before;
                error.into()
            })),
            Err(error) => {
                self.is_done = true;
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of_errors(text: &str, format: TextFormat) -> (usize, Vec<usize>) {
        let (mut games, mut lines) = (0, Vec::new());
        for game in Games::new(text.as_bytes(), format) {
            match game {
                Ok(_) => games += 1,
                Err(StreamError::Game(error)) => lines.push(error.line),
                Err(error) => panic!("{error}"),
            }
        }
        (games, lines)
    }

    #[test]
    fn games_are_told_apart_and_bad_lines_counted_from_the_top() {
        let csa = "PI\n+\n+7776FU\n/\n/\nPI\n+\n+7775FU\n/\nPI\n+\n%TORYO";
        assert_eq!(lines_of_errors(csa, TextFormat::Csa), (2, vec![8]));
        let kif = "#KIF\n1 ７六歩(77)\n\n#KIF\n1 ７五歩(77)\n2 ３四歩(33)\n#KIF\n1 投了\n";
        assert_eq!(lines_of_errors(kif, TextFormat::Kif), (2, vec![6]));
        let usi = "# c\nstartpos\n\nstartpos moves 1a1b\nstartpos moves 7g7f";
        assert_eq!(lines_of_errors(usi, TextFormat::Usi), (2, vec![4]));
        let jkf = "{\"moves\":[{}]}\n{\"moves\":3}\n\n{\"moves\":[]}\n";
        assert_eq!(lines_of_errors(jkf, TextFormat::Jkf), (2, vec![2]));
        let pretty = "{\n\"moves\":[\n{}\n]}\n";
        assert_eq!(lines_of_errors(pretty, TextFormat::Jkf), (1, vec![]));
    }
}
