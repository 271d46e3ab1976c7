//! Types that cannot be mixed up: colours, pieces, squares, hands, moves, values.

pub(crate) mod color;
pub(crate) mod hand;
pub(crate) mod moves;
pub(crate) mod piece;
pub(crate) mod square;
pub(crate) mod value;
