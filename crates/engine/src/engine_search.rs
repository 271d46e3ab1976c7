//! What an engine needs from a search.

use std::io;
use tesuji_search::Search;
use tesuji_shogi::{Position, Value};

/// A search that an engine can configure.
pub trait EngineSearch: Search {
    /// Uses so many threads, or as many as the system has, and a table of so many bytes from now on.
    ///
    /// # Errors
    /// If the system has no room for the table; then the old one stays.
    fn configure(&mut self, threads: usize, table_bytes: usize) -> io::Result<()>;

    /// How many threads it has.
    fn threads(&self) -> usize;

    /// Has the system provide the memory of the table now, as far as nobody is in a hurry: otherwise
    /// it comes when it is needed.
    fn touch(&self, _hurry: &(dyn Fn() -> bool + Sync)) {}

    /// What the evaluation says of a position, for the side to move.
    fn evaluate(&self, pos: &Position) -> Value;

    /// Changes one of its parameters; `false` if there is no such parameter or the value is out of
    /// its range.
    fn tune(&mut self, _name: &str, _value: i32) -> bool {
        false
    }
}
