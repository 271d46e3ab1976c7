//! The tournament search: alpha-beta with everything that makes it deep.
//!
//! It is named for what it is made for: games on the clock. Its shape (the stages of a node, the
//! move loop, the histories) and its first numbers follow Stockfish and, for shogi, YaneuraOu; no
//! line of theirs is here. Each room names where its technique comes from.

mod any;
mod aspiration;
mod eval_scale;
mod finish;
mod helpers;
mod history_updates;
mod iteration;
mod lmr;
mod move_loop;
mod node;
mod node_state;
mod pruning;
mod quiescence;
mod repetition_filter;
mod reporting;
mod results;
mod root_move;
mod scores;
mod shared;
mod singular;
mod skill;
mod stack;
mod stage;
#[cfg(test)]
mod tests;
mod thread_data;
mod threads;
mod time_manager;
mod worker;

pub use any::AnyTournament;
pub use threads::Tournament;
