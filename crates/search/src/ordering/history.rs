//! Histories (main, capture, continuation, pawn, low-ply, TT-move): what earlier nodes found out about
//! moves.
//!
//! A move that refuted a position is likely to refute similar ones. Schaeffer (1989) counted that
//! for a move by itself (history heuristic; indexed by from and to it is the butterfly history of
//! Hartmann, 1988). The other tables and the update that fades old entries are Stockfish's: after
//! the moves that came before (continuation history), in the same pawn structure, by what it
//! captures, by the ply from the root, and for the move of the transposition table as such.

use super::history_tables::{
    LOW_PLIES, LowPlyHistory, PieceToHistories, PieceToHistory, boxed, zeroed,
};
use super::keys::{ContinuationKey, Continuations, PieceTo};
use crate::params::Params;
use std::io;
use tesuji_shogi::{ByColor, Color, Move, PieceKind};

const PAWN_BITS: u32 = 11;

/// The tables of one thread.
pub(crate) struct Histories {
    main: ByColor<Box<[i16; 1 << 16]>>,
    low_ply: LowPlyHistory,
    capture: Box<[[i16; 16]; PieceTo::COUNT]>,
    continuation: PieceToHistories,
    pawn: PieceToHistories,
    tt_move: i16,
}

impl Histories {
    /// How many bytes they have.
    pub(crate) const BYTES: usize = size_of::<i16>()
        * ((2 + LOW_PLIES) * (1 << 16)
            + PieceTo::COUNT * (16 + ContinuationKey::COUNT + (1 << PAWN_BITS)));

    /// The large ones: continuation history and pawn history.
    ///
    /// # Errors
    /// If the system has no room for them.
    pub(crate) fn large(params: &Params) -> io::Result<[PieceToHistories; 2]> {
        Ok([
            PieceToHistories::new(
                ContinuationKey::COUNT,
                start(params.continuation_history_start),
            )?,
            PieceToHistories::new(1 << PAWN_BITS, start(params.pawn_history_start))?,
        ])
    }

