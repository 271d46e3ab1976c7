//! The settings of a run, kept beside its games.
//!
//! A run that goes on must play as it began, or one folder would hold games of two kinds. The file
//! is locked while a run lasts, so that two runs never write into one folder.

use super::game::GameRules;
use super::output::{self, DataFormat, OutputError};
use super::plan::SelfplayPlan;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The file in the folder of a run.
const NAME: &str = "selfplay.json";

/// What decides which games a run plays, apart from how many.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SelfplaySettings {
    seed: u64,
    format: DataFormat,
    eval: String,
    /// Unknown in folders of older programs: what is unknown does not differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    eval_contents: Option<String>,
    table_bytes: usize,
    openings: u64,
    rules: GameRules,
}

impl SelfplaySettings {
    fn of(plan: &SelfplayPlan) -> Self {
        Self {
            seed: plan.seed,
            format: plan.format,
            eval: plan.eval_name.clone(),
            eval_contents: plan.eval_digest.map(|digest| format!("{digest:016x}")),
            table_bytes: plan.table_bytes,
            openings: plan.openings.fingerprint(),
            rules: plan.rules.clone(),
        }
    }

    /// The first setting in which another run differs, with both values.
    fn difference(&self, other: &Self) -> Option<String> {
        let fields = |settings: &Self| match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (own, others) = (fields(self), fields(other));
        own.iter().find_map(|(name, value)| {
            let other = others.get(name)?;
            (value != other).then(|| format!("{name} was {value} and is {other} now"))
        })
    }
}

/// Why a run cannot use a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The settings cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{}: these are no settings of self-play: {source}", path.display())]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The folder holds games of other settings.
    #[error(
        "{}: the games here were played with other settings: {what}; take another folder, or the same settings",
        path.display()
    )]
    Other {
        /// Which file.
        path: PathBuf,
        /// Which setting differs.
        what: String,
    },
    /// What lies in the folder cannot be looked at.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Another run writes into the folder.
    #[error("{}: another run writes into this folder", path.display())]
    Busy {
        /// Which file is locked.
        path: PathBuf,
    },
}

/// Claims the folder of a run: nobody else may write there while the file is held.
pub(super) fn claim(plan: &SelfplayPlan) -> Result<File, SettingsError> {
    let path = plan.folder.join(NAME);
    let failed = |source| SettingsError::File {
        path: path.clone(),
        source,
    };
    let mut file = OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(&path)
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(SettingsError::Busy { path }),
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    let now = SelfplaySettings::of(plan);
    // A file without its last line was being written when a first run was ended.
    let is_whole = text.ends_with('\n');
    if is_whole && is_same(&path, &text, &now, &plan.folder)? {
        return Ok(file);
    }
    file.set_len(0).map_err(failed)?;
    let mut text = serde_json::to_string_pretty(&now).expect("settings are plain");
    text.push('\n');
    file.write_all(text.as_bytes()).map_err(failed)?;
    Ok(file)
}

/// Whether a run goes on as it began. As long as there is no game it may begin otherwise: a command
/// that went wrong does not bind the right one.
fn is_same(
    path: &Path,
    text: &str,
    now: &SelfplaySettings,
    folder: &Path,
) -> Result<bool, SettingsError> {
    let path = path.to_path_buf();
    let before: SelfplaySettings = match serde_json::from_str(text) {
        Ok(before) => before,
        Err(source) => return Err(SettingsError::Foreign { path, source }),
    };
    match before.difference(now) {
        None => Ok(true),
        Some(what) if output::has_games(folder)? => Err(SettingsError::Other { path, what }),
        Some(_) => Ok(false),
    }
}
