//! Checkers and pins of the side to move, and the squares from which a piece would give check.

use super::{Group, NO_KING, Position};
use crate::attacks::{self, lines, steps};
use crate::bitboard::Bitboard;
use crate::side::Side;
use crate::types::color::Color;
use crate::types::piece::PieceKind;
use crate::types::square::{Direction, Square};

/// What threatens the king of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Danger {
    pub(crate) checkers: Bitboard,
    pub(crate) pinned: Bitboard,
}

/// From where each group threatens a king on one square, on an empty board; in the order of the
/// groups, so that board and table meet line by line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Watch([Bitboard; 8]);

/// One line for every square of a king of each colour, and an empty one for a king that is absent.
static WATCH: [[Watch; 82]; 2] = [watch_for(Color::Black), watch_for(Color::White)];

const fn watch_for(color: Color) -> [Watch; 82] {
    let mut table = [Watch([Bitboard::EMPTY; 8]); 82];
    let mut s = 0;
    while s < 81 {
        let square = Square::trusted(s as u8);
        table[s] = Watch([
            steps::reach(square, color, steps::PAWN_STEPS),
            steps::reach(square, color, steps::KNIGHT_STEPS),
            steps::reach(square, color, steps::SILVER_STEPS),
            steps::reach(square, color, steps::GOLD_STEPS),
            steps::reach(square, color, steps::KING_STEPS),
            match color {
                Color::Black => lines::ray(square, Direction::North),
                Color::White => lines::ray(square, Direction::South),
            },
            rays(square, [1, 3, 5, 7]),
            rays(square, [0, 2, 4, 6]),
        ]);
        s += 1;
    }
    table
}

const fn rays(from: Square, directions: [usize; 4]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < 4 {
        set = set.or(lines::ray(from, Direction::ALL[directions[i]]));
        i += 1;
    }
    set
}

impl Position {
    /// Finds the checkers and pins of the king of `S`.
    #[inline(always)]
    pub(super) fn danger_of<S: Side>(&self) -> Danger {
        let king = self.kings[S::COLOR];
        let watch = &WATCH[S::COLOR.index()][usize::from(king)].0;
        let foes = self.colors[S::Foe::COLOR];
        let meet = |group: Group| watch[group as usize] & self.groups[group as usize];
        let steppers = meet(Group::Pawns)
            | meet(Group::Knights)
            | meet(Group::Silvers)
            | meet(Group::Golds)
            | meet(Group::KingSteppers);
        let snipers = (meet(Group::Lances) | meet(Group::Bishops) | meet(Group::Rooks)) & foes;
        let mut danger = Danger {
            checkers: steppers & foes,
            pinned: Bitboard::EMPTY,
        };
        if snipers.any() {
            self.aim(king, snipers, &mut danger, S::COLOR);
        }
        danger
    }

    /// Tells which snipers give check and which pin a piece.
    #[inline(always)]
    fn aim(&self, king: u8, snipers: Bitboard, danger: &mut Danger, color: Color) {
        debug_assert!(king != NO_KING);
        let king = Square::trusted(king);
        let (occupied, own) = (self.occupied(), self.colors[color]);
        snipers.each(|sniper| {
            let shields = lines::between(king, sniper) & occupied;
            if shields.is_empty() {
                danger.checkers |= Bitboard::of(sniper);
            } else if !shields.has_many() {
                danger.pinned |= shields & own;
            }
        });
    }

    /// The pieces of `S` that shield their king from a slider, through the given occupancy.
    pub(crate) fn shields_of<S: Side>(&self, occupied: Bitboard) -> Bitboard {
        let king = self.kings[S::COLOR];
        let watch = &WATCH[S::COLOR.index()][usize::from(king)].0;
        let meet = |group: Group| watch[group as usize] & self.groups[group as usize];
        let snipers = (meet(Group::Lances) | meet(Group::Bishops) | meet(Group::Rooks))
            & self.colors[S::Foe::COLOR];
        let mut found = Bitboard::EMPTY;
        snipers.each(|sniper| {
            let shields = lines::between(Square::trusted(king), sniper) & occupied;
            if !shields.has_many() {
                found |= shields & self.colors[S::COLOR];
            }
        });
        found
    }

    /// The pieces of `color` that stand alone between one of its sliders and a square: moving off
    /// the line puts an attack on it.
    pub fn unveilers(&self, color: Color, target: Square) -> Bitboard {
        let watch = &WATCH[color.foe().index()][target.index()].0;
        let meet = |group: Group| watch[group as usize] & self.groups[group as usize];
        let snipers =
            (meet(Group::Lances) | meet(Group::Bishops) | meet(Group::Rooks)) & self.colors[color];
        let mut found = Bitboard::EMPTY;
        snipers.each(|sniper| {
            let shields = lines::between(target, sniper) & self.occupied();
            if !shields.has_many() {
                found |= shields & self.colors[color];
            }
        });
        found
    }

    /// The squares from which a piece of `color` and `kind` attacks `target`.
    #[inline]
    pub fn reach_back(&self, color: Color, kind: PieceKind, target: Square) -> Bitboard {
        attacks::of(kind, color.foe(), target, self.occupied())
    }
}
