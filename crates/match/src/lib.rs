//! Matches between engines: who meets whom, the referee of a game, the file that keeps the games,
//! and what the results say.
#![forbid(unsafe_code)]

pub mod adjudicate;
pub mod contest;
pub mod entry;
pub mod games;
pub mod referee;
pub mod schedule;
pub mod score;
pub mod sprt;
pub mod summary;
