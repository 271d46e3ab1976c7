//! How wrong the evaluation was in positions that look alike.
//!
//! The value that a search finds differs from the evaluation it began with. The difference is
//! remembered for what the position has in common with others: its pawns, the shelter of each king,
//! the hands, the last two moves. The next evaluation is corrected by it.

use super::history::teach;
use tesuji_shogi::{Color, PieceKind, Position};

const ROWS: usize = 1 << 14;
const LIMIT: i32 = 1024;
/// What the weights below are divided by.
const UNIT: i32 = 1 << 17;

/// What a position has in common with others, as places in the tables.
#[derive(Clone, Copy, Default)]
pub(crate) struct Likeness([u16; KINDS]);

const KINDS: usize = 6;
/// How much each kind of likeness says: pawns, two shelters, hands, the last moves.
const WEIGHTS: [i32; KINDS] = [12_000, 12_300, 12_300, 8_600, 8_000, 8_000];
/// How much of a lesson each of them takes, in 128ths.
const LESSONS: [i32; KINDS] = [128, 187, 187, 153, 126, 63];

/// The tables of one thread, for the side to move.
pub(crate) struct Corrections(Box<[[[i16; 2]; ROWS]; KINDS]>);

impl Corrections {
    pub(crate) fn new() -> Self {
        let tables = vec![[[0; 2]; ROWS]; KINDS].into_boxed_slice().try_into();
        Self(tables.unwrap_or_else(|_| unreachable!("as many tables as kinds")))
    }

    /// What is to be added to an evaluation, in shares of a point.
    #[inline]
    pub(crate) fn of(&self, turn: Color, likeness: &Likeness) -> Correction {
        let shares = self.0.iter().zip(likeness.0).zip(WEIGHTS);
        let share = |((table, row), weight): ((&[[i16; 2]; ROWS], u16), i32)| {
            weight * i32::from(table[usize::from(row) % ROWS][turn.index()])
        };
        Correction(shares.map(share).sum())
    }

    /// Teaches by how much the evaluation was wrong.
    #[inline]
    pub(crate) fn teach(&mut self, turn: Color, likeness: &Likeness, bonus: i32) {
        let places = self.0.iter_mut().zip(likeness.0).zip(LESSONS);
        for ((table, row), share) in places {
            let entry = &mut table[usize::from(row) % ROWS][turn.index()];
            teach(entry, bonus * share / 128, LIMIT);
        }
    }

    pub(crate) const LIMIT: i32 = LIMIT;
}

/// A correction, in shares of a point.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Correction(i32);

impl Correction {
    #[inline(always)]
    pub(crate) const fn points(self) -> i32 {
        self.0 / UNIT
    }

    /// How uncertain the evaluation is, in points.
    #[inline(always)]
    pub(crate) const fn doubt(self) -> i32 {
        self.points().abs()
    }
}

impl Likeness {
    /// `trail` holds the rows of the last moves, nearest first.
    #[inline]
    pub(crate) fn of(pos: &Position, pawn_structure: u64, trail: &[usize; 6]) -> Self {
        let shelter = |color: Color| {
            let own = pos.pieces(color);
            let men = ((pos.gold_movers() | pos.of_kind(PieceKind::Silver)) & own).words();
            let king = pos.king(color).map_or(81, |square| square.index()) as u64;
            folded(&[men[0], men[1] | king << 32 | 1 << 62])
        };
        let hands = Color::ALL.map(|color| u64::from(pos.hand(color).bits()));
        let moves = |a: usize, b: usize| folded(&[(a << 20 | b) as u64]);
        Self(
            [
                pawn_structure,
                shelter(Color::Black),
                shelter(Color::White),
                folded(&[hands[0], hands[1]]),
                moves(trail[0], trail[1]),
                moves(trail[0], trail[3]),
            ]
            .map(|hash| (hash >> 48) as u16),
        )
    }
}

/// Words as one number whose high bits depend on all of them.
#[inline(always)]
pub(crate) fn folded(words: &[u64]) -> u64 {
    let mut hash = 0x2545_f491_4f6c_dd1du64;
    for &word in words {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
