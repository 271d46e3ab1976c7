//! Pawn, knight, silver, gold and king: pieces whose reach does not depend on others.

use crate::bitboard::Bitboard;
use crate::types::color::{ByColor, Color};
use crate::types::square::{BySquare, Square};

type Steps = BySquare<Bitboard>;

/// The squares reached from one square by steps given as (files, ranks) for Black.
pub(crate) const fn reach(from: Square, color: Color, steps: &[(i8, i8)]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < steps.len() {
        let (files, ranks) = steps[i];
        // A step and its mirror image are in every list, so only ranks need turning.
        let ranks = match color {
            Color::Black => ranks,
            Color::White => -ranks,
        };
        if let Some(square) = from.shifted(files, ranks) {
            set = set.or(Bitboard::of(square));
        }
        i += 1;
    }
    set
}

/// The reach from every square.
const fn table(color: Color, steps: &[(i8, i8)]) -> Steps {
    let mut table = [Bitboard::EMPTY; 81];
    let mut from = 0;
    while from < 81 {
        table[from] = reach(Square::trusted(from as u8), color, steps);
        from += 1;
    }
    BySquare(table)
}

const fn both(steps: &[(i8, i8)]) -> ByColor<Steps> {
    ByColor([table(Color::Black, steps), table(Color::White, steps)])
}

/// How the stepping pieces of Black step: (files to the left, ranks down).
pub(crate) const PAWN_STEPS: &[(i8, i8)] = &[(0, -1)];
pub(crate) const KNIGHT_STEPS: &[(i8, i8)] = &[(1, -2), (-1, -2)];
pub(crate) const SILVER_STEPS: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
pub(crate) const GOLD_STEPS: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
pub(crate) const KING_STEPS: &[(i8, i8)] = &[
    (0, -1),
    (1, -1),
    (-1, -1),
    (1, 0),
    (-1, 0),
    (0, 1),
    (1, 1),
    (-1, 1),
];

static PAWN: ByColor<Steps> = both(PAWN_STEPS);
static KNIGHT: ByColor<Steps> = both(KNIGHT_STEPS);
static SILVER: ByColor<Steps> = both(SILVER_STEPS);
static GOLD: ByColor<Steps> = both(GOLD_STEPS);
static KING: Steps = table(Color::Black, KING_STEPS);

/// The square before a pawn.
#[inline(always)]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    PAWN[color][from]
}

/// The two squares a knight jumps to.
#[inline(always)]
pub fn knight(color: Color, from: Square) -> Bitboard {
    KNIGHT[color][from]
}

/// The five squares around a silver.
#[inline(always)]
pub fn silver(color: Color, from: Square) -> Bitboard {
    SILVER[color][from]
}

/// The six squares around a gold.
#[inline(always)]
pub fn gold(color: Color, from: Square) -> Bitboard {
    GOLD[color][from]
}

/// The eight squares around a king.
#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    KING[from]
}
