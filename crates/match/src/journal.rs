//! A journal: a file of JSON lines that a long run appends to, whole, one for each thing done.
//!
//! The first line says which run it belongs to. A run that was killed leaves complete lines and at
//! most one torn one, which is cut off when the run goes on, once the first line has shown that the
//! file is its own. The file is locked while a run writes into it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use tesuji_kernels::require_regular;

/// What the first line of a journal says: a journal can only be continued by the same run.
pub trait JournalHeader: Serialize + DeserializeOwned {
    /// What kind of run it is, for messages.
    const RUN: &'static str;
    /// The option that names the file, for messages.
    const OPTION: &'static str;

    /// What differs between two runs, in words; `None` if they are the same.
    fn difference(&self, other: &Self) -> Option<&'static str>;
}

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// In which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Another run writes into it.
    #[error(
        "{}: another {run} is writing into it: wait until it ends, or name another file with {option}",
        path.display()
    )]
    InUse {
        /// Which file.
        path: PathBuf,
        /// What kind of run.
        run: &'static str,
        /// The option that names the file.
        option: &'static str,
    },
    /// It belongs to another run.
    #[error(
        "{}: belongs to another {run} ({what} differ): name another file with {option}, or remove \
         this one to begin anew",
        path.display()
    )]
    Other {
        /// Which file.
        path: PathBuf,
        /// What kind of run.
        run: &'static str,
        /// The option that names the file.
        option: &'static str,
        /// What differs.
        what: &'static str,
    },
}

/// A journal, open for more lines. It is locked as long as it is open.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a run or begins it; the lines that are there already come with it. A
    /// file that is not of this run is left as it is.
    ///
    /// # Errors
    /// If it cannot be read or written, belongs to another run, or another run writes into it.
    pub fn open<H: JournalHeader, L: DeserializeOwned>(
        path: &Path,
        header: &H,
    ) -> Result<(Self, Vec<L>), JournalError> {
        let mut journal = Self::locked::<H>(path)?;
        let mut lines = JournalLines::new(path, &journal.file)?;
        match lines.next()? {
            NextLine::End => journal.add(header)?,
            // A run that was killed while it wrote its first line.
            NextLine::Torn(text) if is_beginning(&text, header) => {
                journal.cut(0)?;
                journal.add(header)?;
            }
            NextLine::Whole(first) | NextLine::Torn(first) => journal.check(&first, header)?,
        }
        let mut found = Vec::new();
        loop {
            match lines.next()? {
                NextLine::End => break,
                NextLine::Whole(text) => found.push(lines.parse(&text)?),
                // What a killed run was just writing. The file is ours, nobody else writes.
                NextLine::Torn(_) => {
                    journal.cut(lines.whole)?;
                    break;
                }
            }
        }
        Ok((journal, found))
    }

    /// Opens a file for reading and appending, and keeps others from doing the same.
    fn locked<H: JournalHeader>(path: &Path) -> Result<Self, JournalError> {
        let path = path.to_path_buf();
        let opened = match std::fs::metadata(&path) {
            Ok(metadata) => require_regular(&metadata),
            Err(_) => Ok(()),
        };
        let opened = opened.and_then(|()| {
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true).open(&path)
        });
        let file = match opened {
            Ok(file) => file,
            Err(source) => return Err(JournalError::File { path, source }),
        };
        match file.try_lock() {
            Ok(()) => Ok(Self { path, file }),
            Err(TryLockError::WouldBlock) => Err(JournalError::InUse {
                path,
                run: H::RUN,
                option: H::OPTION,
            }),
            // Where files cannot be locked a run can go on nevertheless.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(Self { path, file })
            }
            Err(TryLockError::Error(source)) => Err(JournalError::File { path, source }),
        }
    }

    /// Cuts off what follows so many bytes.
    fn cut(&self, length: u64) -> Result<(), JournalError> {
        self.file
            .set_len(length)
            .map_err(|source| JournalError::File {
                path: self.path.clone(),
                source,
            })
    }

    fn check<H: JournalHeader>(&self, first: &[u8], header: &H) -> Result<(), JournalError> {
        let found: H = serde_json::from_slice(first).map_err(|error| JournalError::Line {
            path: self.path.clone(),
            line: 1,
            why: format!("this is no file of a {}: {error}", H::RUN),
        })?;
        match found.difference(header) {
            None => Ok(()),
            Some(what) => Err(JournalError::Other {
                path: self.path.clone(),
                run: H::RUN,
                option: H::OPTION,
                what,
            }),
        }
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        // One write, so that a line is there or is not.
        let written = text.and_then(|text| self.file.write_all(format!("{text}\n").as_bytes()));
        written.map_err(|source| JournalError::File {
            path: self.path.clone(),
            source,
        })
    }
}

/// Whether a torn line is the beginning of a header.
fn is_beginning(text: &[u8], header: &impl Serialize) -> bool {
    serde_json::to_string(header).is_ok_and(|line| line.as_bytes().starts_with(text))
}

/// The longest line: a game of as many moves as a game can have fits several times.
const LONGEST_LINE: u64 = 64 << 20;

/// The lines of a journal.
struct JournalLines<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    /// How many lines were read.
    number: usize,
    /// How many bytes the whole ones have.
    whole: u64,
}

enum NextLine {
    /// With its end.
    Whole(Vec<u8>),
    /// Without one.
    Torn(Vec<u8>),
    End,
}

impl<'a> JournalLines<'a> {
    fn new(path: &'a Path, file: &File) -> Result<Self, JournalError> {
        let file = file.try_clone().map_err(|source| JournalError::File {
            path: path.into(),
            source,
        })?;
        Ok(Self {
            path,
            reader: BufReader::new(file),
            number: 0,
            whole: 0,
        })
    }

    fn next(&mut self) -> Result<NextLine, JournalError> {
        let mut line = Vec::new();
        let mut limited = self.reader.by_ref().take(LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut line);
        let read = read.map_err(|source| JournalError::File {
            path: self.path.into(),
            source,
        })? as u64;
        self.number += 1;
        match line.pop_if(|byte| *byte == b'\n') {
            Some(_) => {
                self.whole += read;
                Ok(NextLine::Whole(line))
            }
            None if read == 0 => Ok(NextLine::End),
            None if read == LONGEST_LINE => Err(self.wrong("the line is too long")),
            None => Ok(NextLine::Torn(line)),
        }
    }

    /// What the last line tells.
    fn parse<L: DeserializeOwned>(&self, line: &[u8]) -> Result<L, JournalError> {
        serde_json::from_slice(line).map_err(|error| self.wrong(&error.to_string()))
    }

    fn wrong(&self, why: &str) -> JournalError {
        JournalError::Line {
            path: self.path.into(),
            line: self.number,
            why: why.into(),
        }
    }
}
