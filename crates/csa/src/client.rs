//! A client that plays tournaments: it logs in, waits, plays, writes records, and comes back.

mod engine;
mod game;
mod session;
mod settings;
#[cfg(test)]
mod tests;

pub use engine::{ClientEngine, EngineAnswer, GameConditions, UsiClientEngine};
pub use game::CsaGameReport;
pub use session::{Client, ClientError};
pub use settings::{
    AfterGame, ClientSettings, ClientSettingsError, EngineSettings, PlaySettings, RecordSettings,
    ServerSettings,
};

use super::game_summary::GameSummary;
use std::path::Path;
use std::time::Duration;

/// What a client reports while it runs.
#[derive(Clone, Copy, Debug)]
pub enum ClientEvent<'a> {
    /// A line went to the server; a password in it is hidden.
    Sent(&'a str),
    /// A line came from the server.
    Received(&'a str),
    /// The server has accepted the login.
    LoggedIn(&'a str),
    /// A game begins; its record is in the file.
    GameStarted(&'a GameSummary, &'a Path),
    /// A game is over.
    GameOver(&'a CsaGameReport),
    /// The connection is lost, and why; the client connects again after so long.
    ConnectionLost(&'a str, Duration),
    /// Something went wrong, and the client goes on.
    Warning(&'a str),
}

/// Hears what a client reports.
pub type ClientObserver<'a> = &'a mut dyn FnMut(ClientEvent<'_>);