    /// All of them.
    pub(crate) fn new([continuation, pawn]: [PieceToHistories; 2], params: &Params) -> Self {
        let capture_start = start(params.capture_history_start);
        Self {
            main: ByColor([zeroed(), zeroed()]),
            low_ply: LowPlyHistory::new(),
            capture: boxed(vec![[capture_start; 16]; PieceTo::COUNT]),
            continuation,
            pawn,
            tt_move: 0,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self, params: &Params) {
        self.new_search(params);
        for table in &mut self.main.0 {
            table.fill(0);
        }
        self.capture.fill([start(params.capture_history_start); 16]);
        self.continuation
            .clear(start(params.continuation_history_start));
        self.pawn.clear(start(params.pawn_history_start));
        self.tt_move = 0;
    }

    /// Forgets the low-ply history: the root is another position now.
    pub(crate) fn new_search(&mut self, params: &Params) {
        self.low_ply.clear(start(params.low_ply_history_start));
    }

    /// Main (butterfly) history: the move by itself.
    #[inline(always)]
    pub(crate) fn main(&self, turn: Color, mv: Move) -> i32 {
        i32::from(self.main_of(turn)[usize::from(mv.bits())])
    }

    /// The main history of a side, by the bits of a move.
    #[inline(always)]
    pub(crate) fn main_of(&self, turn: Color) -> &[i16; 1 << 16] {
        &self.main[turn]
    }

    /// Low-ply history: the move at this ply from the root; 0 further down.
    #[inline(always)]
    pub(crate) fn low_ply(&self, ply: usize, mv: Move) -> i32 {
        self.low_ply.get(ply, mv).map_or(0, i32::from)
    }

    /// Capture history; `captured` is `None` for a check that captures nothing.
    #[inline(always)]
    pub(crate) fn capture(&self, piece_to: PieceTo, captured: Option<PieceKind>) -> i32 {
        i32::from(self.capture[piece_to.index()][captured.map_or(0, PieceKind::index)])
    }

    /// Continuation history: what followed a move.
    #[inline(always)]
    pub(crate) fn continuation(&self, key: ContinuationKey) -> &PieceToHistory {
        self.continuation.get(key.index())
    }

    /// Pawn history: moves in the same pawn structure.
    #[inline(always)]
    pub(crate) fn pawn(&self, pawn_key: u64) -> &PieceToHistory {
        self.pawn.get(pawn_index(pawn_key))
    }

    /// How far the move of the transposition table has been the best one of late.
    #[inline(always)]
    pub(crate) fn tt_move(&self) -> i32 {
        i32::from(self.tt_move)
    }

    #[inline]
    pub(crate) fn update_tt_move(&mut self, params: &Params, bonus: i32) {
        update(&mut self.tt_move, bonus, params.tt_move_history_limit);
    }

    #[inline]
    pub(crate) fn update_main(&mut self, params: &Params, turn: Color, mv: Move, bonus: i32) {
        let entry = &mut self.main[turn][usize::from(mv.bits())];
        update(entry, bonus, params.main_history_limit);
    }

    #[inline]
    pub(crate) fn update_low_ply(&mut self, params: &Params, ply: usize, mv: Move, bonus: i32) {
        if let Some(entry) = self.low_ply.get_mut(ply, mv) {
            update(entry, bonus, params.main_history_limit);
        }
    }

    #[inline]
    pub(crate) fn update_capture(
        &mut self,
        params: &Params,
        piece_to: PieceTo,
        captured: Option<PieceKind>,
        bonus: i32,
    ) {
        let entry = &mut self.capture[piece_to.index()][captured.map_or(0, PieceKind::index)];
        update(entry, bonus, params.capture_history_limit);
    }

    #[inline]
    pub(crate) fn update_pawn(
        &mut self,
        params: &Params,
        pawn_key: u64,
        piece_to: PieceTo,
        bonus: i32,
    ) {
        let table = self.pawn.get_mut(pawn_index(pawn_key));
        update(
            &mut table[piece_to.index()],
            bonus,
            params.pawn_history_limit,
        );
    }

    /// Updates what followed each of the moves before; in check only the nearest two matter.
    #[inline]
    pub(crate) fn update_continuations(
        &mut self,
        params: &Params,
        continuations: &Continuations,
        in_check: bool,
        piece_to: PieceTo,
        bonus: i32,
    ) {
        let shares = [
            params.continuation_share_1,
            params.continuation_share_2,
            params.continuation_share_3,
            params.continuation_share_4,
            params.continuation_share_5,
            params.continuation_share_6,
        ];
        let mut offset = params.continuation_offset;
        let plies = if in_check { 2 } else { 6 };
        for (back, share) in shares.into_iter().enumerate() {
            let key = continuations[back];
            if back < plies && key != ContinuationKey::NONE {
                update(
                    &mut self.continuation.get_mut(key.index())[piece_to.index()],
                    bonus * share / 1024 + offset,
                    params.continuation_history_limit,
                );
            }
            offset = 0;
        }
    }
}

/// What an entry is before anything is known.
fn start(param: i32) -> i16 {
    i16::try_from(param).expect("the ranges of such numbers fit into an entry")
}

#[inline(always)]
fn pawn_index(pawn_key: u64) -> usize {
    (pawn_key >> (64 - PAWN_BITS)) as usize
}

/// Adds a bonus or malus to an entry. The nearer the entry is to its limit, the less it gains, so
/// that it never leaves its range.
#[inline(always)]
pub(crate) fn update(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_update_leaves_the_range() {
        let mut entry = 0;
        for round in 0..100_000 {
            let bonus = if round % 3 == 0 { -9000 } else { 5000 };
            update(&mut entry, bonus, 30_000);
            assert!(i32::from(entry).abs() <= 30_000);
        }
        for _ in 0..1000 {
            update(&mut entry, 1_000_000, 7_200);
        }
        assert_eq!(i32::from(entry), 7_200);
    }
}
