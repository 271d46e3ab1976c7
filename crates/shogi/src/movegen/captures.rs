//! Captures; promotions that take nothing; the quiet rest. Together they are the legal moves.

use super::{Masks, Sink, by_turn, legal::aimed};
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::side::Side;
use std::ops::ControlFlow;

/// Hands every move that takes a piece to the sink, promotions included.
#[inline]
pub fn captures(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    by_turn!(pos, captures_for(pos, sink))
}

#[inline(always)]
fn captures_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    let foes = pos.pieces(S::Foe::COLOR);
    let masks = Masks::<false> {
        plain: foes,
        promoting: foes,
        drop: Bitboard::EMPTY,
    };
    aimed::<S, _>(pos, masks, sink)
}

/// Hands every promotion that takes nothing to the sink.
#[inline]
pub fn promotions(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    by_turn!(pos, promotions_for(pos, sink))
}

#[inline(always)]
fn promotions_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    let (plain, drop) = (Bitboard::EMPTY, Bitboard::EMPTY);
    aimed::<S, _>(
        pos,
        Masks::<false> {
            plain,
            promoting: !pos.occupied(),
            drop,
        },
        sink,
    )
}

/// Hands every move that neither takes nor promotes to the sink, drops included.
#[inline]
pub fn quiet(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    by_turn!(pos, quiet_for(pos, sink))
}

#[inline(always)]
fn quiet_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    let empty = !pos.occupied();
    let masks = Masks::<false> {
        plain: empty,
        promoting: Bitboard::EMPTY,
        drop: empty,
    };
    aimed::<S, _>(pos, masks, sink)
}
