//! The family of game-tree searches.
//!
//! Every search answers the same question ([`Search::think`]): it is given a [`Root`], told its
//! [`Limits`], led from outside by a [`Control`], and tells a [`Report`] what it sees.
#![forbid(unsafe_code)]

mod control;
pub mod ladder;
pub mod lesson;
mod order;
mod question;
pub mod realization;
pub mod table;
pub mod time;
pub mod tournament;

pub use control::{Control, Phase};
pub use question::{Answer, Best, Bounded, Info, Limits, Quiet, Report, Root, Rules, Search};
pub use time::{Budget, Clock, TimeSettings};
