//! The board in the browser, and the server behind it.
//!
//! Everything is inside the binary: the page is plain modules and SVG, the rules and the engine stay
//! in Rust. A page sends wishes over one socket and is told what changed; whatever it shows is kept
//! here, so that a reload or a second tab finds the same game.
#![forbid(unsafe_code)]

mod clock;
mod complaint;
mod desk;
mod engine;
mod gate;
mod hall;
mod keep;
mod lesson;
mod link;
mod obey;
mod opponent;
mod pages;
mod play;
mod problem;
mod reading;
mod server;
mod sheet;
mod study;
mod talk;
mod view;
mod wish;

pub use server::{Server, ServerError};

use std::net::IpAddr;
use std::path::PathBuf;
use tesuji_eval::{EvalSettings, EvalSpec};

/// What the server is told at its start.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub host: IpAddr,
    /// On which port; 0 lets the system choose.
    pub port: u16,
    /// The word that opens it from elsewhere; needed if `host` is not this machine itself.
    pub token: Option<String>,
    /// Where games are kept; `None` keeps them only while the server runs.
    pub folder: Option<PathBuf>,
    /// Which evaluation the engine uses.
    pub eval: EvalSpec,
    /// What is said about it beyond its name.
    pub settings: EvalSettings,
    /// With how many threads one search runs.
    pub threads: usize,
    /// How much memory all searches use together, in megabytes.
    pub hash: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            host: IpAddr::from([127, 0, 0, 1]),
            port: 8765,
            token: None,
            folder: None,
            eval: EvalSpec::Builtin,
            settings: EvalSettings::default(),
            threads: 1,
            hash: 256,
        }
    }
}
