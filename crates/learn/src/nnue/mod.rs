//! The trainer for efficiently updatable networks (Nasu 2018).
//!
//! Samples of forty bytes are read, filtered and shuffled ([`data`](TrainingSet)), their features looked
//! up anew for every batch, and the network is trained by AdamW (Loshchilov and Hutter 2019) on the
//! winning probability that a search score and the result of the game stand for. The arithmetic is
//! written out by hand, forward and backward, in the loops of `tesuji-kernels`: the first layer is
//! sparse, and general libraries are tens of times slower there. What comes out is rounded to the
//! integers of `nn.bin`; in the last part of the training the rounding is already felt (straight-through
//! estimation, Bengio and others 2013).

mod architecture;
mod averaging;
mod batches;
mod checkpoint;
mod comparisons;
mod curves;
mod data;
mod dataset_error;
mod initial;
mod integer;
mod layout;
mod log;
mod loss;
mod optimizer;
mod plan;
mod quantize;
mod sample;
mod schedule;
mod shards;
mod skip_eval;
mod train;
mod weights;
mod worker;

pub use crate::training::checkpoint::CheckpointError;
pub use crate::training::output::TrainingFileError;
pub use architecture::{Architecture, ArchitectureError};
pub use checkpoint::checkpoint_step;
pub use comparisons::Comparisons;
pub use data::{TrainingSet, TrainingSource};
pub use dataset_error::{DatasetError, FilterCounts};
pub use loss::{Loss, Target};
pub use optimizer::AdamW;
pub use plan::{ComparisonPlan, Plan, PlanFile};
pub use sample::TrainingSample;
pub use schedule::Schedule;
pub use shards::Shards;
pub use train::{Finished, Observer, TrainError, TrainProgress, require_start, train};

#[cfg(test)]
mod tests;
