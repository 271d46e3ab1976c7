//! The eighth rung, iterative deepening: search one move deep, then two, then three; what a shallow
//! search found tells the deeper one what to try first (Slate and Atkin, 1977).

use super::alpha_beta_with_memory::alpha_beta_with_memory;
use super::table::NodeTable;
use super::tree::Tree;
use tesuji_shogi::Value;

/// The value of the root at its horizon, after every nearer horizon. Each answer on the way is one
/// that could be played if time ran out.
pub fn deepening<T: Tree>(tree: &mut T, table: &mut impl NodeTable<T>) -> Value {
    let mut value = Value::ZERO;
    for horizon in tree.horizon().min(1)..=tree.horizon() {
        tree.look(horizon);
        value =
            tree.ask(|tree| alpha_beta_with_memory(tree, -Value::INFINITE, Value::INFINITE, table));
    }
    value
}
