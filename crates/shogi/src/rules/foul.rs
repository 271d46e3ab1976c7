//! Why a move is illegal.

#[cfg(test)]
mod tests;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Change;
use crate::movegen;
use crate::position::Position;
use crate::types::moves::Move;
use crate::types::piece::PieceKind;
use crate::types::square::Square;

/// Why a move is illegal (反則手).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Foul {
    /// Nothing stands where the move starts.
    #[error("there is no piece to move")]
    NoPiece,
    /// The piece belongs to the foe.
    #[error("the piece belongs to the other side")]
    NotYours,
    /// The piece does not move that way, or another one is in between.
    #[error("the piece cannot move there")]
    CannotReach,
    /// A piece cannot land on one of its own side, nor be dropped on any.
    #[error("the square is occupied")]
    Occupied,
    /// The piece does not promote at all, or neither leaves nor reaches the zone.
    #[error("the piece cannot promote there")]
    CannotPromote,
    /// The dropped piece is not in hand.
    #[error("no such piece is in hand")]
    NotInHand,
    /// 行き所のない駒: a pawn, lance or knight that could never move again.
    #[error("the piece could never move again")]
    DeadEnd,
    /// 二歩: an unpromoted pawn of the same side stands on the file already.
    #[error("two pawns on one file")]
    TwoPawns,
    /// 王手放置: the own king would be in check after the move.
    #[error("the king would be in check")]
    IgnoredCheck,
    /// 打ち歩詰め: a pawn may not be dropped to mate.
    #[error("a dropped pawn may not give mate")]
    PawnDropMate,
}

/// The first reason found why a move is illegal; `None` if it is legal.
///
/// ```
/// use tesuji_shogi::Position;
/// use tesuji_shogi::rules::{Foul, foul};
/// let pos = Position::start();
/// assert_eq!(foul(&pos, "7g7f".parse().unwrap()), None);
/// assert_eq!(foul(&pos, "8h2b+".parse().unwrap()), Some(Foul::CannotReach));
/// assert_eq!(foul(&pos, "P*5e".parse().unwrap()), Some(Foul::NotInHand));
/// ```
pub fn foul(pos: &Position, mv: Move) -> Option<Foul> {
    let by_piece = match (mv.dropped(), mv.from()) {
        (Some(kind), _) => foul_of_drop(pos, kind, mv.to()),
        (None, Some(from)) => foul_of_step(pos, from, mv),
        (None, None) => Some(Foul::NotInHand),
    };
    by_piece.or_else(|| foul_against_kings(pos, mv))
}

impl Position {
    /// Plays a move if it is legal; otherwise says why not, and leaves the position as it is.
    ///
    /// ```
    /// use tesuji_shogi::{Foul, Position};
    /// let mut pos = Position::start();
    /// assert!(pos.try_play("7g7f".parse().unwrap()).is_ok());
    /// assert_eq!(pos.try_play("7g7f".parse().unwrap()), Err(Foul::NoPiece));
    /// ```
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn try_play(&mut self, mv: Move) -> Result<Change, Foul> {
        if self.is_legal(mv) {
            return Ok(self.play(mv));
        }
        Err(foul(self, mv).expect("an illegal move breaks a rule"))
    }
}

fn foul_of_drop(pos: &Position, kind: PieceKind, to: Square) -> Option<Foul> {
    let turn = pos.turn();
    let own_pawns = pos.of_kind(PieceKind::Pawn) & pos.pieces(turn);
    if !pos.hand(turn).has(kind) {
        Some(Foul::NotInHand)
    } else if pos.occupied().has(to) {
        Some(Foul::Occupied)
    } else if is_dead_end(pos, kind, to) {
        Some(Foul::DeadEnd)
    } else if kind == PieceKind::Pawn && own_pawns.meets(Bitboard::file(to.file())) {
        Some(Foul::TwoPawns)
    } else {
        None
    }
}

fn foul_of_step(pos: &Position, from: Square, mv: Move) -> Option<Foul> {
    let (turn, to) = (pos.turn(), mv.to());
    let Some(piece) = pos.at(from) else {
        return Some(Foul::NoPiece);
    };
    let meets_zone = turn.zone().has(from) || turn.zone().has(to);
    if piece.color() != turn {
        Some(Foul::NotYours)
    } else if !pos.attacks_from(from).has(to) {
        Some(Foul::CannotReach)
    } else if pos.pieces(turn).has(to) {
        Some(Foul::Occupied)
    } else if mv.is_promotion() && !(piece.can_promote() && meets_zone) {
        Some(Foul::CannotPromote)
    } else if !mv.is_promotion() && is_dead_end(pos, piece.kind(), to) {
        Some(Foul::DeadEnd)
    } else {
        None
    }
}

/// Whether a piece of the side to move would have no move from a square even on an empty board.
fn is_dead_end(pos: &Position, kind: PieceKind, square: Square) -> bool {
    attacks::of(kind, pos.turn(), square, Bitboard::EMPTY).is_empty()
}

/// What is wrong with a move that is right for its piece.
fn foul_against_kings(pos: &Position, mv: Move) -> Option<Foul> {
    if leaves_king_in_check(pos, mv) {
        Some(Foul::IgnoredCheck)
    } else if mv.dropped() == Some(PieceKind::Pawn) && mates(pos, mv) {
        Some(Foul::PawnDropMate)
    } else {
        None
    }
}

fn leaves_king_in_check(pos: &Position, mv: Move) -> bool {
    let (turn, to) = (pos.turn(), Bitboard::of(mv.to()));
    let from = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
    let occupied = pos.occupied().without(from) | to;
    pos.king(turn).is_some_and(|king| {
        let king = if from.has(king) { mv.to() } else { king };
        // What is taken does not give check any more.
        pos.attackers(turn.foe(), king, occupied).without(to).any()
    })
}

fn mates(pos: &Position, mv: Move) -> bool {
    let head = attacks::of(PieceKind::Pawn, pos.turn(), mv.to(), Bitboard::EMPTY);
    let gives_check = pos
        .king(pos.turn().foe())
        .is_some_and(|king| head.has(king));
    gives_check && {
        let mut after = pos.clone();
        after.play(mv);
        !movegen::has_legal_move(&after)
    }
}
