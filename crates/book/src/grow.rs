//! The stores of books that grow, by their extension.

use crate::entry::BookEntry;
use crate::error::BookError;
use crate::format::BookFormat;
use crate::store::{BookStore, FactStore};
use std::path::Path;

/// Opens a store for writing, or makes one: a log or, by its extension, tables in SQLite. Hands
/// everything it holds to `see`; says how many bytes of an unfinished record were cut off.
///
/// # Errors
/// If the file cannot be opened or is no store, or somebody else writes to it.
pub fn open_store(
    path: &Path,
    see: &mut dyn FnMut(BookEntry),
) -> Result<(Box<dyn FactStore>, u64), BookError> {
    if BookFormat::of_path(path) == Some(BookFormat::Sqlite) {
        #[cfg(feature = "sqlite")]
        return Ok((Box::new(crate::sqlite::SqliteStore::open(path, see)?), 0));
        #[cfg(not(feature = "sqlite"))]
        return Err(crate::BookProblem::NoSqlite.at(crate::BookPlace::File));
    }
    let (store, cut) = BookStore::open(path, see)?;
    Ok((Box::new(store), cut))
}
