//! The rules of a whole game: what ends it, and who wins.
//!
//! Which moves are legal is decided by [`movegen`](crate::movegen); here is what takes more than
//! the board to decide: the past, the points, the number of moves, and the name of a foul.

pub mod declaration;
pub mod ending;
pub mod foul;
pub mod repetition;

pub use declaration::{
    Declaration, DeclarationCount, DeclarationRule, DeclarationRuleError, Obstacle, RequiredPoints,
    declare,
};
pub use ending::{Cause, Outcome, RuleSet, declared, outcome};
pub use foul::{Foul, foul};
pub use repetition::{Counting, Repetition, RepetitionHit, RepetitionState, Ruling};
