//! Between the rungs: fail-soft alpha-beta with memory (Plaat, 1996), which searches that come back to
//! a node need.

use super::table::{Bounds, NodeTable};
use super::tree::Tree;
use tesuji_shogi::Value;

/// The value of a node for whoever chooses there, with the same meaning as in fail-soft. What the
/// table knows may spare the search, narrows its window, or says which branch to try first.
pub fn alpha_beta_with_memory<T: Tree>(
    tree: &mut T,
    mut alpha: Value,
    mut beta: Value,
    table: &mut impl NodeTable<T>,
) -> Value {
    tree.enter(alpha, beta);
    let known = table.bounds(tree);
    if beta <= known.lower || known.lower == known.upper {
        return known.lower;
    }
    if known.upper <= alpha {
        return known.upper;
    }
    (alpha, beta) = (alpha.max(known.lower), beta.min(known.upper));
    let mut branches = tree.branches();
    if branches.is_empty() {
        return tree.own_value();
    }
    let remembered = table.best(tree);
    branches.sort_by_key(|&branch| Some(branch) != remembered); // Stable: the others stay in order.
    let (mut best, mut choice) = (-Value::INFINITE, branches[0]);
    for branch in branches {
        let floor = alpha.max(best);
        let value = -tree.after(branch, |below| {
            alpha_beta_with_memory(below, -beta, -floor, table)
        });
        if best < value {
            (best, choice) = (value, branch);
        }
        if beta <= best {
            break;
        }
    }
    table.learn(tree, Bounds::told(alpha, beta, best), choice);
    best
}
