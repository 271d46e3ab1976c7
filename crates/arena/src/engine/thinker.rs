//! What the engine needs from a search, and how it gets one.

use tesuji_eval::{ChooseError, Settings, Spec};
use tesuji_search::Search;
use tesuji_shogi::{Position, Value};

/// A search that an engine can lead.
pub trait Thinker: Search {
    /// Uses so many threads and a table of so many bytes from now on.
    fn configure(&mut self, threads: usize, table_bytes: usize);

    /// What the evaluation says of a position: before it is divided, and for the side to move.
    fn judge(&self, pos: &Position) -> (i32, Value);
}

/// Makes searches, each for an evaluator.
pub trait Maker: Send {
    /// Loads the evaluator and sets up a search with it.
    fn make(
        &self,
        spec: &Spec,
        settings: &Settings,
        threads: usize,
        table_bytes: usize,
    ) -> Result<Box<dyn Thinker>, ChooseError>;
}
