//! Every file format of the field, by its extension.
//!
//! `.db` and `.ybb` are YaneuraOu's (Isozaki), `.bin` is Apery's (Hiraoka) after Polyglot, `.sbk`
//! is ShogiGUI's; the others are ours.

pub mod apery;
pub mod db;
pub mod disk;
pub mod lines;
mod protobuf;
pub mod sbk;
#[cfg(test)]
mod tests;
mod text;
pub mod ybb;

use crate::entry::BookEntry;
use crate::error::{BookError, BookPlace, BookProblem};
use crate::graph::BookSource;
use crate::sort::{EntryOrder, Sorter};
use crate::store;
use std::io::{BufReader, Read};
use std::path::Path;
use std::str::FromStr;
use tesuji_kernels::open_input;
use tesuji_record::file::NewFile;
use tesuji_shogi::Position;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BookFormat {
    /// YaneuraOu's text, `.db`.
    Db,
    /// YaneuraOu's binary, `.ybb`.
    Ybb,
    /// Apery's binary, `.bin`.
    Apery,
    /// ShogiGUI's books, `.sbk`.
    Sbk,
    /// Lines that a person types, `.book`.
    Lines,
    /// Our own log, `.tbk`.
    Store,
    /// Our own store in SQLite, `.sqlite`.
    Sqlite,
}

impl BookFormat {
    /// Every format.
    pub const ALL: [Self; 7] = [
        Self::Db,
        Self::Ybb,
        Self::Apery,
        Self::Sbk,
        Self::Lines,
        Self::Store,
        Self::Sqlite,
    ];

    /// Whether a book of this format can be added to while it is used: [`crate::open_store`].
    pub const fn grows(self) -> bool {
        matches!(self, Self::Store | Self::Sqlite)
    }

    /// Whether this build of the library reads and writes it.
    pub const fn is_built_in(self) -> bool {
        !matches!(self, Self::Sqlite) || cfg!(feature = "sqlite")
    }

    /// Its extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Db => "db",
            Self::Ybb => "ybb",
            Self::Apery => "bin",
            Self::Sbk => "sbk",
            Self::Lines => "book",
            Self::Store => "tbk",
            Self::Sqlite => "sqlite",
        }
    }

    /// The format that the extension of a path tells.
    pub fn of_path(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    const fn order(self) -> EntryOrder {
        match self {
            Self::Ybb => EntryOrder::Packed,
            _ => EntryOrder::Sfen,
        }
    }

    /// What of an entry the format can hold.
    pub fn keeps(self, entry: &BookEntry) -> BookEntry {
        let mut kept = entry.clone();
        if self.grows() {
            return kept;
        }
        kept = BookEntry::new(kept.pos, kept.moves);
        if matches!(self, Self::Apery | Self::Sbk) {
            kept.moves.retain(|mv| mv.mv.is_some());
        }
        let first = kept.moves.first().map(|mv| mv.comment.clone());
        for mv in &mut kept.moves {
            let is_search = matches!(mv.source, BookSource::Search { .. });
            let is_valued = mv.value != 0 || mv.depth != 0;
            if self != Self::Sbk || !is_search || !is_valued {
                mv.source = BookSource::Unknown;
            }
            if self != Self::Sbk {
                (mv.won, mv.lost) = (0, 0);
            }
            if !matches!(self, Self::Db | Self::Lines) {
                mv.ponder = None;
                mv.comment.clear();
            }
            match self {
                Self::Ybb => mv.count = 1,
                Self::Apery => mv.depth = 0,
                Self::Lines => mv.source = BookSource::Person,
                _ => {}
            }
        }
        if let (Self::Sbk, Some(mv), Some(comment)) = (self, kept.moves.first_mut(), first) {
            mv.comment = comment;
        }
        kept
    }
}

/// Why a word names no format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no format of books: expected db, ybb, bin, sbk, book, tbk or sqlite")]
pub struct BookFormatError(String);

impl FromStr for BookFormat {
    type Err = BookFormatError;
    fn from_str(text: &str) -> Result<Self, BookFormatError> {
        let found = Self::ALL
            .into_iter()
            .find(|format| format.extension().eq_ignore_ascii_case(text));
        found.ok_or_else(|| BookFormatError(crate::error::quoted(text)))
    }
}

/// Entries as they come from a file.
pub type Entries = Box<dyn Iterator<Item = Result<BookEntry, BookError>>>;

/// How much of an SBK file is read: it has to fit into memory.
const LARGEST_SBK: u64 = 4 << 30;

