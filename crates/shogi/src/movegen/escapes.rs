//! Moves that save a piece.
//!
//! One of the special generators of OpenShogiLib (2003).

use super::legal::{aimed, aimed_piece};
use super::{Filtered, Masks, Sink, generate};
use crate::attacks::lines;
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::side::Side;
use crate::types::moves::Move;
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Continue};

/// Hands every legal move to the sink after which the piece of the side to move that stood on
/// `square` is not attacked: it goes, the attacker is taken, or something steps between. If it is
/// not attacked now, or nothing of the side to move stands there, there is nothing to save.
#[inline]
pub fn escapes(pos: &Position, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(escapes_for(pos: Position, square: Square), sink)
}

fn escapes_for<S: Side>(pos: &Position, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
    let attackers = pos.attackers(S::Foe::COLOR, square, pos.occupied());
    if attackers.is_empty() || !pos.pieces(S::COLOR).has(square) {
        return Continue(());
    }
    let mut helpful = attackers;
    attackers.each(|attacker| helpful |= lines::between(square, attacker));
    // Any move of the piece itself, and any move to a helpful square, may do.
    let land = !pos.pieces(S::COLOR);
    let away = Masks::<false> {
        plain: land,
        promoting: land,
        drop: Bitboard::EMPTY,
    };
    let test = |mv: Move| is_saved::<S>(pos, square, mv);
    aimed_piece::<S, _>(pos, square, away, &mut Filtered { sink, test })?;
    let helped = Masks::<false> {
        plain: helpful & land,
        promoting: helpful & land,
        drop: helpful.without(pos.occupied()),
    };
    let test = |mv: Move| mv.from() != Some(square) && is_saved::<S>(pos, square, mv);
    aimed::<S, _>(pos, helped, &mut Filtered { sink, test })
}

/// Whether the piece on `square` is unattacked after a legal move.
fn is_saved<S: Side>(pos: &Position, square: Square, mv: Move) -> bool {
    let to = Bitboard::of(mv.to());
    let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
    let stands = if mv.from() == Some(square) {
        mv.to()
    } else {
        square
    };
    let occupied = pos.occupied().without(left) | to;
    pos.attackers(S::Foe::COLOR, stands, occupied)
        .without(to)
        .is_empty()
}
