//! What the engine needs from a search, and how it gets one.

use std::io;
use tesuji_eval::{AnyEval, ChooseError, Eval, EvalSettings, EvalSpec};
use tesuji_search::Search;
use tesuji_search::tournament::Tournament;
use tesuji_shogi::{Position, Value};

/// A search that an engine can lead.
pub trait Thinker: Search {
    /// Uses so many threads and a table of so many bytes from now on.
    ///
    /// # Errors
    /// If the system has no room for the table; then the old one stays.
    fn configure(&mut self, threads: usize, table_bytes: usize) -> io::Result<()>;

    /// What the evaluation says of a position, for the side to move.
    fn judge(&self, pos: &Position) -> Value;

    /// Changes one of the numbers that it searches with; `false` if there is no such number or the
    /// value is out of its range.
    fn tune(&mut self, _name: &str, _value: i32) -> bool {
        false
    }
}

/// Why there is no search.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The evaluator cannot be had.
    #[error(transparent)]
    Evaluator(#[from] ChooseError),
    /// The system has no room for the table.
    #[error("no room for a table of {megabytes} MB: {source}")]
    Table {
        /// How large it should have been.
        megabytes: usize,
        /// What the system says.
        source: io::Error,
    },
}

/// Makes searches, each for an evaluator.
pub trait Maker: Send {
    /// Loads the evaluator and sets up a search with it.
    ///
    /// # Errors
    /// If the evaluator cannot be loaded or the table is too large.
    fn make(
        &self,
        spec: &EvalSpec,
        settings: &EvalSettings,
        threads: usize,
        table_bytes: usize,
    ) -> Result<Box<dyn Thinker>, MakeError>;
}

/// Makes the search that plays tournaments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tournaments;

impl Maker for Tournaments {
    fn make(
        &self,
        spec: &EvalSpec,
        settings: &EvalSettings,
        threads: usize,
        table_bytes: usize,
    ) -> Result<Box<dyn Thinker>, MakeError> {
        let judge = AnyEval::choose(spec, settings)?;
        let search = Tournament::new(judge, threads, table_bytes);
        let search = search.map_err(|source| MakeError::Table {
            megabytes: table_bytes >> 20,
            source,
        })?;
        Ok(Box::new(search))
    }
}

impl Thinker for Tournament<AnyEval> {
    fn configure(&mut self, threads: usize, table_bytes: usize) -> io::Result<()> {
        Tournament::configure(self, threads, table_bytes)
    }

    fn judge(&self, pos: &Position) -> Value {
        let judge = self.eval();
        judge.value(&mut judge.stack(), pos)
    }

    fn tune(&mut self, name: &str, value: i32) -> bool {
        self.params().set(name, value)
    }
}
