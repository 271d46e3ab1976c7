//! Matches between engines: who meets whom, a game between two of them, the file that keeps the
//! games, what the results say, and parameters that are tuned by such results.
#![forbid(unsafe_code)]

pub mod adjudicate;
pub mod crosstable;
pub mod game;
pub mod games;
pub mod journal;
pub mod limit;
pub mod live;
pub mod plan;
pub mod player;
pub mod player_spec;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod search_player;
pub mod sprt;
pub mod tune;
