//! Checkers and pins of the side to move, and the squares from which a piece would give check.
//!
//! Stockfish keeps the same in its `StateInfo`; with them, only legal moves are ever made.

use super::{Group, Position, StateInfo};
use crate::attacks::{self, lines, sliders, steps};
use crate::bitboard::Bitboard;
use crate::side::{Black, Side, White};
use crate::types::color::Color;
use crate::types::piece::PieceKind;
use crate::types::square::{Direction, Square};
use tesuji_kernels::EightSets;

/// What threatens the king of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CheckInfo {
    pub(crate) checkers: Bitboard,
    pub(crate) pinned: Bitboard,
}

/// From where each group threatens a king on one square, on an empty board; one line for every square of a king of each colour, and an empty one for a king that is absent.
static WATCH: [[EightSets; 82]; 2] = [watch_for(Color::Black), watch_for(Color::White)];

const fn watch_for(color: Color) -> [EightSets; 82] {
    let mut table = [EightSets::new([[0; 2]; 8]); 82];
    let mut s = 0;
    while s < 81 {
        let square = Square::trusted(s as u8);
        table[s] = EightSets::new([
            steps::reach(square, color, steps::PAWN_STEPS).words(),
            steps::reach(square, color, steps::KNIGHT_STEPS).words(),
            steps::reach(square, color, steps::SILVER_STEPS).words(),
            steps::reach(square, color, steps::GOLD_STEPS).words(),
            steps::reach(square, color, steps::KING_STEPS).words(),
            match color {
                Color::Black => lines::ray(square, Direction::North).words(),
                Color::White => lines::ray(square, Direction::South).words(),
            },
            rays(square, [1, 3, 5, 7]).words(),
            rays(square, [0, 2, 4, 6]).words(),
        ]);
        s += 1;
    }
    table
}

/// From where each group could threaten a square around a king, on an empty board.
static AROUND: [[EightSets; 82]; 2] = [around_for(Color::Black), around_for(Color::White)];

