//! The board in a real browser: chromium, led through its own protocol. One program for all of it,
//! since the search that plays against the engine takes a while to compile.

mod accessible;
mod analyse;
mod browser;
mod ceremony;
mod course;
mod engines;
mod figures;
mod games;
mod kept;
mod layouts;
mod library;
mod looks;
mod network;
mod review;
mod sharing;
mod solving;
mod stepping;
mod touch;
mod train;
mod trouble;
mod user;

use tesuji_web::{WebServer, WebServerOptions};

/// A server on any free port that keeps games in a folder, or nowhere.
fn server(folder: Option<&std::path::Path>) -> WebServer {
    WebServer::start(WebServerOptions {
        port: 0,
        folder: folder.map(Into::into),
        hash: 16,
        ..WebServerOptions::default()
    })
    .expect("a free port")
}
