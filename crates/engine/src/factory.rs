//! What an engine needs from a search, and the factory that makes one.

use std::io;
use tesuji_eval::{AnyEval, ChooseError, Eval, EvalSettings, EvalSpec};
use tesuji_search::Search;
use tesuji_search::tournament::AnyTournament;
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

/// Why there is no search.
#[derive(Debug, thiserror::Error)]
pub enum MakeSearchError {
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
pub trait SearchFactory: Send {
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
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError>;
}

/// Makes the tournament search.
#[derive(Clone, Copy, Debug, Default)]
pub struct TournamentFactory;

impl SearchFactory for TournamentFactory {
    fn make(
        &self,
        spec: &EvalSpec,
        settings: &EvalSettings,
        threads: usize,
        table_bytes: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        let eval = AnyEval::choose(spec, settings)?;
        let search = AnyTournament::new(eval, threads, table_bytes);
        let search = search.map_err(|source| MakeSearchError::Table {
            megabytes: table_bytes >> 20,
            source,
        })?;
        Ok(Box::new(search))
    }
}

impl EngineSearch for AnyTournament {
    fn configure(&mut self, threads: usize, table_bytes: usize) -> io::Result<()> {
        AnyTournament::configure(self, threads, table_bytes)
    }

    fn threads(&self) -> usize {
        AnyTournament::threads(self)
    }

    fn touch(&self, hurry: &(dyn Fn() -> bool + Sync)) {
        AnyTournament::touch(self, hurry);
    }

    fn evaluate(&self, pos: &Position) -> Value {
        let eval = self.eval();
        eval.value(&mut eval.stack(), pos)
    }

    fn tune(&mut self, name: &str, value: i32) -> bool {
        self.params().set(name, value)
    }
}
