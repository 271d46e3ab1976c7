//! Players and the protocols they speak: the USI engine, and matches between engines.
#![forbid(unsafe_code)]

pub mod adjudicate;
pub mod bench;
pub mod clock;
pub mod contest;
pub mod csa;
pub mod engine;
pub mod entry;
pub mod games;
pub mod player;
pub mod process;
pub mod referee;
pub mod schedule;
pub mod score;
pub mod sprt;
pub mod summary;
pub mod usi;
