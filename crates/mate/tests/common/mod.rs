//! What the laws are checked with: chance, positions, problems, and a plain search.

pub(crate) mod brute;
pub(crate) mod chance;
pub(crate) mod random;
pub(crate) mod sets;
