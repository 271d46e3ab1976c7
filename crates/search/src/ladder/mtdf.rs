//! The seventh rung, MTD(f): ask only whether the value is above or below a guess, again and again,
//! until the answers meet (Plaat, Schaeffer, Pijls and de Bruin, 1996).

use super::alpha_beta_with_memory::alpha_beta_with_memory;
use super::table::{Bounds, NodeTable};
use super::tree::Tree;
use tesuji_shogi::Value;

/// The least difference between two values.
const STEP: Value = Value::new(1);

/// The value of a node for whoever chooses there, found from a first guess. The better the guess,
/// the fewer questions; the better the table remembers, the cheaper each of them.
pub fn mtdf<T: Tree>(tree: &mut T, guess: Value, table: &mut impl NodeTable<T>) -> Value {
    let (mut value, mut bounds) = (guess, Bounds::OPEN);
    while bounds.lower < bounds.upper {
        let beta = value.max(bounds.lower + STEP);
        value = tree.ask(|tree| alpha_beta_with_memory(tree, beta - STEP, beta, table));
        if value < beta {
            bounds.upper = value;
        } else {
            bounds.lower = value;
        }
    }
    value
}
