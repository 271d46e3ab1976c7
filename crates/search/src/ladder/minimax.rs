//! The first rung: look at everything; Max takes the greatest value, Min the smallest (Shannon, 1950).

use super::tree::{Chooser, Tree};
use tesuji_shogi::Value;

/// The value of a node for Max.
pub fn minimax(tree: &mut impl Tree) -> Value {
    tree.enter(-Value::INFINITE, Value::INFINITE);
    let branches = tree.branches();
    if branches.is_empty() {
        return tree.value();
    }
    let turn = tree.turn();
    let values = branches
        .into_iter()
        .map(|branch| tree.after(branch, |below| minimax(below)));
    match turn {
        Chooser::Max => values.max(),
        Chooser::Min => values.min(),
    }
    .expect("a node with branches")
}
