//! Matches between engines: who meets whom, the referee of a game, the file that keeps the games,
//! and what the results say.
#![forbid(unsafe_code)]

pub mod adjudicate;
pub mod crosstable;
pub mod games;
pub mod player;
pub mod player_spec;
pub mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod sprt;
