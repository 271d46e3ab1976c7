//! The feature transformer, the first layer of a network: the sum of the weights of the active
//! features, for one point of perspective.
//!
//! The refresh cache is what engines call a Finny table, after Finn Eggers (Koivisto).

use super::features::{FeatureSet, Perspective};
use crate::bona_piece::FULL_SET;
use tesuji_kernels::{Column, HugePageArray, Kernels};
use tesuji_shogi::{
    ByColor, BySquare, Change, Color, Hand, Piece, PieceKind, Placed, Position, Shift, Spot, Square,
};

/// The feature transformer of a network.
#[derive(Debug)]
pub(super) struct FeatureTransformer<const N: usize> {
    pub(super) kernels: Kernels,
    pub(super) features: FeatureSet,
    pub(super) biases: Column<N>,
    /// A column for each feature, in large pages: they are read all over the place.
    pub(super) table: HugePageArray,
}

/// Accumulators of earlier positions, one for each square of each king, with what stood on the
/// board then. A position differs little from the last one with the same king square, so that a
/// refresh seldom begins with nothing.
#[derive(Debug, Default)]
pub struct RefreshCache<const N: usize>(Vec<Option<Box<CacheEntry<N>>>>);

#[derive(Clone, Debug)]
struct CacheEntry<const N: usize> {
    sum: Column<N>,
    pieces: CachedPieces,
}

/// What an accumulator was computed from.
#[derive(Clone, Debug)]
struct CachedPieces {
    board: BySquare<Option<Piece>>,
    hands: ByColor<Hand>,
    missing: u32,
}

/// Features that become active or inactive: at most one for each piece of the full set, twice.
struct FeatureList {
    features: [u32; 80],
    len: usize,
}

impl FeatureList {
    #[inline(always)]
    fn new() -> Self {
        Self {
            features: [0; 80],
            len: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, feature: Option<u32>) {
        if let Some(feature) = feature {
            self.features[self.len] = feature;
            self.len += 1;
        }
    }

    #[inline(always)]
    fn as_slice(&self) -> &[u32] {
        &self.features[..self.len]
    }
}

impl<const N: usize> FeatureTransformer<N> {
    /// Refreshes an accumulator, from the last one with the same king square.
    pub(super) fn refresh(
        &self,
        pos: &Position,
        pov: Color,
        sum: &mut Column<N>,
        cache: &mut RefreshCache<N>,
    ) {
        let king = pos.king(pov);
        let perspective = self.features.perspective(pov, king);
        let entry = cache.entry(
            pov,
            king.filter(|_| self.features.is_bound_to_king()),
            &self.biases,
        );
        let (mut added, mut removed) = (FeatureList::new(), FeatureList::new());
        entry
            .pieces
            .become_like(pos, &perspective, &mut added, &mut removed);
        let changed = (added.as_slice(), removed.as_slice());
        self.kernels
            .update_accumulator(self.table.columns(), changed, &entry.sum, sum);
        entry.sum = *sum;
    }

    /// Whether a change moves the king that the features depend on.
    #[inline(always)]
    pub(super) fn needs_refresh(&self, pov: Color, change: &Change) -> bool {
        let king = Piece::new(pov, PieceKind::King);
        self.features.is_bound_to_king()
            && change.moved.is_some_and(|Shift { from, to }| {
                let squares = (from.spot.square(), to.spot.square());
                from.piece == king && self.features.is_rebound(pov, squares.0, squares.1)
            })
    }

    /// Updates an accumulator over a change that needs no refresh.
    #[inline(always)]
    pub(super) fn update(
        &self,
        pos: &Position,
        pov: Color,
        change: &Change,
        old: &Column<N>,
        new: &mut Column<N>,
    ) {
        let Some(moved) = change.moved else {
            *new = *old;
            return;
        };
        let perspective = self.features.perspective(pov, pos.king(pov));
        let (from, to) = (
            perspective.feature(moved.from),
            perspective.feature(moved.to),
        );
        match (from, to, change.taken) {
            (Some(from), Some(to), None) => {
                self.kernels
                    .update_accumulator(self.table.columns(), (&[to], &[from]), old, new);
            }
            (Some(from), Some(to), Some(taken)) => {
                let added = [to, perspective.feature(taken.to).unwrap_or(to)];
                let removed = [from, perspective.feature(taken.from).unwrap_or(from)];
                self.kernels
                    .update_accumulator(self.table.columns(), (&added, &removed), old, new);
            }
            // The other king moved, and kings are not pieces here.
            (_, _, Some(taken)) => {
                let (added, removed) = (
                    perspective.feature(taken.to),
                    perspective.feature(taken.from),
                );
                let changed = (added.as_slice(), removed.as_slice());
                self.kernels
                    .update_accumulator(self.table.columns(), changed, old, new);
            }
            (_, _, None) => *new = *old,
        }
    }
}

impl<const N: usize> RefreshCache<N> {
    fn entry(
        &mut self,
        pov: Color,
        king: Option<Square>,
        biases: &Column<N>,
    ) -> &mut CacheEntry<N> {
        if self.0.is_empty() {
            self.0 = vec![None; 2 * Square::COUNT];
        }
        let slot = &mut self.0[pov.index() * Square::COUNT + king.map_or(0, Square::index)];
        slot.get_or_insert_with(|| {
            Box::new(CacheEntry {
                sum: *biases,
                pieces: CachedPieces::none(),
            })
        })
    }
}

impl CachedPieces {
    fn none() -> Self {
        Self {
            board: BySquare([None; 81]),
            hands: ByColor([Hand::EMPTY; 2]),
            missing: 0,
        }
    }

    /// Takes on the pieces of a position and lists the changed that come and go.
    fn become_like(
        &mut self,
        pos: &Position,
        perspective: &Perspective,
        added: &mut FeatureList,
        removed: &mut FeatureList,
    ) {
        let mut count = 0;
        for square in Square::all() {
            let (old, new) = (self.board[square], pos.at(square));
            count += u32::from(new.is_some_and(|piece| !piece.is_king()));
            if old != new {
                let on_board = |piece| {
                    perspective.feature(Placed {
                        piece,
                        spot: Spot::board(square),
                    })
                };
                removed.push(old.and_then(on_board));
                added.push(new.and_then(on_board));
                self.board[square] = new;
            }
        }
        for color in Color::ALL {
            let (old, new) = (self.hands[color], pos.hand(color));
            count += new.total();
            if old == new {
                continue;
            }
            for kind in PieceKind::HAND {
                let in_hand = |nth| {
                    perspective.feature(Placed {
                        piece: Piece::new(color, kind),
                        spot: Spot::hand(nth),
                    })
                };
                let (old, new) = (old.count(kind), new.count(kind));
                (old + 1..=new).for_each(|nth| added.push(in_hand(nth)));
                (new + 1..=old).for_each(|nth| removed.push(in_hand(nth)));
            }
            self.hands[color] = new;
        }
        let missing = FULL_SET.saturating_sub(count);
        (self.missing..missing).for_each(|_| added.push(Some(perspective.missing())));
        (missing..self.missing).for_each(|_| removed.push(Some(perspective.missing())));
        self.missing = missing;
    }
}
