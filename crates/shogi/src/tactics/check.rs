//! Does a move give check? Asked of many moves in one position.

use crate::attacks::{lines, sliders, steps};
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;

/// From where each kind would give check, and whose leaving would: made once, asked often.
///
/// ```
/// use tesuji_shogi::{Position, tactics::CheckSquares};
/// let pos = Position::from_sfen("4k4/9/9/9/9/9/9/4N4/4R3K b G 1").unwrap();
/// let checks = CheckSquares::of(&pos);
/// assert!(checks.is_check(&pos, "G*5b".parse().unwrap()));
/// assert!(!checks.is_check(&pos, "G*3c".parse().unwrap()));
/// // The knight opens the line of the rook.
/// assert!(checks.is_check(&pos, "5h4f".parse().unwrap()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Option<Square>,
    by_kind: [Bitboard; 16],
    discoverers: Bitboard,
}

impl CheckSquares {
    /// For the side to move.
    #[inline]
    pub fn of(pos: &Position) -> Self {
        let (turn, occupied) = (pos.turn(), pos.occupied());
        let mut by_kind = [Bitboard::EMPTY; 16];
        let Some(king) = pos.king(turn.foe()) else {
            return Self {
                king: None,
                by_kind,
                discoverers: Bitboard::EMPTY,
            };
        };
        let foe = turn.foe();
        let (bishop, rook) = (
            sliders::bishop(king, occupied),
            sliders::rook(king, occupied),
        );
        let (gold, around) = (steps::gold(foe, king), steps::king(king));
        // One after the other: a loop over a list would go through memory twice.
        let mut set = |kind: PieceKind, squares: Bitboard| by_kind[kind.index()] = squares;
        set(PieceKind::Pawn, steps::pawn(foe, king));
        set(PieceKind::Lance, sliders::lance(foe, king, occupied));
        set(PieceKind::Knight, steps::knight(foe, king));
        set(PieceKind::Silver, steps::silver(foe, king));
        set(PieceKind::Gold, gold);
        set(PieceKind::Bishop, bishop);
        set(PieceKind::Rook, rook);
        set(PieceKind::PromotedPawn, gold);
        set(PieceKind::PromotedLance, gold);
        set(PieceKind::PromotedKnight, gold);
        set(PieceKind::PromotedSilver, gold);
        set(PieceKind::Horse, bishop | around);
        set(PieceKind::Dragon, rook | around);
        Self {
            king: Some(king),
            by_kind,
            discoverers: pos.discoverers(turn, king),
        }
    }

    /// Whether a legal move of the position gives check.
    #[inline(always)]
    pub fn is_check(&self, pos: &Position, mv: Move) -> bool {
        self.is_direct(pos, mv) || self.discovers(mv)
    }

    /// Whether the piece that moves gives check itself.
    #[inline(always)]
    pub fn is_direct(&self, pos: &Position, mv: Move) -> bool {
        self.is_attack(pos.moved_piece_after(mv), mv.to())
    }

    /// Whether a piece of the side to move gives check from a square.
    #[inline(always)]
    pub fn is_attack(&self, piece: Piece, from: Square) -> bool {
        self.by_kind[piece.kind().index() & 15].has(from)
    }

    #[inline(always)]
    fn discovers(&self, mv: Move) -> bool {
        match (mv.from(), self.king) {
            (Some(from), Some(king)) => {
                self.discoverers.has(from) && !lines::through(king, from).has(mv.to())
            }
            _ => false,
        }
    }
}
