//! The ladder: game-tree search from ten lines of minimax upwards, every rung on any tree.
//!
//! A [`Tree`] is drawn by hand ([`Drawn`]) or is a real position on any board with any evaluator
//! ([`BoardTree`]). Every rung gives the value of the rung below it and needs fewer nodes, or answers
//! better. `docs/course.md` tells why; [`Trace`] is what a rung did, node by node.
//!
//! ```
//! use tesuji_search::ladder::{Drawn, NoTable, Rung};
//! use tesuji_shogi::Value;
//! for rung in Rung::ALL {
//!     let climb = rung.count(Drawn::lesson(), Value::ZERO, &mut NoTable);
//!     assert_eq!(climb.value.points(), 75);
//! }
//! ```

mod alpha_beta;
mod alpha_beta_with_memory;
mod board_tree;
mod climb;
mod deepening;
mod drawn;
mod fail_soft;
mod faults;
mod minimax;
mod mtdf;
mod nega_alpha_beta;
mod negamax;
mod pvs;
mod pvs_first;
mod ruby;
mod rung;
mod table;
#[cfg(test)]
mod tests;
mod trace;
mod tree;

pub use crate::leaf_eval::{FreshLeafEval, IncrementalLeafEval, LeafEval, MaterialLeafEval};
pub use crate::ordering::captures::MoveOrder;
pub use alpha_beta::alpha_beta;
pub use alpha_beta_with_memory::alpha_beta_with_memory;
pub use board_tree::BoardTree;
pub use climb::Climb;
pub use deepening::deepening;
pub use drawn::{Drawn, DrawnError, LESSON, Twig};
pub use fail_soft::fail_soft;
pub use faults::{Fault, FaultError};
pub use minimax::minimax;
pub use mtdf::mtdf;
pub use nega_alpha_beta::nega_alpha_beta;
pub use negamax::negamax;
pub use pvs::pvs;
pub use pvs_first::{FirstBranch, pvs_first};
pub use rung::{PointOfView, Rung, RungError};
pub use table::{AnyTable, BestTable, Bounds, BoundsTable, NoTable, NodeTable};
pub use trace::{CountedTree, Trace, TracedNode, TracedTree, Way};
pub use tree::{Chooser, Tree};
