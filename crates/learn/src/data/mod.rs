//! Training data: read from every sample format, filtered, shuffled, split, scored anew, described.
//!
//! Everything passes through as records of forty bytes ([`DataRecord`], the PackedSfenValue of
//! YaneuraOu's learner by nodchip, 2018): small enough to keep tens of millions in memory, and a
//! file of them can be cut, joined and shuffled without understanding a single position.

mod checked;
mod comparisons;
mod filter;
mod games;
mod leaves;
mod lines;
mod merge;
mod record;
mod rescore;
mod shuffle;
mod sink;
mod source;
mod split;
mod stats;
#[cfg(test)]
mod tests;
mod visited;

pub use comparisons::{ComparisonCounts, RivalDraw, write_comparisons};
pub use filter::{Filter, Kept};
pub use games::{GameRow, Scale, ScaleError, import as import_games, pack_played, scales};
pub use leaves::{LeafCounts, replace_by_leaves};
pub use merge::{MergeError, MergePart, merge};
pub use record::DataRecord;
pub use rescore::{Rescore, RescoreError, rescore, rescore_records};
pub use shuffle::{Shuffle, shuffle};
pub use sink::{DataWriter, OutputFormat};
pub use source::{DataError, DataReader, InputFormat};
pub use split::{Split, split};
pub use stats::{DataStats, Fit, PLY_STEP, SCORE_STEP};
pub use visited::{VisitedDraw, write_visited};
