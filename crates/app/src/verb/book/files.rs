//! Books as files: by extension, with progress, with the name of the file in every message.

use crate::answer::Failure;
use clap::Args;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tesuji_book::format::{self, Entries};
use tesuji_book::{
    BUILTIN, BookEntry, BookError, BookFormat, BookPlace, Graph, builtin, lock_store,
};
use tesuji_shogi::Position;

/// What is wrong with a book, with the name of its file.
pub(crate) fn failure(path: &Path, error: BookError) -> Failure {
    match error.place {
        BookPlace::Line(line) => Failure::Line {
            path: path.into(),
            line: usize::try_from(line).unwrap_or(usize::MAX),
            what: error.problem.into(),
        },
        _ => Failure::File {
            path: path.into(),
            what: error.into(),
        },
    }
}

/// The format of a book, by its extension.
pub(super) fn format_of(path: &Path) -> Result<BookFormat, Failure> {
    let builtin = (path == Path::new(BUILTIN)).then_some(BookFormat::Store);
    builtin
        .or_else(|| BookFormat::of_path(path))
        .ok_or_else(|| {
            let what = "the extension tells no format of books: expected .db, .ybb, .bin, .sbk, .book, \
                        .tbk or .sqlite";
            Failure::File {
                path: path.into(),
                what: what.into(),
            }
        })
}

/// The path of a store; a name without extension is that of one in SQLite.
pub(super) fn store_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match BookFormat::of_path(&path) {
        Some(format) if format.grows() => Ok(path),
        None if path.extension().is_none() => {
            Ok(path.with_extension(BookFormat::Sqlite.extension()))
        }
        _ => Err(
            "a book that grows is a .sqlite or .tbk file: `tesuji book import` makes one".into(),
        ),
    }
}

/// The entries of a file, counted on standard error while they are read. What makes no sense ends the
/// work, unless `skip` says to go on without it; then it is told.
pub(crate) fn entries(path: &Path, skip: bool) -> Result<Entries, Failure> {
    entries_from(path, skip, &[])
}

/// The same; a format that names no positions is walked from `more` as well as from the start position.
pub(super) fn entries_from(path: &Path, skip: bool, more: &[Position]) -> Result<Entries, Failure> {
    let starts = [&[Position::start()], more].concat();
    let entries = match path == Path::new(BUILTIN) {
        true => builtin().map(|entries| Box::new(entries) as Entries),
        false => format::read(path, format_of(path)?, &starts),
    };
    let entries = entries.map_err(|error| failure(path, error))?;
    let mut counter = ProgressCounter::new("positions read");
    let name = path.to_owned();
    Ok(Box::new(entries.filter(move |entry| {
        counter.tick();
        match entry {
            Err(error) if skip => {
                let _ = writeln!(std::io::stderr(), "skipped: {}: {error}", name.display());
                false
            }
            _ => true,
        }
    })))
}

/// Reads whole books into a graph.
pub(super) fn graph(paths: &[impl AsRef<Path>], skip: bool) -> Result<Graph, Failure> {
    let mut graph = Graph::default();
    for path in paths {
        let path = path.as_ref();
        for entry in entries(path, skip)? {
            let entry = entry.map_err(|error| failure(path, error))?;
            graph.add_entry(&entry).map_err(|error| Failure::File {
                path: path.into(),
                what: error.into(),
            })?;
        }
    }
    Ok(graph)
}

/// Says how large a book is that was written.
pub(super) fn say_written(path: &Path, count: u64) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{}: {count} positions", path.display())?;
    Ok(())
}

/// Where a book is written.
#[derive(Args)]
pub(super) struct BookOutput {
    /// The book to write
    #[arg(id = "output", short, long, value_name = "OUTPUT")]
    pub(super) path: PathBuf,
    /// Replace a .sqlite or .tbk file that is there
    #[arg(long)]
    force: bool,
}

impl BookOutput {
    /// Writes a book and says how large it is.
    pub(super) fn write(
        &self,
        entries: impl Iterator<Item = Result<BookEntry, BookError>>,
    ) -> Result<u64, Failure> {
        let _only_writer = self.allowed()?;
        self.write_unasked(entries)
    }

    /// The same for entries that can be had again, and fast if they come in order.
    pub(super) fn write_again<I>(&self, entries: impl Fn() -> I) -> Result<u64, Failure>
    where
        I: Iterator<Item = Result<BookEntry, BookError>>,
    {
        let _only_writer = self.allowed()?;
        let path = &self.path;
        let written = format::write_if_in_order(path, format_of(path)?, entries());
        match written.map_err(|error| failure(path, error))? {
            Some(count) => {
                say_written(path, count)?;
                Ok(count)
            }
            None => self.write_unasked(entries()),
        }
    }

    fn write_unasked(
        &self,
        entries: impl Iterator<Item = Result<BookEntry, BookError>>,
    ) -> Result<u64, Failure> {
        let count = format::write(&self.path, format_of(&self.path)?, entries);
        let count = count.map_err(|error| failure(&self.path, error))?;
        say_written(&self.path, count)?;
        Ok(count)
    }

    /// Makes sure that no book is lost that grew here: a store is replaced only if that is asked for,
    /// and while nobody writes to it.
    fn allowed(&self) -> Result<Option<File>, Failure> {
        if !format_of(&self.path)?.grows() || !self.path.exists() {
            return Ok(None);
        }
        let lock = lock_store(&self.path).map_err(|error| failure(&self.path, error))?;
        match self.force {
            true => Ok(Some(lock)),
            false => Err(Failure::File {
                path: self.path.clone(),
                what: "it is there, and may have taken long to grow: --force replaces it".into(),
            }),
        }
    }
}

/// Counts on standard error: on a terminal in place, otherwise a line every few seconds.
pub(super) struct ProgressCounter {
    what: &'static str,
    count: u64,
    told: Instant,
    is_terminal: bool,
}

impl ProgressCounter {
    pub(super) fn new(what: &'static str) -> Self {
        Self {
            what,
            count: 0,
            told: Instant::now(),
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    pub(super) fn tick(&mut self) {
        self.count += 1;
        // Looking at the clock costs more than counting.
        if self.count.is_multiple_of(256) {
            self.tell();
        }
    }

    /// Counts many at once.
    pub(super) fn add(&mut self, count: u64) {
        self.count += count;
        self.tell();
    }

    fn tell(&mut self) {
        let pause = Duration::from_millis(if self.is_terminal { 200 } else { 3000 });
        if self.told.elapsed() >= pause {
            self.told = Instant::now();
            let end = if self.is_terminal { "\r" } else { "\n" };
            let _ = write!(std::io::stderr(), "{} {}{end}", self.count, self.what);
        }
    }
}
