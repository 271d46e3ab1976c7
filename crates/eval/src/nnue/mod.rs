//! Efficiently updatable neural networks (NNUE, Yu Nasu 2018).
//!
//! The first layer, the feature transformer, is so wide and its inputs change so little that its
//! accumulators are updated along the moves; the layers above it are small and computed anew.
//! [`NetworkFile`] is a network as it lies on disk, [`Network`] the same laid out for speed.

mod buckets;
mod error;
mod extension;
mod feature_transformer;
pub mod features;
pub mod file;
mod layers;
mod leb128;
mod network;
mod neuron_order;
mod options;
mod shape;

pub use buckets::{BucketKind, Buckets};
pub use error::NnueError;
pub use extension::{Extension, Skip};
pub use feature_transformer::RefreshCache;
pub use features::FeatureSet;
pub use file::NetworkFile;
pub use network::{Network, NetworkVisitor, enter};
pub use options::fv_scale_in;
pub use shape::{Activation, NetworkShape};
