//! A client that plays tournaments: it logs in, waits, plays, writes records, and comes back.

mod backoff;
mod brain;
mod play;
mod session;
mod settings;
#[cfg(test)]
mod tests;

pub use brain::{Brain, Companion, Conditions, Question, Reflection};
pub use play::Played;
pub use session::{Client, ClientError};
pub use settings::{AfterGame, Play, Records, Seat, ServerPlace, Settings, SettingsError};

use super::summary::Summary;
use std::path::Path;
use std::time::Duration;

/// What whoever watches a client hears.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// A line went to the server; a password in it is hidden.
    Sent(&'a str),
    /// A line came from the server.
    Heard(&'a str),
    /// It is known to the server.
    LoggedIn(&'a str),
    /// A game begins; its record is in the file.
    Begins(&'a Summary, &'a Path),
    /// A game is over.
    Over(&'a Played),
    /// The connection is gone; it comes back after so long.
    Lost(&'a str, Duration),
    /// Something is not as it should be, and the client goes on.
    Trouble(&'a str),
}

/// Who watches.
pub type Watch<'a> = &'a mut dyn FnMut(News<'_>);
