//! Matches between engines: who meets whom, a game between two of them, the file that keeps the
//! games,
//! and what the results say.
#![forbid(unsafe_code)]

pub mod adjudicate;
pub mod crosstable;
pub mod game;
pub mod games;
pub mod limit;
pub mod plan;
pub mod player;
pub mod player_spec;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod sprt;
