//! Realization probability search: depth is measured in how likely a line is to be played.
//!
//! Tsuruoka, Yokoyama and Chikayama, "Game-tree search algorithm based on realization probability"
//! (2002); the categories and their probabilities are ours.
//!
//! Categories of moves are types ([`Category`]), full width is one category for all moves ([`FullWidth`]),
//! and the value is asked for by alpha-beta or by MTD(f) ([`WindowMethod`]).

mod category;
mod method;
mod probability;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod worker;

pub use category::{
    Anything, Category, Check, Escape, Evasion, EvenCapture, ForcingCategories, FullWidth,
    Generated, LikelyMoves, MoveContext, Promotion, Recapture, Safe, StandardCategories,
    WinningCapture,
};
pub use method::{AlphaBeta, MtdF, WindowMethod};
pub use probability::{RealizationDepth, TransitionProbability};
pub use search::RealizationSearch;
pub use table::TableUse;
