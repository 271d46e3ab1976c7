//! The board in the browser, and the server behind it.
//!
//! Everything is inside the binary: the page is plain modules and SVG, the rules and the engine stay
//! in Rust. A page sends requests over one socket and is sent what changed; its session stays here,
//! so that a reload or a second browser tab finds the same games. The four tabs follow what players
//! know from lishogi and ShogiHome: a game, an analysis board, mate problems, and a course. The
//! evaluation bar and the graph of winning chances come from there and from lichess.
#![forbid(unsafe_code)]

mod access;
mod analyse;
mod assets;
mod connection;
mod engine;
mod engines;
mod explore;
mod game_view;
mod invitation;
mod keeper;
mod learn;
mod library;
mod link;
mod live_lines;
mod look;
mod play;
mod protocol;
mod records;
mod review;
mod server;
mod session;
mod sessions;
mod solve;
mod solvers;
mod storage;
mod timer;
mod train;
mod user_error;

pub use server::{WebServer, WebServerError};

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::players::PlayerParts;

/// How the server is set up.
#[derive(Clone, Debug)]
pub struct WebServerOptions {
    /// Where it listens.
    pub host: IpAddr,
    /// A book of the user's for the opening explorer.
    pub book: Option<PathBuf>,
    /// On which port; 0 lets the system choose.
    pub port: u16,
    /// The token that opens it from other machines; needed if `host` is not this machine itself.
    pub token: Option<String>,
    /// Where sessions are stored; `None` keeps them only while the server runs.
    pub folder: Option<PathBuf>,
    /// What the engine is put together from.
    pub parts: PlayerParts,
    /// Which evaluation the engine uses.
    pub eval: EvalSpec,
    /// What its file does not say about it.
    pub settings: EvalSettings,
    /// With how many threads one search runs.
    pub threads: usize,
    /// How much memory all searches use together, in megabytes; the mate solver may use half as much
    /// again.
    pub hash: usize,
    /// Whether the user said how the engine is set up; if not, it is as the page set it last.
    pub is_configured: bool,
    /// How long a client may take to send a request or, once its socket is open, the first message;
    /// a page that does not answer for nine times as long is taken for gone.
    pub patience: Duration,
}

impl Default for WebServerOptions {
    fn default() -> Self {
        Self {
            host: IpAddr::from([127, 0, 0, 1]),
            book: None,
            port: 8765,
            token: None,
            folder: None,
            parts: PlayerParts::default(),
            eval: EvalSpec::Builtin,
            settings: EvalSettings::default(),
            threads: 1,
            hash: 96,
            is_configured: false,
            patience: Duration::from_secs(10),
        }
    }
}
