//! Moves that give check, direct and discovered.

use super::attacking::checks_for;
use super::{Sink, generate};
use crate::position::Position;
use crate::side::Side;
use std::ops::ControlFlow::{self, Continue};

/// Hands every legal move that gives check to the sink.
#[inline]
pub fn checks(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(all_checks_for(pos: Position), sink)
}

#[inline(always)]
fn all_checks_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    match pos.king(S::Foe::COLOR) {
        Some(king) => checks_for::<S>(pos, king, sink),
        None => Continue(()),
    }
}