/// Opens a file and reads its entries one after the other. Those of Apery's format are looked for
/// from `starts` on. Most formats go on behind what makes no sense: the caller decides.
///
/// # Errors
/// If the file cannot be opened or is of another kind.
pub fn read(path: &Path, format: BookFormat, starts: &[Position]) -> Result<Entries, BookError> {
    let most_bytes = match format {
        BookFormat::Sbk => LARGEST_SBK,
        _ => u64::MAX,
    };
    let file = open_input(path, most_bytes)?;
    let buffered = |file| BufReader::with_capacity(1 << 16, file);
    Ok(match format {
        BookFormat::Db => Box::new(db::DbReader::new(buffered(file))),
        BookFormat::Lines => Box::new(lines::LinesReader::new(buffered(file))),
        BookFormat::Ybb => Box::new(ybb::YbbBook::open(buffered(file))?.entries()),
        BookFormat::Apery => Box::new(apery::AperyBook::open(buffered(file))?.walk(starts)),
        BookFormat::Store => Box::new(store::StoreReader::new(buffered(file))?),
        #[cfg(feature = "sqlite")]
        BookFormat::Sqlite => Box::new(crate::sqlite::SqliteBook::open(path)?.entries()),
        #[cfg(not(feature = "sqlite"))]
        BookFormat::Sqlite => return Err(BookProblem::NoSqlite.at(BookPlace::File)),
        BookFormat::Sbk => {
            let mut bytes = Vec::new();
            file.take(LARGEST_SBK).read_to_end(&mut bytes)?;
            let (entries, lost) = sbk::read(&bytes)?;
            let warning = (lost > 0).then(|| {
                let what = format!("{lost} positions that no move leads to");
                Err(BookProblem::Kind("whole SBK book", what).at(BookPlace::File))
            });
            Box::new(entries.into_iter().map(Ok).chain(warning))
        }
    })
}

/// Writes a whole book, sorted as the format wants it and every position once. The file takes its name
/// when it is complete. Says how many positions it has.
///
/// # Errors
/// If an entry cannot be had or has no room in the format, or the file cannot be written.
pub fn write(
    path: &Path,
    format: BookFormat,
    entries: impl Iterator<Item = Result<BookEntry, BookError>>,
) -> Result<u64, BookError> {
    let mut sorter = Sorter::new(format.order());
    for entry in entries {
        sorter.push(&entry?)?;
    }
    write_sorted(path, format, sorter.finish()?)
}

/// The same for entries that probably come in order, every position once: faster. `None`, and no file,
/// if they do not.
///
/// # Errors
/// As [`write()`] does.
pub fn write_if_in_order(
    path: &Path,
    format: BookFormat,
    entries: impl Iterator<Item = Result<BookEntry, BookError>>,
) -> Result<Option<u64>, BookError> {
    let mut last = Vec::new();
    let mut is_in_order = true;
    let checked = entries.map(|entry| {
        let entry = entry?;
        let key = format.order().key(&entry)?;
        is_in_order &= last < key;
        last = key;
        match is_in_order {
            true => Ok(entry),
            false => Err(BookProblem::Order.at(BookPlace::File)),
        }
    });
    match write_sorted(path, format, checked) {
        Err(_) if !is_in_order => Ok(None),
        written => written.map(Some),
    }
}

fn write_sorted(
    path: &Path,
    format: BookFormat,
    entries: impl Iterator<Item = Result<BookEntry, BookError>>,
) -> Result<u64, BookError> {
    let mut count = 0;
    let entries = entries.inspect(|_| count += 1);
    if format == BookFormat::Sqlite {
        write_tables(path, entries)?;
        return Ok(count);
    }
    let mut out = NewFile::create(path)?;
    match format {
        BookFormat::Db => {
            let mut writer = db::DbWriter::new(&mut out)?;
            for entry in entries {
                writer.write(&entry?)?;
            }
        }
        BookFormat::Lines => {
            let mut writer = lines::LinesWriter::new(&mut out)?;
            for entry in entries {
                writer.write(&entry?)?;
            }
        }
        BookFormat::Store => {
            let mut writer = store::StoreWriter::new(&mut out)?;
            for entry in entries {
                writer.write(&entry?)?;
            }
        }
        BookFormat::Ybb => {
            let mut writer = ybb::YbbWriter::new()?;
            for entry in entries {
                writer.add(&entry?)?;
            }
            writer.finish(&mut out)?;
        }
        BookFormat::Apery => {
            let mut writer = apery::AperyWriter::default();
            for entry in entries {
                writer.add(&entry?);
            }
            writer.finish(&mut out)?;
        }
        BookFormat::Sbk => {
            let entries = entries.collect::<Result<Vec<_>, _>>()?;
            sbk::write(&entries, "Tesuji", &mut out)?;
        }
        BookFormat::Sqlite => {}
    }
    out.keep()?;
    Ok(count)
}

#[cfg(feature = "sqlite")]
use crate::sqlite::write as write_tables;

#[cfg(not(feature = "sqlite"))]
fn write_tables(
    _: &Path,
    _: impl Iterator<Item = Result<BookEntry, BookError>>,
) -> Result<(), BookError> {
    Err(BookProblem::NoSqlite.at(BookPlace::File))
}
