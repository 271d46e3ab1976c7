//! The question that Tenuki's author leaves open (2023): when does principal variation search stop
//! calling a branch the first one? The answers, to be counted side by side.

use super::tree::Tree;
use tesuji_shogi::Value;

/// Which branches are searched with the whole window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstBranch {
    /// The leftmost, and no other: the sixth rung.
    Leftmost,
    /// All, until one of them has raised alpha: before that there is nothing to be better than.
    UntilRaised,
}

/// The least difference between two values.
const STEP: Value = Value::new(1);

/// Principal variation search with another idea of the first branch; the same value.
pub fn pvs_first(tree: &mut impl Tree, alpha: Value, beta: Value, first: FirstBranch) -> Value {
    tree.enter(alpha, beta);
    let branches = tree.branches();
    if branches.is_empty() {
        return tree.own_value();
    }
    let mut best = -Value::INFINITE;
    for (number, branch) in branches.into_iter().enumerate() {
        let floor = alpha.max(best);
        let is_first = match first {
            FirstBranch::Leftmost => number == 0,
            FirstBranch::UntilRaised => best <= alpha,
        };
        let mut value = Value::INFINITE;
        if !is_first {
            value = -tree.after(branch, |below| {
                pvs_first(below, -floor - STEP, -floor, first)
            });
        }
        if is_first || floor < value && value < beta {
            value = -tree.after(branch, |below| pvs_first(below, -beta, -floor, first));
        }
        best = best.max(value);
        if beta <= best {
            break;
        }
    }
    best
}
