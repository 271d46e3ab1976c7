//! The tournament search: alpha-beta with everything that makes it deep.

mod boards;
mod conclude;
mod crew;
mod moves;
mod node;
mod pace;
pub mod params;
mod pool;
mod quiescence;
mod root;
mod scores;
mod stage;
mod strength;
#[cfg(test)]
mod tests;
mod visit;
mod worker;

pub use pool::Tournament;
