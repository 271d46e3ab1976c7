//! The fourth rung: alpha-beta from the view of whoever chooses, where one bound is the other's
//! negative.

use super::tree::Tree;
use tesuji_shogi::Value;

/// The value of a node for whoever chooses there if it lies between `alpha` and `beta`, otherwise
/// the nearer of them.
pub fn nega_alpha_beta(tree: &mut impl Tree, mut alpha: Value, beta: Value) -> Value {
    tree.enter(alpha, beta);
    let branches = tree.branches();
    if branches.is_empty() {
        return tree.own_value();
    }
    for branch in branches {
        let value = -tree.after(branch, |below| nega_alpha_beta(below, -beta, -alpha));
        alpha = alpha.max(value);
        if beta <= alpha {
            return beta;
        }
    }
    alpha
}
