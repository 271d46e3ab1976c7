//! Search by realization probability: depth is measured in how likely a line is to be played.
//!
//! Classes of moves are types ([`Category`]), full width is one class for all moves ([`FullWidth`]),
//! and the value is asked for by alpha-beta or by MTD(f) ([`Method`]).

mod category;
mod chance;
mod memory;
mod method;
mod search;
#[cfg(test)]
mod tests;
mod walk;

pub use category::{
    Anything, Category, Check, Escape, Evasion, EvenCapture, FullWidth, Promotion, Recapture, Safe,
    Scene, Usual, WinningCapture,
};
pub use chance::{Chance, Rest};
pub use method::{AlphaBeta, Method, MtdF};
pub use search::Realization;
