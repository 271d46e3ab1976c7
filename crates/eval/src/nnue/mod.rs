//! Networks that are brought up to date move by move (Nasu 2018).
//!
//! The first layer is so wide and its inputs change so little that its sums are carried along the
//! moves; what stands above it is small and computed anew. [`File`] is a network as it lies on disk,
//! [`Network`] the same laid out for speed.

mod accumulator;
mod extension;
pub mod features;
pub mod file;
mod layers;
mod leb128;
mod network;
mod options;
mod order;
mod shape;

pub use accumulator::Cache;
pub use extension::{Extension, Skip};
pub use features::Features;
pub use file::{File, NnueError};
pub use network::{Network, NetworkVisitor, enter};
pub use options::fv_scale_in;
pub use shape::{Activation, Shape};

#[cfg(test)]
mod tests;
