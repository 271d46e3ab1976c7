//! Drops: two pawns, last ranks, pawn-drop mate.
//!
//! The files without a pawn are found by one subtraction, as in Qugiy (2021) and YaneuraOu.

use super::{Aim, Masks, Sink, generate};
use crate::attacks::{lines, steps};
use crate::bitboard::Bitboard;
use crate::position::{Group, Position};
use crate::side::Side;
use crate::types::hand::Hand;
use crate::types::piece::PieceKind::{self, *};
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Continue};

/// Hands every legal drop to the sink.
#[inline]
pub fn drops_only(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(drops_only_for(pos: Position), sink)
}

#[inline(always)]
fn drops_only_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    let drop = !pos.occupied();
    super::legal::aimed::<S, _>(
        pos,
        Masks::<false> {
            plain: Bitboard::EMPTY,
            promoting: Bitboard::EMPTY,
            drop,
        },
        sink,
    )
}

/// The drops that land where the aim wants them. The caller has dealt with checks.
#[inline(always)]
pub(super) fn drops_for<S: Side, A: Aim>(
    pos: &Position,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let hand = pos.hand(S::COLOR);
    if hand.is_empty() {
        return Continue(());
    }
    if hand.has(Pawn) {
        let to = pawn_drops::<S>(pos, aim.drop(Pawn));
        if to.any() {
            sink.drops(&[Pawn], to)?;
        }
    }
    if !hand.has_more_than_pawns() {
        return Continue(());
    }
    if hand.has(Lance) {
        sink.drops(&[Lance], aim.drop(Lance).without(S::LAST))?;
    }
    if hand.has(Knight) {
        sink.drops(&[Knight], aim.drop(Knight).without(S::LAST_TWO))?;
    }
    if !A::SAME_DROPS {
        for kind in [Silver, Bishop, Rook, Gold] {
            if hand.has(kind) {
                sink.drops(&[kind], aim.drop(kind))?;
            }
        }
        return Continue(());
    }
    let (kinds, count) = free_kinds(hand);
    sink.drops(&kinds[..count.min(4)], aim.drop(Gold))
}

/// The kinds in hand that may be dropped on any empty square.
#[inline(always)]
fn free_kinds(hand: Hand) -> ([PieceKind; 4], usize) {
    let mut kinds = [Gold; 4];
    let mut count = 0;
    for kind in [Silver, Bishop, Rook, Gold] {
        kinds[count & 3] = kind;
        count += usize::from(hand.has(kind));
    }
    (kinds, count)
}

/// Where a pawn may be dropped.
#[inline(always)]
fn pawn_drops<S: Side>(pos: &Position, wanted: Bitboard) -> Bitboard {
    let own_pawns = pos.group(Group::Pawns) & pos.pieces(S::COLOR);
    let to = wanted.without(S::LAST) & files_without(own_pawns);
    match pos.king(S::Foe::COLOR) {
        Some(king) if to.meets(steps::pawn(S::Foe::COLOR, king)) => {
            to.without(mating_pawn_drop::<S>(pos, king))
        }
        _ => to,
    }
}

/// All squares of the files on which a set has none.
#[inline(always)]
pub(super) fn files_without(set: Bitboard) -> Bitboard {
    // In each file of nine bits: the top bit minus the pawn's bit loses the top bit if there is a
    // pawn; what is left is spread over the file.
    let tops = Bitboard::rank(9).words();
    let [low, high] = set.words();
    let column = |top: u64, pawns: u64| {
        let free = top.wrapping_sub(pawns) & top;
        free | free.wrapping_sub(free >> 8)
    };
    Bitboard::from_words([column(tops[0], low), column(tops[1], high)])
}

/// The square before the king of the foe, if a pawn dropped there would be mate. Entered only if
/// the drop would be legal otherwise.
#[cold]
#[inline(never)]
fn mating_pawn_drop<S: Side>(pos: &Position, king: Square) -> Bitboard {
    let target = steps::pawn(S::Foe::COLOR, king);
    let Some(square) = target.first() else {
        return Bitboard::EMPTY;
    };
    if is_pawn_drop_mate::<S>(pos, king, square) {
        target
    } else {
        Bitboard::EMPTY
    }
}

/// Whether a pawn of `S` dropped on `square`, before the king of the foe, would be mate.
pub(super) fn is_pawn_drop_mate<S: Side>(pos: &Position, king: Square, square: Square) -> bool {
    let (foe, occupied) = (S::Foe::COLOR, pos.occupied() | Bitboard::of(square));
    // Does the king flee, or take the pawn?
    let escapes = steps::king(king).without(pos.pieces(foe));
    if escapes
        .without(pos.attacked_around::<S::Foe>(king, occupied))
        .any()
    {
        return false;
    }
    // Is it taken by another piece that is not pinned, or pinned along that very line?
    let takers = pos
        .attackers(foe, square, occupied)
        .without(Bitboard::of(king));
    if takers.is_empty() {
        return true;
    }
    let pinned = pos.shields_of::<S::Foe>(occupied);
    !takers
        .iter()
        .any(|taker| !pinned.has(taker) || lines::through(king, taker).has(square))
}
