//! The engine host: owns the search and everything it was made from, and makes it anew when the
//! configuration asks for another. The USI engine and the browser's server search through it.

use crate::config::EngineConfig;
use crate::engine_search::EngineSearch;
use crate::factory::{MakeSearchError, SearchFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::players::PlayerParts;

/// A table that every machine has room for.
const SMALL_TABLE: usize = 1 << 20;

/// A search, made when it is first needed.
pub struct EngineHost {
    factory: Box<dyn SearchFactory>,
    loaded: Option<Loaded>,
    /// The parameters that were tuned, for every search that is made.
    tuned: Vec<(String, i32)>,
    /// Whether nothing was searched since the last new game.
    is_fresh: bool,
}

/// A search and what it was made from.
struct Loaded {
    search: Box<dyn EngineSearch>,
    config: EngineConfig,
    /// Whether it is not quite what the configuration asks for.
    is_fallback: bool,
}

impl EngineHost {
    /// Loads nothing yet.
    pub fn new(factory: Box<dyn SearchFactory>) -> Self {
        Self {
            factory,
            loaded: None,
            tuned: Vec::new(),
            is_fresh: false,
        }
    }

    /// The search that the configuration asks for. What could not be loaded before is tried again:
    /// a file may have come meanwhile.
    ///
    /// # Errors
    /// If the evaluation cannot be loaded or the table is too large.
    pub fn search(
        &mut self,
        config: &EngineConfig,
    ) -> Result<&mut dyn EngineSearch, MakeSearchError> {
        self.retry_fallback();
        let mut failure = None;
        if !self.reuse(config, &mut |error| failure = Some(error)) {
            let search = self.make(config, &config.eval, config.table_bytes())?;
            self.keep(search, config, false, &mut |_| {});
        } else if let Some(error) = failure {
            return Err(error);
        }
        Ok(self.used())
    }

    /// The search that the configuration asks for or, if it cannot be had, one with the built-in
    /// evaluation or a small table; `warn` is told what was wrong.
    pub fn search_or_fallback(
        &mut self,
        config: &EngineConfig,
        warn: impl FnMut(String),
    ) -> &mut dyn EngineSearch {
        self.prepare(config, warn);
        self.used()
    }

    /// Loads what changed, and what could not be loaded before.
    pub fn load_or_fallback(&mut self, config: &EngineConfig, warn: impl FnMut(String)) {
        self.retry_fallback();
        self.prepare(config, warn);
    }

    fn prepare(&mut self, config: &EngineConfig, mut warn: impl FnMut(String)) {
        let mut old_table = |error: MakeSearchError| warn(format!("{error}; the old table stays"));
        let is_new = !self.is_loaded(config);
        if !self.reuse(config, &mut old_table) {
            self.make_or_fall_back(config, &mut warn);
        }
        if is_new {
            self.tell_shortage(config, &mut warn);
        }
    }

    /// Whether exactly this configuration is loaded.
    fn is_loaded(&self, config: &EngineConfig) -> bool {
        let is_it = |loaded: &Loaded| loaded.config.is_same_search(config);
        self.loaded.as_ref().is_some_and(is_it)
    }

    /// Says if there are fewer threads than the configuration asks for.
    fn tell_shortage(&self, config: &EngineConfig, warn: &mut dyn FnMut(String)) {
        let threads = self.loaded.as_ref().map(|loaded| loaded.search.threads());
        if let Some(threads) = threads.filter(|&threads| threads < config.threads) {
            let wanted = config.threads;
            warn(format!(
                "the system has no room for {wanted} threads: searching with {threads}"
            ));
        }
    }

    fn retry_fallback(&mut self) {
        self.loaded = self.loaded.take().filter(|loaded| !loaded.is_fallback);
    }

    /// Has the system provide the memory of the search now, as far as nobody is in a hurry.
    pub(crate) fn touch(&self, hurry: &(dyn Fn() -> bool + Sync)) {
        if let Some(loaded) = &self.loaded {
            loaded.search.touch(hurry);
        }
    }

    /// Gives back the memory of the table and of all threads but one, until the next search.
    pub(crate) fn release_tables(&mut self) {
        if let Some(loaded) = &mut self.loaded
            && loaded.search.configure(1, SMALL_TABLE).is_ok()
        {
            (loaded.config.threads, loaded.config.memory_bytes) = (1, SMALL_TABLE);
        }
    }

    /// Gives up the search that is loaded, whatever state it is in: the next one is made anew.
    pub(crate) fn forget(&mut self) {
        self.loaded = None;
    }

    /// Forgets the game before, if there was one: large tables take long to clear, and GUIs announce
    /// a game twice.
    pub fn new_game(&mut self) {
        if let Some(loaded) = self.loaded.as_mut().filter(|_| !self.is_fresh) {
            loaded.search.new_game();
            self.is_fresh = true;
        }
    }

    /// Searches with another value of a parameter from now on; `false` if there is no such parameter
    /// or the value is out of its range.
    pub fn tune(&mut self, name: String, value: i32) -> bool {
        if let Some(loaded) = &mut self.loaded
            && !loaded.search.tune(&name, value)
        {
            return false;
        }
        self.tuned.push((name, value));
        true
    }

    /// Hands out the search that is loaded.
    fn used(&mut self) -> &mut dyn EngineSearch {
        self.is_fresh = false;
        let loaded = self.loaded.as_mut().expect("a search was just made");
        loaded.search.as_mut()
    }

    /// Adapts the search that is loaded, if it has the right evaluation. If the new table cannot be
    /// had, `warn` is told and the old one stays.
    fn reuse(&mut self, config: &EngineConfig, warn: &mut dyn FnMut(MakeSearchError)) -> bool {
        let is_same = |loaded: &&mut Loaded| loaded.config.is_same_evaluation(config);
        let Some(loaded) = self.loaded.as_mut().filter(is_same) else {
            return false;
        };
        let old = &loaded.config;
        if (old.threads, old.memory_bytes) != (config.threads, config.memory_bytes)
            && let Err(source) = loaded
                .search
                .configure(config.threads, config.table_bytes())
        {
            warn(MakeSearchError::Table {
                megabytes: config.table_bytes() >> 20,
                source,
            });
        }
        loaded.config = config.clone();
        true
    }

    fn make(
        &mut self,
        config: &EngineConfig,
        eval: &EvalSpec,
        table_bytes: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        // The old tables are given back before the new ones are asked for.
        self.loaded = None;
        let settings = EvalSettings {
            fv_scale: config.fv_scale,
            level: None,
        };
        self.factory.make_player(
            &config.parts,
            (eval, &settings),
            config.threads,
            table_bytes,
        )
    }

    fn keep(
        &mut self,
        mut search: Box<dyn EngineSearch>,
        config: &EngineConfig,
        is_fallback: bool,
        warn: &mut dyn FnMut(String),
    ) {
        for (name, value) in &self.tuned {
            if !search.tune(name, *value) {
                warn(format!("no parameter {name} that can be {value}"));
            }
        }
        self.loaded = Some(Loaded {
            search,
            config: config.clone(),
            is_fallback,
        });
    }

    fn make_or_fall_back(&mut self, config: &EngineConfig, warn: &mut dyn FnMut(String)) {
        let full = config.table_bytes();
        let usual = EngineConfig {
            parts: PlayerParts::default(),
            ..config.clone()
        };
        let mut is_fallback = false;
        let mut fall_back = |error: MakeSearchError, instead: &str| {
            is_fallback = true;
            warn(format!("{error}; {instead} instead"));
        };
        let made = self
            .make(config, &config.eval, full)
            .or_else(|error| match error {
                MakeSearchError::Table { .. } => {
                    fall_back(error, "playing with a small table");
                    self.make(config, &config.eval, SMALL_TABLE)
                }
                MakeSearchError::Evaluator(_) => {
                    fall_back(error, "playing with the built-in evaluation");
                    self.make(config, &EvalSpec::Builtin, full)
                }
                MakeSearchError::Parts(_) => {
                    fall_back(error, "playing with the tournament search");
                    self.make(&usual, &config.eval, full)
                }
            });
        let made = made.or_else(|error| {
            let instead = "playing with a small table and the built-in evaluation";
            fall_back(error, instead);
            self.make(&usual, &EvalSpec::Builtin, SMALL_TABLE)
        });
        let search = made.expect("a small table and the built-in evaluation can always be had");
        self.keep(search, config, is_fallback, warn);
    }
}
