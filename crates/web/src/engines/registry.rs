//! USI engines that the user added: where they are, which options they have, how those are set.

use super::locked;
use crate::library::{GameLibrary, fresh_id};
use crate::protocol::engines::{EngineView, OptionControl, OptionView};
use crate::user_error::UserError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tesuji_usi::process::{EngineLaunch, EngineProcess};
use tesuji_usi::{OptionKind, OptionLine};

/// The name under which the engines are kept.
const ENGINES: &str = "engines";

/// How many engines may be added.
const MOST_ENGINES: usize = 50;

/// How long an engine may take to say what it is, and to load its files.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine that was added.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct AddedEngine {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) path: String,
    options: Vec<OptionView>,
}

impl AddedEngine {
    /// How it is started.
    pub(super) fn launch(&self) -> EngineLaunch {
        let is_set = |option: &&OptionView| option.value != default_of(&option.control);
        let options = self.options.iter().filter(is_set);
        launch(
            &self.path,
            options
                .map(|option| (option.name.clone(), option.value.clone()))
                .collect(),
        )
    }

    fn view(&self) -> EngineView {
        let missing = (!Path::new(&self.path).is_file()).then(|| "the file is gone".to_owned());
        EngineView {
            id: self.id,
            name: self.name.clone(),
            path: self.path.clone(),
            options: self.options.clone(),
            error: missing,
        }
    }

    /// Sets options; those that are not named have their defaults.
    fn set(&mut self, options: &[(String, String)]) {
        for option in &mut self.options {
            let said = options.iter().find(|(name, _)| *name == option.name);
            let value = said.map(|(_, value)| value.replace(['\n', '\r'], " "));
            option.value = value.unwrap_or_else(|| default_of(&option.control));
        }
    }
}

/// All engines that were added.
pub(super) struct Registry {
    engines: Mutex<Vec<AddedEngine>>,
}

impl Registry {
    /// The engines that were kept.
    pub(super) fn open(library: &GameLibrary) -> Self {
        let kept = library.setting(ENGINES).ok().flatten();
        let engines = kept.and_then(|text| serde_json::from_str(&text).ok());
        Self {
            engines: Mutex::new(engines.unwrap_or_default()),
        }
    }

    pub(super) fn views(&self) -> Vec<EngineView> {
        locked(&self.engines)
            .iter()
            .map(AddedEngine::view)
            .collect()
    }

    pub(super) fn engine(&self, id: u64) -> Result<AddedEngine, UserError> {
        let engines = locked(&self.engines);
        let found = engines.iter().find(|engine| engine.id == id);
        found.cloned().ok_or_else(no_such_engine)
    }

    /// Starts an engine to see its options, and adds it.
    pub(super) async fn add(
        &self,
        library: &GameLibrary,
        path: &str,
        options: Vec<(String, String)>,
    ) -> Result<(), UserError> {
        let path = path.trim().to_owned();
        if !Path::new(&path).is_absolute() || !Path::new(&path).is_file() {
            return Err(UserError::no_such_file(&path));
        }
        if locked(&self.engines).len() >= MOST_ENGINES {
            return Err(UserError::new(
                "There are too many engines.",
                "エンジンが多すぎます。",
            ));
        }
        let asked = path.clone();
        let met = tokio::task::spawn_blocking(move || meet(&asked)).await;
        let met = met.map_err(|error| UserError::engine(&error.to_string()))?;
        let (name, known) = met.map_err(|error| UserError::engine(&error.to_string()))?;
        let mut engine = AddedEngine {
            id: fresh_id(),
            name,
            path,
            options: known.iter().map(option_view).collect(),
        };
        engine.set(&options);
        locked(&self.engines).push(engine);
        self.keep(library)
    }

    pub(super) fn set(
        &self,
        library: &GameLibrary,
        id: u64,
        options: &[(String, String)],
    ) -> Result<(), UserError> {
        let mut engines = locked(&self.engines).clone();
        let engine = engines.iter_mut().find(|engine| engine.id == id);
        engine.ok_or_else(no_such_engine)?.set(options);
        *locked(&self.engines) = engines;
        self.keep(library)
    }

    pub(super) fn remove(&self, library: &GameLibrary, id: u64) -> Result<(), UserError> {
        locked(&self.engines).retain(|engine| engine.id != id);
        self.keep(library)
    }

    fn keep(&self, library: &GameLibrary) -> Result<(), UserError> {
        let text = serde_json::to_string(&*locked(&self.engines)).unwrap_or_default();
        Ok(library.set_setting(ENGINES, &text)?)
    }
}

fn no_such_engine() -> UserError {
    UserError::new("There is no such engine.", "そのエンジンはありません。")
}

/// How a program is started in its own folder, without a shell.
fn launch(path: &str, options: Vec<(String, String)>) -> EngineLaunch {
    let folder = Path::new(path)
        .parent()
        .map(|folder| folder.to_string_lossy().into_owned());
    EngineLaunch {
        command: vec![path.to_owned()],
        folder: folder.filter(|folder| !folder.is_empty()),
        options,
        suggestions: Vec::new(),
        patience: PATIENCE,
    }
}

/// Starts an engine once: its name and its options.
fn meet(path: &str) -> Result<(String, Vec<OptionLine>), tesuji_usi::process::ProcessError> {
    let mut process = EngineProcess::new(launch(path, Vec::new()));
    process.start()?;
    let stem = Path::new(path)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let name = process
        .name()
        .map_or_else(|| stem.into_owned(), str::to_owned);
    Ok((name, process.options().to_vec()))
}

fn option_view(line: &OptionLine) -> OptionView {
    let control = match &line.kind {
        &OptionKind::Check(default) => OptionControl::Check { default },
        &OptionKind::Spin { default, min, max } => OptionControl::Spin { default, min, max },
        OptionKind::Combo { default, choices } => OptionControl::Combo {
            default: default.clone(),
            choices: choices.clone(),
        },
        OptionKind::Button => OptionControl::Button,
        OptionKind::Text(default) => OptionControl::Text {
            default: default.clone(),
        },
        OptionKind::File(default) => OptionControl::File {
            default: default.clone(),
        },
    };
    OptionView {
        name: line.name.clone(),
        value: default_of(&control),
        control,
    }
}

fn default_of(control: &OptionControl) -> String {
    match control {
        OptionControl::Check { default } => default.to_string(),
        OptionControl::Spin { default, .. } => default.to_string(),
        OptionControl::Combo { default, .. }
        | OptionControl::Text { default }
        | OptionControl::File { default } => default.clone(),
        OptionControl::Button => String::new(),
    }
}
