//! Moves on the board for one kind.

use super::{Aim, Sink};
use crate::attacks::{lines, steps};
use crate::bitboard::Bitboard;
use crate::kind::{Bishop, Dragon, GoldMover, Horse, Kind, Knight, Lance, Pawn, Rook, Silver};
use crate::position::Position;
use crate::side::Side;
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Continue};

/// The moves of every piece of one kind, given where they stand.
#[inline(always)]
pub(super) fn board_moves<S: Side, K: Kind, A: Aim>(
    pos: &Position,
    pieces: Bitboard,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let occupied = pos.occupied();
    for (mut word, start) in pieces.words().into_iter().zip([0, 63]) {
        while word != 0 {
            let from = Square::trusted(start + word.trailing_zeros() as u8);
            word &= word - 1;
            piece_moves::<S, K, A>(from, K::attacks::<S>(from, occupied), aim, sink)?;
        }
    }
    Continue(())
}

/// The moves of one piece that attacks the squares of `reach`.
#[inline(always)]
fn piece_moves<S: Side, K: Kind, A: Aim>(
    from: Square,
    reach: Bitboard,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let Some(promoted) = K::KIND.promoted() else {
        return sink.moves(from, reach & aim.plain(K::KIND));
    };
    let leaves_zone = S::ZONE.has(from);
    let zone = if leaves_zone { Bitboard::ALL } else { S::ZONE };
    let promoting = reach & zone & aim.promoting(promoted);
    sink.moves(
        from,
        (reach & aim.plain(K::KIND)).without(unwanted::<S, K, A>(zone)),
    )?;
    if promoting.any() {
        sink.promotions(from, promoting)
    } else {
        Continue(())
    }
}

/// Where a piece may not, or need not, stay unpromoted.
#[inline(always)]
fn unwanted<S: Side, K: Kind, A: Aim>(zone: Bitboard) -> Bitboard {
    if A::WITHOUT_WORSE {
        K::dead_ends::<S>() | zone & K::always_promotes::<S>()
    } else {
        K::dead_ends::<S>()
    }
}

/// The moves of all pawns at once.
#[inline(always)]
pub(super) fn pawn_moves<S: Side, A: Aim>(
    pawns: Bitboard,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let reach = S::forward(pawns);
    let promoting = reach & S::ZONE & aim.promoting(PieceKind::PromotedPawn);
    let plain = reach & aim.plain(PieceKind::Pawn);
    sink.steps(S::BACK, plain.without(unwanted::<S, Pawn, A>(S::ZONE)))?;
    if promoting.any() {
        sink.step_promotions(S::BACK, promoting)
    } else {
        Continue(())
    }
}

/// The moves of the king to squares that no foe attacks.
#[inline(always)]
pub(super) fn king_moves<S: Side, A: Aim>(
    pos: &Position,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let Some(from) = pos.king(S::COLOR) else {
        return Continue(());
    };
    if !aim.movers().has(from) {
        return Continue(());
    }
    let land = steps::king(from) & aim.plain(PieceKind::King).without(pos.pieces(S::COLOR));
    if land.is_empty() {
        return Continue(());
    }
    sink.moves(
        from,
        land.without(pos.attacked_around::<S>(from, pos.occupied())),
    )
}

/// The moves of pinned pieces, along the line to their king. Rare, so it may look at each piece.
#[cold]
#[inline(never)]
pub(super) fn pinned_moves<S: Side, A: Aim>(
    pos: &Position,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let king = pos.king(S::COLOR).expect("a pin needs a king");
    for from in (pos.pinned() & aim.movers()).iter() {
        let line = lines::through(king, from);
        one_piece::<S, A>(pos, from, line, aim, sink)?;
    }
    Continue(())
}

/// The moves of the piece on one square, as far as they land inside `line`.
#[inline(always)]
pub(super) fn one_piece<S: Side, A: Aim>(
    pos: &Position,
    from: Square,
    line: Bitboard,
    aim: A,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let Some(piece) = pos.at(from) else {
        return Continue(());
    };
    macro_rules! by_kind {
        ($($kind:ident => $name:ident,)*) => {
            match piece.kind() {
                $(PieceKind::$kind => {
                    let reach = $name::attacks::<S>(from, pos.occupied()) & line;
                    piece_moves::<S, $name, A>(from, reach, aim, sink)
                })*
                PieceKind::King => Continue(()),
                _ => {
                    let reach = GoldMover::attacks::<S>(from, pos.occupied()) & line;
                    piece_moves::<S, GoldMover, A>(from, reach, aim, sink)
                }
            }
        };
    }
    by_kind! {
        Pawn => Pawn,
        Lance => Lance,
        Knight => Knight,
        Silver => Silver,
        Bishop => Bishop,
        Rook => Rook,
        Horse => Horse,
        Dragon => Dragon,
    }
}
