//! The CSA server protocol: its lines as types, a client that plays tournaments, and a server for
//! local leagues.
//!
//! Definition: Computer Shogi Association, "Server protocol 1.2.1"; shogi-server, which floodgate
//! runs on, adds game names and comments.
#![forbid(unsafe_code)]

mod archive;
pub mod client;
mod comment;
mod connection;
mod end;
mod ending;
mod game_name;
mod game_summary;
mod line;
mod secret;
pub mod server;
#[cfg(test)]
mod tests;
mod times;

pub use archive::{Archive, timestamp};
pub use comment::EvalComment;
pub use connection::{CsaConnection, LINE_LIMIT, Received, read_lines};
pub use end::{ClientResult, CsaEndReason};
pub use ending::ending;
pub use game_name::{GameName, GameNameError};
pub use game_summary::{GameSummary, GameSummaryError, GameSummaryReader};
pub use line::{ClientLine, ServerLine, SpecialMove};
pub use secret::Secret;
