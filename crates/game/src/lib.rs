//! A game that is being played: how long each side may think, and its clock.
#![forbid(unsafe_code)]

mod clock;

pub use clock::{GameClock, TimeControl, TimeControlError};
