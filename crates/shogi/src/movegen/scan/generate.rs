//! Every legal move of a plain array.

mod drops;
mod evade;

use super::buffer::{LongBuffer, ShortBuffer};
use super::look::ScanCheckInfo;
use super::pieces::{DropSquares, KingMoves, pinned_moves, walk};
use super::placement::{Placement, Squares};
use crate::side::Side;
use crate::sink::{Any, Sink};
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;
use drops::drops;
pub(super) use drops::drops_on;
use evade::evade;
use std::ops::ControlFlow::{self, Continue};

/// Hands every legal move of `S` to the sink, each exactly once.
#[inline]
pub(super) fn legal<S: Side>(now: &Placement, sink: &mut impl Sink) -> ControlFlow<()> {
    some::<S>(now, 8, sink)
}

/// Whether `S` has a legal move.
pub(crate) fn has_reply<S: Side>(now: &Placement) -> bool {
    some::<S>(now, 1, &mut Any::default()).is_break()
}

/// Hands legal moves to the sink: all, but of the king at most `most`.
#[inline(always)]
fn some<S: Side>(now: &Placement, most: usize, sink: &mut impl Sink) -> ControlFlow<()> {
    let Some(king) = now.king(S::COLOR).map(Square::index) else {
        return free::<S, true>(now, ScanCheckInfo::NONE, sink);
    };
    let danger = ScanCheckInfo::of::<S>(king, &now.squares);
    if danger.checks() == 0 {
        return free::<S, true>(now, danger, sink);
    }
    let mut moves = ShortBuffer::new();
    let sliders = danger.sliders::<S>(king, &now.squares);
    let count = KingMoves::<S>::MOVES[king](&now.squares, sliders, most, &mut moves);
    sink.batch(moves.batch(count))?;
    if danger.checks() == 1 {
        evade::<S>(now, king, danger, sink)
    } else {
        Continue(())
    }
}

/// The moves of a side that is not in check, with drops or without.
#[inline(always)]
pub(super) fn free<S: Side, const DROPS: bool>(
    now: &Placement,
    danger: ScanCheckInfo,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let mut moves = LongBuffer::new();
    let mut found = DropSquares::new();
    let king = now.king(S::COLOR).map(Square::index);
    let mut count;
    match king {
        Some(king) if danger.has_pins() => {
            let marked = without_pins::<S>(now.squares, king, danger);
            count = walk::<S>(&marked, &mut moves, &mut found);
            for pin in danger.pins::<S>(king, &now.squares) {
                count = pinned_moves::<S>(&now.squares, pin, &mut moves, count);
                found.add_pawn::<S>(&now.squares, pin.at);
            }
        }
        _ => count = walk::<S>(&now.squares, &mut moves, &mut found),
    }
    if let Some(king) = king {
        let mut moves = ShortBuffer::new();
        let count = KingMoves::<S>::MOVES[king](&now.squares, 0, 8, &mut moves);
        sink.batch(moves.batch(count))?;
    }
    if DROPS {
        drops::<S>(now, &found, sink)?;
    }
    sink.batch(moves.batch(count))
}

/// Puts kings in the place of pinned pieces: they stand as still as kings while others move.
#[cold]
pub(super) fn without_pins<S: Side>(
    mut squares: Squares,
    king: usize,
    danger: ScanCheckInfo,
) -> Squares {
    let stone = Some(Piece::new(S::COLOR, PieceKind::King));
    let original = squares;
    for pin in danger.pins::<S>(king, &original) {
        squares.0[pin.at] = stone;
    }
    squares
}
