//! Correction history: how wrong the evaluation was in positions that look alike.
//!
//! The value that a search finds differs from the evaluation it began with. The difference is
//! remembered for what the position has in common with others: its pawns, the shelter of each king,
//! the hands, the last two moves. The next static evaluation is corrected by it. The idea is
//! Caissa's (Witold Waligóra, 2023) and came to Stockfish in 2024; the keys for shogi are ours.

use super::history::update;
use super::keys::{Continuations, hash_words};
use crate::params::Params;
use tesuji_kernels::prefetch;
use tesuji_shogi::{Color, PieceKind, Position};

const ENTRIES: usize = 1 << 14;
/// What the weights below are divided by.
const UNIT: i32 = 1 << 17;

/// What a position has in common with others, as an index into each table.
#[derive(Clone, Copy, Default)]
pub(crate) struct CorrectionKeys([u16; TABLES]);

const TABLES: usize = 6;

/// How much each table says.
#[inline(always)]
const fn weights(params: &Params) -> [i32; TABLES] {
    [
        params.correction_weight_pawns,
        params.correction_weight_shelter,
        params.correction_weight_shelter,
        params.correction_weight_hands,
        params.correction_weight_moves_1_2,
        params.correction_weight_moves_1_4,
    ]
}

/// How much of a bonus each of them takes, in 128ths.
#[inline(always)]
const fn bonus_shares(params: &Params) -> [i32; TABLES] {
    [
        params.correction_share_pawns,
        params.correction_share_shelter,
        params.correction_share_shelter,
        params.correction_share_hands,
        params.correction_share_moves_1_2,
        params.correction_share_moves_1_4,
    ]
}

/// The tables of one thread, for the side to move.
pub(crate) struct CorrectionHistories(Box<[[[i16; 2]; ENTRIES]; TABLES]>);

impl CorrectionHistories {
    /// How many bytes they have.
    pub(crate) const BYTES: usize = size_of::<[[[i16; 2]; ENTRIES]; TABLES]>();

    pub(crate) fn new() -> Self {
        let tables = vec![[[0; 2]; ENTRIES]; TABLES]
            .into_boxed_slice()
            .try_into();
        Self(tables.unwrap_or_else(|_| unreachable!("as many tables as keys")))
    }

    /// What is to be added to an evaluation.
    #[inline]
    pub(crate) fn correction(
        &self,
        params: &Params,
        turn: Color,
        keys: &CorrectionKeys,
    ) -> Correction {
        let mut sum = 0;
        for (table, weight) in weights(params).into_iter().enumerate() {
            sum += weight * i32::from(self.entries(keys, table)[turn.index()]);
        }
        Correction(sum)
    }

    /// Prefetches what a correction will be asked for.
    #[inline(always)]
    pub(crate) fn prefetch(&self, keys: &CorrectionKeys) {
        for table in 0..TABLES {
            prefetch(self.entries(keys, table));
        }
    }

    #[inline(always)]
    fn entries(&self, keys: &CorrectionKeys, table: usize) -> &[i16; 2] {
        &self.0[table][usize::from(keys.0[table]) % ENTRIES]
    }

    /// Notes by how much the evaluation was wrong.
    #[inline]
    pub(crate) fn update(
        &mut self,
        params: &Params,
        turn: Color,
        keys: &CorrectionKeys,
        bonus: i32,
    ) {
        let tables = self.0.iter_mut().zip(keys.0).zip(bonus_shares(params));
        for ((table, key), share) in tables {
            let entry = &mut table[usize::from(key) % ENTRIES][turn.index()];
            update(entry, bonus * share / 128, params.correction_limit);
        }
    }
}

/// A correction, in shares of a point.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Correction(i32);

impl Correction {
    #[inline(always)]
    pub(crate) const fn points(self) -> i32 {
        self.0 / UNIT
    }

    /// How large the correction is in points: how little the evaluation can be trusted.
    #[inline(always)]
    pub(crate) const fn magnitude(self) -> i32 {
        self.points().abs()
    }
}

impl CorrectionKeys {
    #[inline]
    pub(crate) fn new(pos: &Position, pawn_key: u64, continuations: &Continuations) -> Self {
        let shelter = |color: Color| {
            let own = pos.pieces(color);
            let men = ((pos.gold_movers() | pos.of_kind(PieceKind::Silver)) & own).words();
            let king = pos.king(color).map_or(81, |square| square.index()) as u64;
            hash_words(&[men[0], men[1] | king << 32 | 1 << 62])
        };
        let hands = Color::ALL.map(|color| u64::from(pos.hand(color).bits()));
        let moves = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|back| continuations[back].sparse());
            hash_words(&[(a << 20 | b) as u64])
        };
        Self(
            [
                pawn_key,
                shelter(Color::Black),
                shelter(Color::White),
                hash_words(&[hands[0], hands[1]]),
                moves(0, 1),
                moves(0, 3),
            ]
            .map(|hash| (hash >> 48) as u16),
        )
    }
}
