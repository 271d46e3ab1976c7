//! From games to weights: self-play, training data, and the trainers that read it.
#![forbid(unsafe_code)]

pub mod data;
mod leaf_search;
pub mod nnue;
pub mod online;
pub mod selfplay;
mod training;
