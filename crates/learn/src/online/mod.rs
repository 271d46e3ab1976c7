//! The learner for pair tables: from the moves of game records, one position at a time.
//!
//! The method of Kuma Shogi (2013): the positions of the records are shuffled; the move that was
//! played is compared with rivals drawn at random; what is compared are the leaves of short
//! searches, and every leaf takes part in the update. It grew out of the Bonanza method (Hoki 2006),
//! which adds up the gradient of all positions before a weight moves; that is here as well, on the
//! same code, and so is regression to scores and results, as networks learn. docs/learner.md tells
//! what the paper leaves open and how it was chosen.

mod agreement;
mod checkpoint;
mod curves;
mod error;
mod examples;
mod gradient;
mod layout;
mod leaf;
mod loss;
mod numbering;
mod plan;
mod tables;
#[cfg(test)]
mod tests;
mod train;
mod update;
mod worker;
mod write;

pub use crate::leaf_search::LeafDepth;
pub use agreement::{Agreement, PlayedPosition, agreement_of};
pub use error::OnlineError;
pub use examples::{ExampleError, ExampleSource, Examples};
pub use layout::Tables;
pub use loss::RivalLoss;
pub use plan::{LearningMethod, OnlinePlan, Regression};
pub use train::{Learnt, OnlineInput, OnlineObserver, OnlineProgress, PartWeights, learn};
pub use update::Rates;
pub use write::WrittenFile;
