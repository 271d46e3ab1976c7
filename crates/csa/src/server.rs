//! A server for local leagues: it pairs clients that wait for the same game, keeps clocks and rules, and
//! writes records and a list of results.
//!
//! The lobby ([`Lobby`]) and its games know neither sockets nor files nor the time: lines and moments
//! go in, what is to be done comes out. The network around them is [`Server`].

mod game;
mod limits;
mod lobby;
mod network;
mod peer;
mod ratings;
mod record_writer;
mod results;
mod schedule;
mod service;
#[cfg(test)]
mod tests;

pub use limits::{RateLimit, ServerLimits};
pub use lobby::{Lobby, LobbyAction};
pub use network::Server;
pub use ratings::{PlayerRating, Ratings, RatingsError};
pub use results::{PlayerStanding, ResultLine, standings};
pub use schedule::{ScheduleError, ScheduledGame, read_schedule, round_robin};

use std::time::Duration;
use tesuji_game::TimeControl;
use tesuji_record::Game;
use tesuji_shogi::{ByColor, RuleSet};

/// Tells connections apart.
pub type ConnectionId = u64;

/// What the host should know of, though the games go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerEvent {
    /// Something cannot be written, and why; it is tried again.
    Unwritten(String),
    /// Everything is written now.
    WrittenAfterAll,
    /// A client sent more than the limits allow and was disconnected.
    Flood(String),
    /// The server has made a mistake; one connection or game was given up.
    Crash(CrashReport),
}

/// What a panic was about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrashReport {
    /// What the panic said.
    pub what: String,
    /// The game that was given up.
    pub game: Option<String>,
    /// The address of the connection that was given up.
    pub address: Option<String>,
    /// What that connection said last, passwords hidden.
    pub lines: Vec<String>,
}

/// What the host decides.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// What the league is called; every game's name begins with it.
    pub event: String,
    /// The rules of the game.
    pub rules: RuleSet,
    /// Clocks that hold for every game, whatever its name says.
    pub times: Option<ByColor<TimeControl>>,
    /// What a move costs at least, if the name of a game decides its clock.
    pub least: Duration,
    /// Where games begin, one after the other, each from both sides; the usual start if there is
    /// none.
    pub openings: Vec<Game>,
    /// How often two players meet in the same game; 0 for as often as they come.
    pub rounds: u32,
    /// Whether players stay for the next game instead of being disconnected.
    pub stay: bool,
    /// How long they rest between two games then.
    pub pause: Duration,
    /// How long a player may think about whether to play at all.
    pub agreement: Duration,
    /// How long a player whose connection is lost in a game may take to come back; zero for not at
    /// all.
    pub reconnect: Duration,
    /// The only games to be played, in this order; `None` for whoever comes.
    pub schedule: Option<Vec<ScheduledGame>>,
    /// At which times of the day players are paired: whenever the clock shows a multiple of this;
    /// `None` for at once.
    pub every: Option<Duration>,
    /// How much clients may say.
    pub limits: ServerLimits,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            event: "tesuji".into(),
            rules: RuleSet::default(),
            times: None,
            least: Duration::ZERO,
            openings: Vec::new(),
            rounds: 0,
            stay: false,
            pause: Duration::from_secs(1),
            agreement: Duration::from_secs(120),
            reconnect: Duration::ZERO,
            schedule: None,
            every: None,
            limits: ServerLimits::default(),
        }
    }
}
