//! The user's own book: a file of typed lines that an editor may change at any time.

use crate::user_error::UserError;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tesuji_book::format::lines::{LinesReader, set_weight};
use tesuji_book::{BookEntry, BookError, BookPlace, BookProblem, Graph};
use tesuji_record::file::save;
use tesuji_shogi::{Move, Position};

/// A book that a person types is not larger.
const LARGEST: u64 = 64 << 20;

/// The own book, and where it is kept.
pub(super) struct OwnBook {
    /// Without one it is kept as long as the program runs.
    path: Option<PathBuf>,
    /// The file as it was read last.
    bytes: Vec<u8>,
    stamp: Option<(SystemTime, u64)>,
    graph: Graph,
    /// Why it cannot be edited.
    problem: Option<UserError>,
}

impl OwnBook {
    /// Reads a book as far as it can be read; none yet is an empty one.
    pub(super) fn open(path: Option<PathBuf>) -> Self {
        let mut book = Self {
            path,
            bytes: Vec::new(),
            stamp: None,
            graph: Graph::default(),
            problem: None,
        };
        book.read_again();
        book
    }

    /// What is wrong with it, if anything is: lines that make no sense are left out, and nothing is
    /// edited until they are repaired.
    pub(super) fn problem(&self) -> Option<&UserError> {
        self.problem.as_ref()
    }

    /// Reads it again if an editor changed it.
    pub(super) fn refresh(&mut self) {
        if self.stamp != self.path.as_deref().and_then(stamp) {
            self.read_again();
        }
    }

    fn read_again(&mut self) {
        let Some(path) = self.path.clone() else {
            return;
        };
        // Asked first: what is written from now on is seen the next time.
        self.stamp = stamp(&path);
        match tesuji_kernels::read_input(&path, LARGEST) {
            Ok(bytes) => self.take(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => self.take(Vec::new()),
            Err(error) => self.problem = Some(UserError::own_book(&path, &error.into())),
        }
    }

    fn take(&mut self, bytes: Vec<u8>) {
        self.graph = Graph::default();
        let mut first = None;
        for entry in LinesReader::new(bytes.as_slice()) {
            let added = entry.and_then(|entry| {
                let added = self.graph.add_entry(&entry);
                added.map_err(|error| BookProblem::from(error).at(BookPlace::File))
            });
            first = first.or(added.err());
        }
        self.bytes = bytes;
        let path = self.path.as_deref().unwrap_or(Path::new(super::OWN_BOOK));
        self.problem = first.map(|error| UserError::own_book(path, &error));
    }

    /// What it says about a position, if it has a move.
    pub(super) fn entry(&self, pos: &Position) -> Option<BookEntry> {
        let entry = self.graph.entry(self.graph.find_position(pos)?)?;
        (!entry.moves.is_empty()).then_some(entry)
    }

    /// Gives a move a weight, 0 takes it out, and writes the file; all else in it stays as it is.
    ///
    /// # Errors
    /// If the file makes no sense, or cannot be written.
    pub(super) fn edit(&mut self, pos: &Position, mv: Move, weight: u32) -> Result<(), UserError> {
        self.read_again();
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let edited = set_weight(&self.bytes, pos, mv, weight.into());
        let edited = edited.map_err(|error| UserError::book(&error))?;
        if let Some(path) = &self.path {
            let saved = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            let saved = saved.and_then(|()| save(path, &edited));
            saved.map_err(|error| UserError::book(&BookError::from(error)))?;
            self.stamp = stamp(path);
        }
        self.take(edited);
        Ok(())
    }
}

/// When a file was changed last, and how long it is.
fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
