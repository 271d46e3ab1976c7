//! The Universal Shogi Interface as types: what a GUI says to an engine ([`Command`]) and what the
//! engine says to the GUI ([`Reply`]), both read and written.
//!
//! The protocol is Tord Romstad's adaptation (2007) of UCI (Huber and Meyer-Kahlen 2000), as
//! Shogidokoro extended it.
//!
//! No line is too strange to be read. What cannot be understood is either handed on as text or
//! named in a [`ParseWarning`], and the rest of the line counts.
//!
//! An engine in a process of its own that speaks it is a [`process::EngineProcess`].
#![forbid(unsafe_code)]

mod command;
mod go;
mod info;
mod lines;
mod option;
pub mod process;
mod reply;
#[cfg(test)]
mod tests;
mod tokens;

pub use command::{Command, GameOverResult, InitialPosition, ParsedLine};
pub use go::{Go, MateLimit, Times};
pub use info::{Info, ScoreValue, UsiScore};
pub use lines::{LONGEST_LINE, LineRead, read_line};
pub use option::{OptionKind, OptionLine, unescape_empty};
pub use reply::{BestMove, Checkmate, Reply};
pub use tokens::ParseWarning;
