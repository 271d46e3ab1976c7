//! The sixth rung, principal variation search: believe that the first branch is the best, and ask of
//! the others only whether they are better (Finkel and Fishburn; Marsland and Campbell, 1982).

use super::tree::Tree;
use tesuji_shogi::Value;

/// The least difference between two values.
const STEP: Value = Value::new(1);

/// The value of a node for whoever chooses there, with the same meaning as in fail-soft.
pub fn pvs(tree: &mut impl Tree, alpha: Value, beta: Value) -> Value {
    tree.enter(alpha, beta);
    let branches = tree.branches();
    if branches.is_empty() {
        return tree.own_value();
    }
    let mut best = -Value::INFINITE;
    for (number, branch) in branches.into_iter().enumerate() {
        let floor = alpha.max(best);
        let mut value = Value::INFINITE;
        if number > 0 {
            // A window with nothing in it: the answer is only "better" or "not better".
            value = -tree.after(branch, |below| pvs(below, -floor - STEP, -floor));
        }
        if number == 0 || floor < value && value < beta {
            value = -tree.after(branch, |below| pvs(below, -beta, -floor));
        }
        best = best.max(value);
        if beta <= best {
            break;
        }
    }
    best
}
