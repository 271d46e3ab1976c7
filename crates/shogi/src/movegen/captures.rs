//! Captures; promotions that take nothing; the quiet rest; everything that takes nothing.

use super::{Masks, Sink, by_turn, generate, legal::aimed};
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::side::Side;
use std::ops::ControlFlow;

/// Hands every move that takes a piece to the sink, promotions included.
#[inline]
pub fn captures(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(all_captures_for(pos: Position), sink)
}

/// As [`captures`], but without the non-promotions that are never better than the promotion.
#[inline]
pub fn captures_without_worse(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(better_captures_for(pos: Position), sink)
}

#[inline(always)]
fn all_captures_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, on_foes::<S, false>(pos), sink)
}

#[inline(always)]
fn better_captures_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, on_foes::<S, true>(pos), sink)
}

#[inline(always)]
fn on_foes<S: Side, const WITHOUT_WORSE: bool>(pos: &Position) -> Masks<WITHOUT_WORSE> {
    let foes = pos.pieces(S::Foe::COLOR);
    Masks {
        plain: foes,
        promoting: foes,
        drop: Bitboard::EMPTY,
    }
}

/// Hands every promotion that takes nothing to the sink.
#[inline]
pub fn promotions(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(promotions_for(pos: Position), sink)
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
    generate!(all_quiet_for(pos: Position), sink)
}

/// As [`quiet`], but without the non-promotions that are never better than the promotion. Compiled
/// for every sink anew: few ask for it.
#[inline]
pub fn quiet_without_worse(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    by_turn!(pos, better_quiet_for(pos, sink))
}

#[inline(always)]
fn all_quiet_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, on_empty::<false>(pos), sink)
}

#[inline(always)]
fn better_quiet_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, on_empty::<true>(pos), sink)
}

#[inline(always)]
fn on_empty<const WITHOUT_WORSE: bool>(pos: &Position) -> Masks<WITHOUT_WORSE> {
    let empty = !pos.occupied();
    Masks {
        plain: empty,
        promoting: Bitboard::EMPTY,
        drop: empty,
    }
}

/// Hands every move that takes nothing to the sink: promotions, quiet moves, drops.
#[inline]
pub fn non_captures(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(all_non_captures_for(pos: Position), sink)
}

/// As [`non_captures`], but without the non-promotions that are never better than the promotion.
#[inline]
pub fn non_captures_without_worse(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(better_non_captures_for(pos: Position), sink)
}

#[inline(always)]
fn all_non_captures_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, anyhow_on_empty::<false>(pos), sink)
}

#[inline(always)]
fn better_non_captures_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, anyhow_on_empty::<true>(pos), sink)
}

#[inline(always)]
fn anyhow_on_empty<const WITHOUT_WORSE: bool>(pos: &Position) -> Masks<WITHOUT_WORSE> {
    Masks {
        promoting: !pos.occupied(),
        ..on_empty(pos)
    }
}
