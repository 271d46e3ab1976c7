//! Move ordering: in which order moves are tried, and how that is learnt.

pub(crate) mod captures;
pub(crate) mod correction;
pub(crate) mod history;
mod history_tables;
mod keys;
pub(crate) mod move_picker;

pub(crate) use keys::{ContinuationKey, Continuations, PieceTo, pawn_key};
