//! Moves that reach a square.

use super::{Masks, Sink, generate, legal::aimed};
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::side::Side;
use crate::types::square::Square;
use std::ops::ControlFlow;

/// Hands every legal move that ends on a square to the sink: captures if a foe stands there,
/// moves and drops if it is empty.
#[inline]
pub fn to(pos: &Position, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(to_for(pos: Position, square: Square), sink)
}

#[inline(always)]
fn to_for<S: Side>(pos: &Position, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
    let land = Bitboard::of(square).without(pos.pieces(S::COLOR));
    let drop = land.without(pos.occupied());
    aimed::<S, _>(
        pos,
        Masks::<false> {
            plain: land,
            promoting: land,
            drop,
        },
        sink,
    )
}
