//! Answers to a check: take the checker or step between.

use super::drops::drops_on;
use super::without_pins;
use crate::movegen::scan::buffer::ShortBuffer;
use crate::movegen::scan::look::{ScanCheckInfo, Sight, after};
use crate::movegen::scan::pieces::moves_onto;
use crate::movegen::scan::placement::Placement;
use crate::side::Side;
use crate::sink::Sink;
use std::ops::ControlFlow::{self, Continue};

/// The answers of everybody but the king to a single check.
pub(super) fn evade<S: Side>(
    now: &Placement,
    king: usize,
    danger: ScanCheckInfo,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let Some((checker, direction)) = danger.checker::<S>(king, &now.squares) else {
        return Continue(());
    };
    // Pinned pieces never help.
    let (marked, mut squares);
    squares = &now.squares;
    if danger.has_pins() {
        marked = without_pins::<S>(now.squares, king, danger);
        squares = &marked;
    }
    let mut moves = ShortBuffer::new();
    let count = moves_onto::<S, _, _>(
        squares,
        checker,
        Sight::from::<S>(checker, squares),
        &mut moves,
        0,
    );
    sink.batch(moves.batch(count))?;
    let Some(direction) = direction else {
        return Continue(());
    };
    let mut to = after::<S>(king, direction);
    while to != checker {
        let mut count =
            moves_onto::<S, _, _>(squares, to, Sight::from::<S>(to, squares), &mut moves, 0);
        count = drops_on::<S>(now, to, &mut moves, count);
        sink.batch(moves.batch(count))?;
        to = after::<S>(to, direction);
    }
    Continue(())
}
