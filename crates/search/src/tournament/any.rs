//! The tournament search for any evaluator, compiled once.
//!
//! What is generic is compiled anew in every crate that uses it, and this search is large: learner,
//! engine, Python package and program use this one, which is compiled here alone.

use super::threads::Tournament;
use crate::control::SearchControl;
use crate::info::SearchListener;
use crate::params::Params;
use crate::request::SearchRequest;
use crate::result::SearchResult;
use crate::search::Search;
use std::io;
use tesuji_eval::AnyEval;

/// [`Tournament`] with an evaluator that is chosen at run time.
pub struct AnyTournament(Tournament<AnyEval>);

impl AnyTournament {
    /// As [`Tournament::THREAD_BYTES`].
    pub const THREAD_BYTES: usize = Tournament::<AnyEval>::THREAD_BYTES;

    /// As [`Tournament::new`].
    ///
    /// # Errors
    /// If the system has no room for the table or for a single thread.
    pub fn new(eval: AnyEval, threads: usize, tt_bytes: usize) -> io::Result<Self> {
        Tournament::new(eval, threads, tt_bytes).map(Self)
    }

    /// As [`Tournament::configure`].
    ///
    /// # Errors
    /// If the system has no room for the table; then the old one stays, and the old threads.
    pub fn configure(&mut self, threads: usize, tt_bytes: usize) -> io::Result<()> {
        self.0.configure(threads, tt_bytes)
    }

    /// As [`Tournament::threads`].
    pub fn threads(&self) -> usize {
        self.0.threads()
    }

    /// As [`Tournament::touch`].
    pub fn touch(&self, hurry: &(dyn Fn() -> bool + Sync)) {
        self.0.touch(hurry);
    }

    /// The evaluator.
    pub fn eval(&self) -> &AnyEval {
        self.0.eval()
    }

    /// The numbers it searches with.
    pub fn params(&mut self) -> &mut Params {
        self.0.params()
    }
}

impl Search for AnyTournament {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        self.0.search(request, control, listener)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }
}
