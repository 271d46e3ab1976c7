//! A server for local leagues: it pairs clients that wait for the same game, keeps clocks and rules, and
//! writes records and a list of results.
//!
//! The lobby ([`Lobby`]) and its games know neither sockets nor files nor the time: lines and moments
//! go in, what is to be done comes out. The network around them is [`Server`].

mod game;
mod lobby;
mod network;
mod results;
#[cfg(test)]
mod tests;

pub use lobby::{Lobby, LobbyAction};
pub use network::Server;
pub use results::{PlayerStanding, ResultLine, standings};

use std::time::Duration;
use tesuji_game::TimeControl;
use tesuji_record::Game;
use tesuji_shogi::{ByColor, RuleSet};

/// Tells connections apart.
pub type ConnectionId = u64;

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
    /// Whether players stay for the next game instead of being sent away.
    pub stay: bool,
    /// How long they rest between two games then.
    pub pause: Duration,
    /// How long a player may think about whether to play at all.
    pub agreement: Duration,
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
        }
    }
}
