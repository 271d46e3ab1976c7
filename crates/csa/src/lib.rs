//! The protocol of CSA servers: what is said as types, a client that plays tournaments, and a server
//! for local leagues.
//!
//! Definition: Computer Shogi Association, "Server protocol 1.2.1"; shogi-server, which floodgate
//! runs on, adds game names and comments.
#![forbid(unsafe_code)]

mod archive;
pub mod client;
mod line;
mod name;
mod remark;
mod result;
mod secret;
pub mod serve;
mod summary;
#[cfg(test)]
mod tests;
mod times;
mod wire;

pub use archive::{Archive, stamp};
pub use line::{ClientLine, ServerLine, Special};
pub use name::{GameName, GameNameError, Wish};
pub use remark::Remark;
pub use result::{Reason, Share, ending};
pub use secret::Secret;
pub use summary::{Summary, SummaryError, SummaryReader};
pub use times::{Clocks, TimeRules};
pub use wire::{Heard, LINE_LIMIT, Wire, read_lines};
