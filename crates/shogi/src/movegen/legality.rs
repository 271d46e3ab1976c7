//! Is a move legal? Without generating.

use super::by_turn;
use super::drops::{files_without, is_pawn_drop_mate};
use crate::attacks::{self, lines, steps};
use crate::bitboard::Bitboard;
use crate::position::{Group, Position};
use crate::side::Side;
use crate::types::moves::Move;
use crate::types::piece::PieceKind;
use crate::types::square::Square;

/// Whether a move is legal. Any move may be asked about, also one from another position.
///
/// ```
/// use tesuji_shogi::Position;
/// let pos = Position::start();
/// assert!(pos.is_legal("7g7f".parse().unwrap()));
/// assert!(!pos.is_legal("7g7e".parse().unwrap()));
/// assert!(!pos.is_legal("P*5e".parse().unwrap()));
/// ```
pub fn is_legal(pos: &Position, mv: Move) -> bool {
    by_turn!(pos, is_legal_for(pos, mv))
}

fn is_legal_for<S: Side>(pos: &Position, mv: Move) -> bool {
    match mv.dropped() {
        Some(kind) => is_legal_drop::<S>(pos, kind, mv.to()),
        None => mv
            .from()
            .is_some_and(|from| is_legal_step::<S>(pos, from, mv)),
    }
}

fn dead_ends<S: Side>(kind: PieceKind) -> Bitboard {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => S::LAST,
        PieceKind::Knight => S::LAST_TWO,
        _ => Bitboard::EMPTY,
    }
}

/// Where a piece other than the king must land to answer the check; everywhere if there is none.
fn answers<S: Side>(pos: &Position) -> Bitboard {
    match (pos.king(S::COLOR), pos.checkers().first()) {
        (Some(_), Some(_)) if pos.checkers().has_many() => Bitboard::EMPTY,
        (Some(king), Some(checker)) => lines::between(king, checker) | pos.checkers(),
        _ => Bitboard::ALL,
    }
}

fn is_legal_drop<S: Side>(pos: &Position, kind: PieceKind, to: Square) -> bool {
    let is_free = pos.at(to).is_none() && !dead_ends::<S>(kind).has(to);
    if !is_free || !pos.hand(S::COLOR).has(kind) || !answers::<S>(pos).has(to) {
        return false;
    }
    if kind != PieceKind::Pawn {
        return true;
    }
    let own_pawns = pos.group(Group::Pawns) & pos.pieces(S::COLOR);
    let mates = || {
        pos.king(S::Foe::COLOR).is_some_and(|king| {
            steps::pawn(S::COLOR, to).has(king) && is_pawn_drop_mate::<S>(pos, king, to)
        })
    };
    files_without(own_pawns).has(to) && !mates()
}

fn is_legal_step<S: Side>(pos: &Position, from: Square, mv: Move) -> bool {
    let to = mv.to();
    let Some(piece) = pos.at(from).filter(|piece| piece.color() == S::COLOR) else {
        return false;
    };
    let kind = piece.kind();
    let sound = if mv.is_promotion() {
        kind.can_promote() && (S::ZONE.has(from) || S::ZONE.has(to))
    } else {
        !dead_ends::<S>(kind).has(to)
    };
    let reach = attacks::of(kind, S::COLOR, from, pos.occupied());
    if !sound || !reach.has(to) || pos.pieces(S::COLOR).has(to) {
        return false;
    }
    if kind == PieceKind::King {
        let occupied = pos.occupied() ^ Bitboard::of(from);
        return pos.attackers(S::Foe::COLOR, to, occupied).is_empty();
    }
    let along_pin = |king: Square| lines::through(king, from).has(to);
    answers::<S>(pos).has(to)
        && (!pos.pinned().has(from) || pos.king(S::COLOR).is_some_and(along_pin))
}
