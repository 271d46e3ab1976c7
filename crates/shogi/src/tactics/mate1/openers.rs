//! Mates by pieces that open the line of an own slider when they leave.
//!
//! The slider then gives check itself, covers an escape, or defends the square where the piece lands.

use super::MatingNet;
use crate::attacks::{self, lines, sliders, steps};
use crate::bitboard::Bitboard;
use crate::position::{Group, Position};
use crate::side::Side;
use crate::types::moves::{Move, MoveList};
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use tesuji_kernels::Rays;

/// The pieces that can give check themselves after one move: who attacks a square next to the king,
/// and who checks from afar. Others before a slider only matter if it looks at the king.
#[inline(always)]
pub(super) fn possible(pos: &Position, attackers: Bitboard) -> Bitboard {
    attackers | pos.group(Group::Knights) | pos.group(Group::Bishops) | pos.group(Group::Rooks)
}

/// A piece of the side to move that slides.
#[derive(Clone, Copy)]
pub(super) struct Slider {
    from: Square,
    rays: &'static Rays,
    /// Where it may go at most: ahead, if it is a lance.
    limit: Bitboard,
}

impl Slider {
    #[inline(always)]
    pub(super) fn at<S: Side>(pos: &Position, from: Square) -> Self {
        let kind = pos.at(from).map_or(PieceKind::Rook, |piece| piece.kind());
        let limit = if kind == PieceKind::Lance {
            sliders::lance(S::COLOR, from, Bitboard::EMPTY)
        } else {
            Bitboard::ALL
        };
        let rays = sliders::rays(kind, from);
        Self { from, rays, limit }
    }

    /// What it attacks along its lines.
    #[inline(always)]
    pub(super) fn reach(self, occupied: Bitboard) -> Bitboard {
        sliders::along(self.rays, occupied) & self.limit
    }

    /// The own pieces next in line before it, if they can check when they move, and if it would see
    /// the king or a square next to it without them. `movers` may check by themselves.
    #[inline(always)]
    pub(super) fn openers<S: Side>(
        self,
        pos: &Position,
        king: Square,
        reach: Bitboard,
        movers: Bitboard,
    ) -> Bitboard {
        let next = reach & pos.pieces(S::COLOR);
        let looks_at_king = lines::direction(self.from, king).is_some();
        let next = if looks_at_king { next } else { next & movers };
        if next.is_empty() {
            return Bitboard::EMPTY;
        }
        let free = pos.occupied() ^ next ^ Bitboard::of(king);
        let behind = self.reach(free).without(reach);
        if behind.meets(steps::king(king) | Bitboard::of(king)) {
            next
        } else {
            Bitboard::EMPTY
        }
    }
}

impl<S: Side> MatingNet<S> {
    /// Checks by pieces that open a line when they leave: rare, so each is looked at closely.
    #[inline(always)]
    pub(super) fn by_opening_lines(&self, pos: &mut Position) -> Option<Move> {
        if self.openers.is_empty() {
            return None;
        }
        self.each_opener(pos)
    }

    #[cold]
    #[inline(never)]
    fn each_opener(&self, pos: &mut Position) -> Option<Move> {
        let discoverers = pos.discoverers(S::COLOR, self.king);
        let mut tries = MoveList::new();
        self.openers.each(|from| {
            let off_line = if discoverers.has(from) {
                lines::through(self.king, from).complement()
            } else {
                Bitboard::EMPTY
            };
            self.try_opener(pos, from, off_line, &mut tries);
        });
        self.first_mate(pos, &tries)
    }

    /// Notes the moves of an opener that check, directly or by leaving the line, and shut in.
    fn try_opener(&self, pos: &Position, from: Square, off_line: Bitboard, tries: &mut MoveList) {
        let Some(piece) = pos.at(from) else { return };
        let left = self.occupied ^ Bitboard::of(from);
        let reach = attacks::of(piece.kind(), S::COLOR, from, self.occupied);
        let reach = reach.without(pos.pieces(S::COLOR));
        let sources = |kind: PieceKind| match kind {
            PieceKind::King => off_line,
            kind => attacks::of(kind, S::Foe::COLOR, self.king, left) | off_line,
        };
        if let Some(promoted) = piece.kind().promoted() {
            let zone = if S::ZONE.has(from) {
                Bitboard::ALL
            } else {
                S::ZONE
            };
            (reach & zone & sources(promoted)).each(|to| {
                if self.opens_and_shuts_in(pos, promoted, left, to) {
                    tries.push(Move::promotion(from, to));
                }
            });
        }
        (reach & sources(piece.kind())).each(|to| {
            if self.opens_and_shuts_in(pos, piece.kind(), left, to) {
                tries.push(Move::board(from, to));
            }
        });
    }

    fn opens_and_shuts_in(
        &self,
        pos: &Position,
        kind: PieceKind,
        left: Bitboard,
        to: Square,
    ) -> bool {
        let occupied = left | Bitboard::of(to);
        let reach = attacks::of(kind, S::COLOR, to, occupied ^ Bitboard::of(self.king));
        // The mover still counts where it stood: that lets too much through, never too little.
        let covered = pos.attacked_around::<S::Foe>(self.king, occupied);
        let escapes = steps::king(self.king).without(pos.pieces(S::Foe::COLOR) | Bitboard::of(to));
        escapes.without(covered | reach).is_empty()
    }
}
