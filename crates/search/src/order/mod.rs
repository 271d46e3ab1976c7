//! In which order moves are tried, and how that is learnt.

pub(crate) mod correction;
pub(crate) mod history;
pub(crate) mod picker;
