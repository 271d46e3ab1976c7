//! The third rung: what cannot change the choice further up is not looked at.
//!
//! `alpha` is what Max has for certain somewhere on the way here, `beta` what Min has. This form
//! never answers with more than the window can tell ("fail-hard"; Knuth and Moore, 1975).

use super::tree::{Chooser, Tree};
use tesuji_shogi::Value;

/// The value of a node for Max if it lies between `alpha` and `beta`, otherwise the nearer of them.
pub fn alpha_beta(tree: &mut impl Tree, mut alpha: Value, mut beta: Value) -> Value {
    tree.enter(alpha, beta);
    let branches = tree.branches();
    if branches.is_empty() {
        return tree.value();
    }
    let turn = tree.turn();
    for branch in branches {
        let value = tree.after(branch, |below| alpha_beta(below, alpha, beta));
        match turn {
            Chooser::Max => alpha = alpha.max(value),
            Chooser::Min => beta = beta.min(value),
        }
        if beta <= alpha {
            break; // One of the two has something as good elsewhere, and will not come here.
        }
    }
    // After a cut the side that chooses here would reach beyond the other's bound: that bound it is.
    match turn {
        Chooser::Max => alpha.min(beta),
        Chooser::Min => beta.max(alpha),
    }
}
