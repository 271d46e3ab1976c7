//! One stage of a node each.

mod futility;
mod judge;
pub(super) use judge::UNSEARCHED;
mod mate;
mod pass;
mod probcut;
mod razor;
mod rules;
pub(super) use rules::MEMORY;
mod table;
