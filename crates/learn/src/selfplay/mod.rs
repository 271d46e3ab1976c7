//! Games of the engine against itself, as training data.
//!
//! Every thread plays game after game at a fixed number of nodes a move and writes the positions
//! with what the search said about them. Strong players' games never show what a search visits, so
//! the games begin in many places, some of them lopsided, and now and then stray: a random move is
//! played in place of the best one. What is written is always what the search said.
//!
//! The recipe follows what chess and shogi authors publish about their generators (Viridithas,
//! Hobbes, tanuki-, rshogi): few nodes, many games, random first plies, early adjudication.

mod batch;
mod dedup;
mod game;
mod openings;
mod output;
mod plan;
mod run;
mod settings;
#[cfg(test)]
mod tests;

pub use batch::{GamesBatch, PlayedBatch, check_samples, play_batch};
pub use dedup::SeenPositions;
pub use game::{GameRules, Played, SelfplayEnding};
pub use openings::{NoOpening, Openings, OpeningsError};
pub use output::{DataFormat, GameEntry, JournalLineError, OutputError, journal_entries};
pub use plan::SelfplayPlan;
pub use run::{SelfplayError, SelfplayTally, run};
pub use settings::SettingsError;
