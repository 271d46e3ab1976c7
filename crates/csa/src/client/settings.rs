//! The client's settings file: server, engine, how to play, records.

use crate::secret::Secret;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Everything a client must know.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientSettings {
    /// The server and the login.
    pub server: ServerSettings,
    /// The engine.
    #[serde(default)]
    pub engine: EngineSettings,
    /// How to play.
    #[serde(default)]
    pub play: PlaySettings,
    /// Records and logs.
    #[serde(default)]
    pub records: RecordSettings,
}

/// Where to play, and as whom.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// The name or number of the machine.
    pub host: String,
    /// Where it listens.
    #[serde(default = "port")]
    pub port: u16,
    /// Who logs in.
    pub name: String,
    /// The password, on shogi-server with the name of the game.
    #[serde(default)]
    pub password: Secret,
    /// A file whose first line is the password, so that it need not stand here.
    pub password_file: Option<PathBuf>,
    /// After how many seconds of silence an empty line is sent; 0 for never, otherwise at least 30.
    #[serde(default = "keep_alive")]
    pub keep_alive: u64,
    /// How many seconds the server may take to answer.
    #[serde(default = "patience")]
    pub patience: f64,
    /// How many seconds to wait before the second try to connect.
    #[serde(default = "retry")]
    pub retry: f64,
    /// How many seconds to wait at most between two tries.
    #[serde(default = "retry_most")]
    pub retry_most: f64,
    /// After how many tries in vain to give up; 0 for never.
    #[serde(default)]
    pub tries: u32,
    /// Whether the server lets players come back to a running game, as `tesuji csa serve` does.
    #[serde(default)]
    pub reconnect: bool,
}

/// The engine that plays.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineSettings {
    /// A USI program with its arguments, or an evaluation of this program.
    pub player: String,
    /// Options to set.
    pub options: BTreeMap<String, toml::Value>,
    /// Whether to think on the other side's time.
    pub ponder: bool,
    /// How many milliseconds of the clock the engine is not told of.
    pub margin: u64,
    /// What the way to the server costs, in milliseconds: usually, and at worst. Told to engines
    /// that have `NetworkDelay` and `NetworkDelay2`.
    pub delay: [u64; 2],
    /// How many seconds it may take to get ready.
    pub patience: u64,
}

/// How to play.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlaySettings {
    /// How many games; 0 for game after game without end.
    pub games: u32,
    /// What to do after a game.
    pub after: AfterGame,
    /// Whether to tell the server what the engine thinks.
    pub comments: bool,
    /// Whether to declare as soon as the rules allow, whatever the engine thinks.
    pub declare: bool,
    /// Resign when the engine sees so little for itself, such as 3000 for -3000; 0 for never.
    pub resign_value: i32,
    /// In so many moves in a row.
    pub resign_moves: u32,
}

/// What to do after a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterGame {
    /// Log out and come back: what shogi-server and floodgate expect.
    #[default]
    Logout,
    /// Wait for the next game on the same connection, as championship servers want it.
    Stay,
}

/// Records and logs.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordSettings {
    /// The folder for the records.
    pub folder: PathBuf,
    /// In which format, by its extension.
    pub format: String,
    /// A file for every line that was said; passwords are hidden.
    pub log: Option<PathBuf>,
}

fn port() -> u16 {
    4081
}

fn keep_alive() -> u64 {
    40
}

fn patience() -> f64 {
    180.0
}

fn retry() -> f64 {
    1.0
}

fn retry_most() -> f64 {
    60.0
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            player: "builtin".into(),
            options: BTreeMap::new(),
            ponder: false,
            margin: 0,
            delay: [120, 1120],
            patience: 60,
        }
    }
}

impl Default for PlaySettings {
    fn default() -> Self {
        Self {
            games: 1,
            after: AfterGame::Logout,
            comments: true,
            declare: true,
            resign_value: 0,
            resign_moves: 3,
        }
    }
}

impl Default for RecordSettings {
    fn default() -> Self {
        Self {
            folder: "records".into(),
            format: "csa".into(),
            log: None,
        }
    }
}

/// What is wrong with settings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClientSettingsError {
    /// They cannot be read.
    #[error("{0}")]
    Toml(String),
    /// A value makes no sense.
    #[error("{key}: {why}")]
    Value {
        /// Which.
        key: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// The file with the password cannot be read.
    #[error("server.password_file: {0}")]
    Password(String),
}

/// An hour, more than anybody wants to wait.
const LONGEST: f64 = 3600.0;

impl ClientSettings {
    /// Reads settings; the password file, if there is one, is read too.
    ///
    /// # Errors
    /// If a line makes no sense.
    pub fn read(text: &str) -> Result<Self, ClientSettingsError> {
        let mut settings: Self = toml::from_str(text).map_err(|error| toml_error(text, &error))?;
        if let Some(path) = &settings.server.password_file {
            let text = tesuji_kernels::read_input_text(path).map_err(|error| {
                ClientSettingsError::Password(format!("{}: {error}", path.display()))
            })?;
            settings.server.password = Secret::new(text.lines().next().unwrap_or_default().trim());
        }
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), ClientSettingsError> {
        let server = &self.server;
        let is_word =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_time = |time: f64| (0.0..=LONGEST).contains(&time);
        let checks = [
            (
                is_word(&server.name) && server.name.len() <= 32,
                "server.name",
                "up to 32 letters without a space are needed",
            ),
            (
                is_word(server.password.reveal()),
                "server.password",
                "a password without a space is needed, here or in server.password_file",
            ),
            (
                server.keep_alive == 0 || server.keep_alive >= 30,
                "server.keep_alive",
                "servers allow an empty line every 30 seconds, not more",
            ),
            (
                is_time(server.patience) && server.patience > 0.0,
                "server.patience",
                "seconds up to an hour are needed",
            ),
            (
                is_time(server.retry) && is_time(server.retry_most),
                "server.retry",
                "seconds up to an hour are needed",
            ),
            (
                self.engine.delay[0] <= self.engine.delay[1],
                "engine.delay",
                "the worst comes second",
            ),
            (
                self.play.resign_value >= 0,
                "play.resign_value",
                "a number above 0 is needed, or 0 for never",
            ),
            (
                tesuji_record::TextFormat::from_name(&self.records.format).is_some(),
                "records.format",
                "an extension of a record is needed: csa, csa3, kif, kifu, ki2, jkf or usi",
            ),
        ];
        match checks.into_iter().find(|(good, ..)| !good) {
            Some((_, key, why)) => Err(ClientSettingsError::Value { key, why }),
            None => Ok(()),
        }
    }
}

impl ServerSettings {
    /// How long the server may take to answer.
    pub fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.patience)
    }

    /// How often it hears from us, at least.
    pub fn keep_alive(&self) -> Option<Duration> {
        (self.keep_alive > 0).then(|| Duration::from_secs(self.keep_alive))
    }
}

/// What TOML says is wrong, without the line itself: it may be the one with the password.
fn toml_error(text: &str, error: &toml::de::Error) -> ClientSettingsError {
    let before = error
        .span()
        .map_or("", |span| &text[..span.start.min(text.len())]);
    let line = before.matches('\n').count() + 1;
    ClientSettingsError::Toml(format!("line {line}: {}", error.message()))
}
