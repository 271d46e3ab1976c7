//! A server and a real browser for tests: chromium, led through its own protocol.
#![allow(dead_code, clippy::unwrap_used)] // Not every test uses everything.

pub(crate) mod browser;
pub(crate) mod table;

use tesuji_web::{Options, Server};

/// A server on any free port that keeps games in a folder, or nowhere.
pub(crate) fn server(folder: Option<&std::path::Path>) -> Server {
    Server::start(Options {
        port: 0,
        folder: folder.map(Into::into),
        hash: 16,
        ..Options::default()
    })
    .expect("a free port")
}
