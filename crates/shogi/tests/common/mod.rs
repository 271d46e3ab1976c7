//! What the laws are checked with: chance, positions, games, and a oracle that knows every move.

pub(crate) mod chance;
pub(crate) mod games;
pub(crate) mod oracle;
pub(crate) mod scribe;
pub(crate) mod setups;
