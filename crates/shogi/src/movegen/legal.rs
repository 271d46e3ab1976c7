//! The legal-move generator: every legal move, and the order in which the pieces are visited.

use super::aim::{Aim, Masks, Within};
use super::pieces::{board_moves, king_moves, one_piece, pawn_moves, pinned_moves};
use super::{Any, Sink, drops, generate};
use crate::attacks::lines;
use crate::bitboard::Bitboard;
use crate::kind::{Bishop, Dragon, GoldMover, Horse, Knight, Lance, Rook, Silver};
use crate::position::{Group, Position};
use crate::side::Side;
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Continue};

/// Hands every legal move to the sink, each exactly once.
///
/// ```
/// use tesuji_shogi::{movegen, Count, Position};
/// let mut count = Count::default();
/// let _ = movegen::legal(&Position::start(), &mut count);
/// assert_eq!(count.0, 30);
/// ```
#[inline]
pub fn legal(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(legal_for(pos: Position), sink)
}

/// As [`legal`], for the side to move as a type.
#[inline(always)]
pub fn legal_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, everywhere::<S, false>(pos), sink)
}

/// As [`legal`], but without the non-promotions that are never better than the promotion: of a
/// pawn, a bishop or a rook, and of a lance that would stay on its second rank.
#[inline]
pub fn legal_without_worse(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(legal_without_worse_for(pos: Position), sink)
}

#[inline(always)]
fn legal_without_worse_for<S: Side>(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    aimed::<S, _>(pos, everywhere::<S, true>(pos), sink)
}

/// Every answer to a check; nothing if there is no check.
#[inline]
pub fn evasions(pos: &Position, sink: &mut impl Sink) -> ControlFlow<()> {
    if pos.in_check() {
        legal(pos, sink)
    } else {
        Continue(())
    }
}

/// Whether there is any legal move: without one the side to move is mated (or stalemated, which
/// loses as well). Compiled once: the generator is large.
pub fn has_legal_move(pos: &Position) -> bool {
    legal(pos, &mut Any::default()).is_break()
}

#[inline(always)]
fn everywhere<S: Side, const WORSE: bool>(pos: &Position) -> Masks<WORSE> {
    let land = !pos.pieces(S::COLOR);
    Masks {
        plain: land,
        promoting: land,
        drop: !pos.occupied(),
    }
}

/// Hands to the sink every legal move that lands where the aim wants it.
#[inline(always)]
pub(super) fn aimed<S: Side, A: Aim>(
    pos: &Position,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    king_moves::<S, A>(pos, aim, sink)?;
    // One copy of the code for both cases: the sets cost nothing beside it.
    match answers::<S>(pos) {
        Some((land, drop)) => others::<S, _>(pos, Within { aim, land, drop }, sink),
        None => Continue(()),
    }
}

/// Hands to the sink the legal moves of one piece that land where the aim wants them.
#[inline(always)]
pub(super) fn aimed_piece<S: Side, A: Aim>(
    pos: &Position,
    mover: Square,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    if pos.king(S::COLOR) == Some(mover) {
        return king_moves::<S, A>(pos, aim, sink);
    }
    let Some((land, _)) = answers::<S>(pos) else {
        return Continue(());
    };
    let line = match pos.king(S::COLOR) {
        Some(king) if pos.pinned().has(mover) => lines::through(king, mover),
        _ => Bitboard::ALL,
    };
    one_piece::<S, A>(pos, mover, line & land, aim, sink)
}

/// Where other pieces than the king may land, and where they may be dropped, because of a check:
/// everywhere if there is none, nowhere if there are two.
#[inline(always)]
fn answers<S: Side>(pos: &Position) -> Option<(Bitboard, Bitboard)> {
    let checkers = pos.checkers();
    match checkers.first() {
        None => Some((Bitboard::ALL, Bitboard::ALL)),
        // Two checkers: only the king can answer.
        Some(_) if checkers.has_many() => None,
        // Take the checker or step between.
        Some(checker) => {
            let drop = pos.king(S::COLOR).map(|king| lines::between(king, checker));
            let drop = drop.expect("a king is in check");
            Some((drop | checkers, drop))
        }
    }
}

/// Everything but the king.
#[inline(always)]
fn others<S: Side, A: Aim>(pos: &Position, aim: A, sink: &mut impl Sink) -> ControlFlow<()> {
    let pinned = pos.pinned();
    let free = pos.pieces(S::COLOR).without(pinned) & aim.movers();
    let (steppers, bishops) = (
        pos.group(Group::KingSteppers),
        pos.group(Group::Bishops) & free,
    );
    let rooks = pos.group(Group::Rooks) & free;
    pawn_moves::<S, A>(pos.group(Group::Pawns) & free, aim, sink)?;
    board_moves::<S, Lance, A>(pos, pos.group(Group::Lances) & free, aim, sink)?;
    board_moves::<S, Knight, A>(pos, pos.group(Group::Knights) & free, aim, sink)?;
    board_moves::<S, Silver, A>(pos, pos.group(Group::Silvers) & free, aim, sink)?;
    board_moves::<S, GoldMover, A>(pos, pos.group(Group::Golds) & free, aim, sink)?;
    board_moves::<S, Bishop, A>(pos, bishops.without(steppers), aim, sink)?;
    board_moves::<S, Rook, A>(pos, rooks.without(steppers), aim, sink)?;
    board_moves::<S, Horse, A>(pos, bishops & steppers, aim, sink)?;
    board_moves::<S, Dragon, A>(pos, rooks & steppers, aim, sink)?;
    if (pinned & aim.movers()).any() {
        pinned_moves::<S, A>(pos, aim, sink)?;
    }
    drops::drops_for::<S, A>(pos, aim, sink)
}
