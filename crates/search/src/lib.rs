//! The family of game-tree searches.
//!
//! Every search answers a request the same way ([`Search::think`]): it is given a
//! [`SearchRequest`], led from outside by a [`SearchControl`], and tells a [`SearchListener`] what
//! it finds. [`tournament`] is the search that plays, [`realization`] another way to measure depth,
//! [`ladder`] the way from minimax to both, for learning.
#![forbid(unsafe_code)]

mod control;
mod info;
pub mod ladder;
pub mod lesson;
mod ordering;
pub mod params;
pub mod realization;
mod request;
mod result;
mod search;
pub mod time;
pub mod tournament;
pub mod tt;

pub use control::{Phase, SearchControl};
pub use info::{Bounded, NoListener, SearchInfo, SearchListener};
pub use params::{Param, Params, TimeParams};
pub use request::{Rules, SearchLimits, SearchRequest};
pub use result::{Answer, SearchResult};
pub use search::Search;
pub use time::{TimeBudget, TimeSettings};
