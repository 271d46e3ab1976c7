//! Players and the protocols they speak: the USI engine, and matches between engines.
#![forbid(unsafe_code)]

pub mod bench;
pub mod engine;
pub mod usi;
