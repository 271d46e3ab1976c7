//! Players put together from parts: a board, a search, a table, quiescence or not, and any evaluator.
//!
//! OpenShogiLib (2003) promised its users that parts can be exchanged without virtual calls. Here the
//! parts are named once ([`PlayerParts`]), and [`choose`] makes the search that they mean: compiled for
//! its board, and behind a pointer only where whoever plays asks for a move. Tables of the ladder and leaves
//! beside a board are enums, which cost a branch where they are asked and a fifth of the time to compile.

mod choose;
mod game_tree;
mod ladder_search;
mod parts;
mod past_player;
#[cfg(test)]
mod tests;

pub use choose::{PartsError, PartsRefusal, PlayerVisitor, choose, choose_boxed};
pub use ladder_search::LadderSearch;
pub use parts::{BoardName, PartNameError, PlayerParts, SearchName, TableName};
pub use past_player::PastPlayer;
