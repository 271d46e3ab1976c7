//! From games to weights: self-play, training data, and the trainers that read it.
#![forbid(unsafe_code)]

pub mod data;
pub mod nnue;
pub mod online;
pub mod selfplay;
mod training;
