//! The family of game-tree searches.
//!
//! Every search answers a request the same way ([`Search::think`]): it is given a
//! [`SearchRequest`], led from outside by a [`SearchControl`], and tells a [`SearchListener`] what
//! it finds. [`tournament`] is the search that plays, [`realization`] another way to measure depth,
//! [`classic`] alpha-beta as programs had it before, [`ladder`] the way from minimax to all of them,
//! for learning. [`players`] puts a player together: any board, search, table and evaluator.
#![forbid(unsafe_code)]

pub mod classic;
mod control;
mod deepen;
mod info;
pub mod ladder;
mod leaf_eval;
pub mod lesson;
mod ordering;
pub mod params;
pub mod players;
mod quiet;
pub mod realization;
mod request;
mod result;
mod rule_value;
mod search;
mod search_board;
#[cfg(test)]
mod tests;
pub mod time;
pub mod tournament;
pub mod tt;

pub use control::{Phase, SearchControl};
pub use info::{Bounded, NoListener, SearchInfo, SearchListener};
pub use leaf_eval::{
    BesideLeafEval, BesideLeaves, EvaluatedLeaves, FreshLeafEval, IncrementalLeafEval, LeafEval,
    LeafSource, MaterialLeafEval, ShadowLeafEval,
};
pub use params::{Param, Params, TimeParams};
pub use request::{Rules, SearchLimits, SearchRequest};
pub use result::{Answer, SearchResult};
pub use search::Search;
pub use search_board::{SearchBoard, WithPast};
pub use time::{TimeBudget, TimeSettings};
