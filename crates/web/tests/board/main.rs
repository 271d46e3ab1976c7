//! The board in a real browser: chromium, led through its own protocol. One program for all of it,
//! since the search that plays against the engine takes a while to compile.

mod browser;
mod figures;
mod games;
mod looks;
mod study;
mod table;
mod trouble;

use tesuji_web::{Options, Server};

/// A server on any free port that keeps games in a folder, or nowhere.
fn server(folder: Option<&std::path::Path>) -> Server {
    Server::start(Options {
        port: 0,
        folder: folder.map(Into::into),
        hash: 16,
        ..Options::default()
    })
    .expect("a free port")
}
