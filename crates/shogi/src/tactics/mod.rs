//! Patterns on the board: what an exchange is worth, does a move give check, is there a mate at hand.

mod check;
pub mod mate1;
pub mod mate1_scan;
pub mod mate3;
pub mod see;
pub mod see_scan;

pub use check::CheckSquares;
pub use mate1::mate_in_one;
pub use mate3::{mate_in_five, mate_in_three};
