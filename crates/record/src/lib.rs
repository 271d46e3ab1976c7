//! What is kept on disk: games, positions, samples.
//!
//! [`Game`] is a tree of moves with comments, times and evaluations. [`TextFormat`] reads and
//! writes it as CSA, KIF, KI2, JKF or USI; [`Games`] reads many from a stream, one at a time.
//! [`samples`] and [`trace`] are what learning programs exchange, in the usual binary layouts.
//!
//! ```
//! use tesuji_record::TextFormat;
//!
//! let game = TextFormat::Kif.read("   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n").unwrap();
//! let csa = TextFormat::Csa.write(&game).unwrap();
//! assert!(csa.ends_with("+7776FU\n-3334FU\n%TORYO\n"));
//! assert_eq!(TextFormat::Csa.read(&csa).unwrap(), game);
//! ```
#![forbid(unsafe_code)]

pub mod analysis;
mod comments;
pub mod csa;
pub mod encoding;
mod ending;
mod error;
mod evaluation;
pub mod file;
mod format;
pub mod game;
mod headers;
pub mod jkf;
pub mod ki2;
pub mod kif;
mod move16;
pub mod names;
pub mod openings;
pub mod packed;
pub mod problems;
pub mod samples;
pub mod sbinpack;
mod stream;
mod times;
pub mod trace;
pub mod usi;

pub use encoding::Encoding;
pub use ending::{Ending, GameResult};
pub use error::{ReadError, ReadProblem, WriteError};
pub use evaluation::Evaluation;
pub use format::TextFormat;
pub use game::{Game, GameCursor, GameNode, GamePosition, NodeId, Refusal, Step};
pub use headers::Headers;
pub use stream::{Games, StreamError};
pub use tesuji_game::TimeControl;
