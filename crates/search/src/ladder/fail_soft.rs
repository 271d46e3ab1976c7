//! The fifth rung: the same nodes, but a better answer when the window is missed (Fishburn, 1983).

use super::tree::Tree;
use tesuji_shogi::Value;

/// The value of a node for whoever chooses there. An answer of at most `alpha` means "no more than
/// this", one of at least `beta` means "no less than this".
pub fn fail_soft(tree: &mut impl Tree, alpha: Value, beta: Value) -> Value {
    tree.enter(alpha, beta);
    let branches = tree.branches();
    if branches.is_empty() {
        return tree.own_value();
    }
    let mut best = -Value::INFINITE;
    for branch in branches {
        let floor = alpha.max(best);
        best = best.max(-tree.after(branch, |below| fail_soft(below, -beta, -floor)));
        if beta <= best {
            break;
        }
    }
    best
}
