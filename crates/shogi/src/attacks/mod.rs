//! Which squares a piece attacks.

pub mod lines;
pub mod sliders;
pub mod steps;

use crate::bitboard::Bitboard;
use crate::types::color::Color;
use crate::types::piece::PieceKind;
use crate::types::square::Square;

/// The squares that a piece attacks through an occupancy; one table for all fourteen kinds.
///
/// ```
/// use tesuji_shogi::{attacks, Bitboard, Color, PieceKind, Square};
/// let square: Square = "5e".parse().unwrap();
/// assert_eq!(attacks::of(PieceKind::Rook, Color::Black, square, Bitboard::EMPTY).len(), 16);
/// assert_eq!(attacks::of(PieceKind::Knight, Color::White, square, Bitboard::EMPTY).len(), 2);
/// ```
#[inline]
pub fn of(kind: PieceKind, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    use PieceKind::*;
    match kind {
        Pawn => steps::pawn(color, from),
        Lance => sliders::lance(color, from, occupied),
        Knight => steps::knight(color, from),
        Silver => steps::silver(color, from),
        Gold | PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver => {
            steps::gold(color, from)
        }
        Bishop => sliders::bishop(from, occupied),
        Rook => sliders::rook(from, occupied),
        Horse => sliders::bishop(from, occupied) | steps::king(from),
        Dragon => sliders::rook(from, occupied) | steps::king(from),
        King => steps::king(from),
    }
}
