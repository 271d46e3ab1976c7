//! Alpha-beta as programs of 2003 to 2019 had it, on any board and with any table.
//!
//! Principal variation search with null-move pruning, futility, late-move reductions, killers and a
//! history, quiescence, a mate in one at every node, and Lazy SMP: what Kuma Shogi (2013) and Tenuki
//! (2019) tell of themselves. Every part can be switched off ([`ClassicSwitches`]), the table is a type
//! ([`SharedTable`]), and so is the board: what one of them is worth can be asked by a match.

mod node;
mod ordering;
mod search;
mod switches;
mod table;
mod worker;

pub use search::{ClassicSearch, ClassicSettings};
pub use switches::ClassicSwitches;
pub use table::{BestMoves, Nothing, ProbedEntry, SharedTable};
