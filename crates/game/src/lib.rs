//! A game that is being played: how much time each side has, its clock, and the referee.
//!
//! [`TimeControl`] says how much time a side has, [`GameClock`] what is left of it, [`Referee`] when a
//! game is over. Nothing here reads a clock, and nothing knows a protocol: records, USI, CSA, matches
//! and the browser read and print these types in their own words.
#![forbid(unsafe_code)]

mod clock;
mod control;
mod referee;

pub use clock::GameClock;
pub use control::{TimeControl, TimeControlError, seconds};
pub use referee::{GameOver, Referee, Termination};
