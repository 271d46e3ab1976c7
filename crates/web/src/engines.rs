//! The engines: the one inside the program and how it is set up, and USI engines that the user added.
//!
//! Starting a program is a matter of whoever sits at this machine: a page that came over the network can
//! look at the engines, but neither add, set nor start any.

mod compare;
mod players;
mod registry;
mod tournament;

use crate::explore::Explorer;
use crate::library::GameLibrary;
use crate::protocol::engines::{BuiltinSettings, EnginesMessage, EnginesRequest};
use crate::user_error::UserError;
use compare::EngineComparison;
use registry::Registry;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tesuji_engine::EngineConfig;
use tesuji_engine::pool::EnginePool;
use tesuji_eval::EvalSpec;
use tournament::EngineTournament;

/// The name under which the setup of the engine is kept.
const SETTINGS: &str = "engine";

/// What the engines of a server need.
pub(crate) struct Engines {
    pub(super) pool: Arc<EnginePool>,
    explorer: Arc<Explorer>,
    pub(super) library: GameLibrary,
    settings: Mutex<BuiltinSettings>,
    fv_scale: Option<i32>,
    registry: Registry,
    comparison: Mutex<Option<EngineComparison>>,
    tournament: Mutex<Option<EngineTournament>>,
    /// This program, for matches against itself.
    own: Option<PathBuf>,
    folder: Option<PathBuf>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What an [`Engines`] is made of.
pub(crate) struct EnginesParts {
    pub(crate) pool: Arc<EnginePool>,
    pub(crate) explorer: Arc<Explorer>,
    pub(crate) library: GameLibrary,
    pub(crate) settings: BuiltinSettings,
    pub(crate) fv_scale: Option<i32>,
    pub(crate) folder: Option<PathBuf>,
}

impl Engines {
    /// The engines as they were set up last.
    pub(crate) fn open(parts: EnginesParts) -> Self {
        let registry = Registry::open(&parts.library);
        Self {
            pool: parts.pool,
            explorer: parts.explorer,
            library: parts.library,
            settings: Mutex::new(parts.settings),
            fv_scale: parts.fv_scale,
            registry,
            comparison: Mutex::new(None),
            tournament: Mutex::new(None),
            own: std::env::current_exe().ok(),
            folder: parts.folder,
        }
    }

    /// Does what a page asks for.
    pub(crate) async fn handle(
        self: &Arc<Self>,
        request: EnginesRequest,
        is_local: bool,
    ) -> Result<EnginesMessage, UserError> {
        let is_harmless = matches!(
            request,
            EnginesRequest::State | EnginesRequest::Lines | EnginesRequest::Standings
        );
        if !is_local && !is_harmless {
            return Err(UserError::new(
                "Engines are added, set and started only from the machine that the server runs on.",
                "エンジンの追加・設定・起動は、サーバーの動いているパソコンからだけできます。",
            ));
        }
        match request {
            EnginesRequest::State => {}
            EnginesRequest::Configure(settings) => self.configure(settings)?,
            EnginesRequest::Add { path, options } => {
                self.registry.add(&self.library, &path, options).await?;
            }
            EnginesRequest::SetOptions { engine, options } => {
                self.registry.set(&self.library, engine, &options)?;
            }
            EnginesRequest::Remove { engine } => {
                self.registry.remove(&self.library, engine)?;
            }
            EnginesRequest::Compare { engines, sfen } => {
                self.compare(engines, &sfen)?;
                return Ok(self.lines());
            }
            EnginesRequest::Lines => return Ok(self.lines()),
            EnginesRequest::StopComparing => {
                *locked(&self.comparison) = None;
                return Ok(self.lines());
            }
            EnginesRequest::StartTournament(settings) => {
                self.start_tournament(&settings)?;
                return Ok(self.standings());
            }
            EnginesRequest::StopTournament => {
                if let Some(tournament) = &*locked(&self.tournament) {
                    tournament.stop();
                }
                return Ok(self.standings());
            }
            EnginesRequest::Standings => return Ok(self.standings()),
        }
        Ok(self.state(is_local))
    }

    fn state(&self, is_local: bool) -> EnginesMessage {
        EnginesMessage::State {
            builtin: locked(&self.settings).clone(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            engines: self.registry.views(),
            choices: players::choices(),
            local: is_local,
        }
    }

    fn lines(&self) -> EnginesMessage {
        let comparison = locked(&self.comparison);
        EnginesMessage::Lines {
            sides: comparison
                .as_ref()
                .map_or(Vec::new(), EngineComparison::views),
        }
    }

    fn standings(&self) -> EnginesMessage {
        let tournament = locked(&self.tournament);
        EnginesMessage::Standings {
            standings: tournament
                .as_ref()
                .map(EngineTournament::view)
                .unwrap_or_default(),
            live: tournament.as_ref().and_then(EngineTournament::live),
        }
    }

    /// Takes over the setup that was kept; one that cannot be used any more is left.
    pub(crate) fn restore(&self) {
        let kept = self.library.setting(SETTINGS).ok().flatten();
        if let Some(settings) = kept.and_then(|text| serde_json::from_str(&text).ok()) {
            let _ = self.apply(settings);
        }
    }

    fn configure(&self, settings: BuiltinSettings) -> Result<(), UserError> {
        self.apply(settings)?;
        let text = serde_json::to_string(&*locked(&self.settings)).unwrap_or_default();
        self.library.set_setting(SETTINGS, &text)?;
        Ok(())
    }

    /// Sets up the engine inside the program.
    fn apply(&self, settings: BuiltinSettings) -> Result<(), UserError> {
        let settings = BuiltinSettings {
            threads: settings.threads.clamp(1, 512),
            hash: settings.hash.clamp(2, 1 << 20),
            ..settings
        };
        let spec = EvalSpec::from_str(settings.eval.trim());
        let spec = spec.map_err(|error| UserError::engine(&error.to_string()))?;
        let parts = players::parts(&settings.parts)?;
        if settings.eval.contains(['/', '\\']) && !Path::new(path_of(&settings.eval)).exists() {
            return Err(UserError::no_such_file(&settings.eval));
        }
        let old = locked(&self.settings).clone();
        if settings.book != old.book {
            let book = Some(settings.book.trim()).filter(|path| !path.is_empty());
            self.explorer.set_file(book.map(Path::new))?;
        }
        let config = EngineConfig {
            parts,
            fv_scale: self.fv_scale,
            ..EngineConfig::new(spec, settings.threads, settings.hash << 20)
        };
        self.pool.configure(&config);
        *locked(&self.settings) = settings;
        Ok(())
    }
}

/// The path of an evaluation, without the name of its kind.
fn path_of(eval: &str) -> &str {
    match eval.split_once(':') {
        Some((kind, path)) if kind.len() > 1 => path,
        _ => eval,
    }
}
