//! A player put together from parts, as an engine needs it.

use crate::engine_search::EngineSearch;
use std::io;
use tesuji_eval::AnyEval;
use tesuji_search::players::{PartsError, PlayerParts, choose_boxed};
use tesuji_search::{Search, SearchControl, SearchListener, SearchRequest, SearchResult};
use tesuji_shogi::{Position, Value};

/// A search of the laboratory that can be configured: it is made anew for other threads or another
/// table.
pub(crate) struct PartsPlayer {
    parts: PlayerParts,
    eval: (AnyEval, bool),
    threads: usize,
    table_bytes: usize,
    search: Box<dyn Search>,
}

impl PartsPlayer {
    /// The parts, the evaluator and whether it is nothing but piece values.
    pub(crate) fn new(
        parts: PlayerParts,
        eval: (AnyEval, bool),
        threads: usize,
        table_bytes: usize,
    ) -> Result<Self, PartsError> {
        let search = choose_boxed(&parts, eval.clone(), (threads, table_bytes))?;
        Ok(Self {
            parts,
            eval,
            threads,
            table_bytes,
            search,
        })
    }
}

impl Search for PartsPlayer {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        self.search.search(request, control, listener)
    }

    fn new_game(&mut self) {
        self.search.new_game();
    }
}

impl EngineSearch for PartsPlayer {
    fn configure(&mut self, threads: usize, table_bytes: usize) -> io::Result<()> {
        if (threads, table_bytes) == (self.threads, self.table_bytes) {
            return Ok(());
        }
        let made = Self::new(self.parts, self.eval.clone(), threads, table_bytes);
        *self = made.map_err(|error| match error {
            PartsError::Table(error) => error,
            PartsError::Refused(why) => io::Error::other(why.reason()),
        })?;
        Ok(())
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn evaluate(&self, pos: &Position) -> Value {
        self.eval.0.evaluate(pos)
    }
}
