//! The second rung: what is good for one is bad for the other, so that one rule serves both sides.

use super::tree::Tree;
use tesuji_shogi::Value;

/// The value of a node for whoever chooses there.
pub fn negamax(tree: &mut impl Tree) -> Value {
    tree.enter(-Value::INFINITE, Value::INFINITE);
    let branches = tree.branches();
    if branches.is_empty() {
        return tree.own_value();
    }
    let values = branches
        .into_iter()
        .map(|branch| -tree.after(branch, |below| negamax(below)));
    values.max().expect("a node with branches")
}
