//! The factories that make searches for an engine.

use crate::engine_search::EngineSearch;
use crate::parts_player::PartsPlayer;
use std::io;
use tesuji_eval::{AnyEval, ChooseError, Eval, EvalSettings, EvalSpec};
use tesuji_search::players::{PartsError, PlayerParts, SearchName};
use tesuji_search::tournament::AnyTournament;
use tesuji_shogi::{Position, Value};

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
    /// The parts of the player do not go together.
    #[error("{0}")]
    Parts(&'static str),
}

impl MakeSearchError {
    /// What is wrong with parts, or with the room for their table.
    pub(crate) fn of_parts(error: PartsError, table_bytes: usize) -> Self {
        match error {
            PartsError::Refused(why) => Self::Parts(why.reason()),
            PartsError::Table(source) => Self::Table {
                megabytes: table_bytes >> 20,
                source,
            },
        }
    }
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

    /// As [`SearchFactory::make`], for a player put together from parts. Those of the usual search
    /// are left to `make`.
    ///
    /// # Errors
    /// As there, and if the parts do not go together.
    fn make_player(
        &self,
        parts: &PlayerParts,
        (spec, settings): (&EvalSpec, &EvalSettings),
        threads: usize,
        table_bytes: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        let refused = |error| MakeSearchError::of_parts(error, table_bytes);
        parts.check().map_err(refused)?;
        if parts.search == SearchName::Tournament {
            return self.make(spec, settings, threads, table_bytes);
        }
        let eval = AnyEval::choose(spec, settings)?;
        let is_material = *spec == EvalSpec::Material;
        let player = PartsPlayer::new(*parts, (eval, is_material), threads, table_bytes);
        Ok(Box::new(player.map_err(refused)?))
    }
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
