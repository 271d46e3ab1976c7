//! What the laws are checked with: chance, positions, games, and a judge of every move.

pub(crate) mod chance;
pub(crate) mod games;
pub(crate) mod judge;
pub(crate) mod scribe;
pub(crate) mod setups;