const fn around_for(color: Color) -> [EightSets; 82] {
    let mut table = [EightSets::new([[0; 2]; 8]); 82];
    let mut king = 0;
    while king < 81 {
        let mut sum = [[0; 2]; 8];
        let near = steps::reach(Square::trusted(king as u8), color, steps::KING_STEPS);
        let mut s = 0;
        while s < 81 {
            if near.has(Square::trusted(s as u8)) {
                let mut group = 0;
                while group < 8 {
                    let watch = WATCH[color.index()][s].get(group);
                    sum[group] = [sum[group][0] | watch[0], sum[group][1] | watch[1]];
                    group += 1;
                }
            }
            s += 1;
        }
        table[king] = EightSets::new(sum);
        king += 1;
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

impl StateInfo {
    /// Finds the checkers and pins of the king of `S`.
    #[inline(always)]
    pub(super) fn check_info_of<S: Side>(&self) -> CheckInfo {
        let king = self.kings[S::COLOR];
        let watch = &WATCH[S::COLOR.index()][usize::from(king)];
        let [steppers, snipers] = self
            .groups
            .threats(watch, self.colors[S::Foe::COLOR].words());
        let (checkers, snipers) = (Bitboard::trusted(steppers), Bitboard::trusted(snipers));
        if snipers.is_empty() {
            return CheckInfo {
                checkers,
                pinned: Bitboard::EMPTY,
            };
        }
        self.aim::<S>(Square::trusted(king), snipers, checkers)
    }

    /// Tells which snipers give check and which pin a piece.
    #[inline(always)]
    fn aim<S: Side>(&self, king: Square, snipers: Bitboard, steppers: Bitboard) -> CheckInfo {
        let own = self.colors[S::COLOR];
        let occupied = own | self.colors[S::Foe::COLOR];
        let (mut checkers, mut pinned) = (steppers, Bitboard::EMPTY);
        snipers.each(|sniper| {
            let shields = lines::between(king, sniper) & occupied;
            if shields.is_empty() {
                checkers |= Bitboard::of(sniper);
            } else if !shields.has_many() {
                pinned |= shields & own;
            }
        });
        CheckInfo { checkers, pinned }
    }
}

impl Position {
    /// Finds the checkers and pins of the king of `S`.
    pub(super) fn check_info_of<S: Side>(&self) -> CheckInfo {
        self.now().check_info_of::<S>()
    }

    /// The squares onto which the king of `color` could step if it were that side's turn.
    ///
    /// ```
    /// use tesuji_shogi::{Color, Position};
    /// let pos = Position::from_sfen("4k4/3p5/4G4/9/9/9/9/9/4K4 b - 1").unwrap();
    /// assert_eq!(pos.king_escapes(Color::White).len(), 2);
    /// ```
    pub fn king_escapes(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else {
            return Bitboard::EMPTY;
        };
        let attacked = match color {
            Color::Black => self.attacked_around::<Black>(king, self.occupied()),
            Color::White => self.attacked_around::<White>(king, self.occupied()),
        };
        steps::king(king) & !self.pieces(color) & !attacked
    }

    /// The squares that the foes of `S` attack around its king through an occupancy; the king
    /// shields nothing behind it. Right for the eight squares next to the king only.
    #[inline(always)]
    pub(crate) fn attacked_around<S: Side>(&self, king: Square, occupied: Bitboard) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        self.attacks_around::<S>(king, occupied, |_, _, reach| attacked |= reach);
        attacked
    }

    /// The foes of `S` that may attack a square around its king: those that step, and those that
    /// slide. A horse and a dragon are in both if they are near.
    #[inline(always)]
    pub(crate) fn threats_around<S: Side>(&self, king: Square) -> [Bitboard; 2] {
        let now = self.now();
        let around = &AROUND[S::COLOR.index()][king.index()];
        let foes = now.colors[S::Foe::COLOR].words();
        now.groups.threats(around, foes).map(Bitboard::trusted)
    }

    /// Calls `f` with the group, the square and the reach of every piece of the foes of `S` that
    /// may attack a square around its king; the pawns come all at once, with the king's square.
    #[inline(always)]
    pub(crate) fn attacks_around<S: Side>(
        &self,
        king: Square,
        occupied: Bitboard,
        mut f: impl FnMut(Group, Square, Bitboard),
    ) {
        let foe = S::Foe::COLOR;
        let [near, far] = self.threats_around::<S>(king);
        if near.any() {
            let of = |group: Group| self.group(group) & near;
            f(Group::Pawns, king, S::Foe::forward(of(Group::Pawns)));
            of(Group::Knights).each(|from| f(Group::Knights, from, steps::knight(foe, from)));
            of(Group::Silvers).each(|from| f(Group::Silvers, from, steps::silver(foe, from)));
            of(Group::Golds).each(|from| f(Group::Golds, from, steps::gold(foe, from)));
            of(Group::KingSteppers).each(|from| f(Group::KingSteppers, from, steps::king(from)));
        }
        if far.any() {
            let occupied = occupied ^ Bitboard::of(king);
            let of = |group: Group| self.group(group) & far;
            of(Group::Lances)
                .each(|from| f(Group::Lances, from, sliders::lance(foe, from, occupied)));
            of(Group::Bishops)
                .each(|from| f(Group::Bishops, from, sliders::bishop(from, occupied)));
            of(Group::Rooks).each(|from| f(Group::Rooks, from, sliders::rook(from, occupied)));
        }
    }

    /// The pieces of `S` that shield their king from a slider, through the given occupancy.
    pub(crate) fn shields_of<S: Side>(&self, occupied: Bitboard) -> Bitboard {
        self.king(S::COLOR).map_or(Bitboard::EMPTY, |king| {
            self.shields(S::Foe::COLOR, king, occupied) & self.pieces(S::COLOR)
        })
    }

    /// The pieces of `color` that stand alone between one of its sliders and a square: moving off
    /// the line puts an attack on it.
    pub fn discoverers(&self, color: Color, target: Square) -> Bitboard {
        self.shields(color, target, self.occupied()) & self.pieces(color)
    }

    /// The pieces that stand alone between a slider of `color` and a square.
    #[inline]
    fn shields(&self, color: Color, target: Square, occupied: Bitboard) -> Bitboard {
        let now = self.now();
        let watch = &WATCH[color.foe().index()][target.index()];
        let [_, snipers] = now.groups.threats(watch, now.colors[color].words());
        let mut found = Bitboard::EMPTY;
        Bitboard::trusted(snipers).each(|sniper| {
            let shields = lines::between(target, sniper) & occupied;
            if !shields.has_many() {
                found |= shields;
            }
        });
        found
    }

    /// The squares from which a piece of `color` and `kind` attacks `target`.
    #[inline]
    pub fn squares_attacking(&self, color: Color, kind: PieceKind, target: Square) -> Bitboard {
        attacks::of(kind, color.foe(), target, self.occupied())
    }
}
