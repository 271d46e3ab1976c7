//! Moves that give check, direct and discovered.

use super::{Sink, onto};
use crate::position::Position;
use std::ops::ControlFlow::{self, Continue};

/// Hands every legal move that gives check to the sink.
#[inline]
pub fn checks(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    match pos.king(pos.turn().foe()) {
        Some(king) => onto(pos, king, sink),
        None => Continue(()),
    }
}
