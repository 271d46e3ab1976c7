//! A training sample in forty bytes, and the features it switches on.
//!
//! Samples are also used mirrored, as in Hoki's Bonanza (2006) and YaneuraOu's learner.

use super::architecture::Architecture;
use tesuji_eval::bona_piece::FULL_SET;
use tesuji_eval::nnue::FeatureSet;
use tesuji_record::packed::{Packed, PackedLayout};
use tesuji_shogi::{Placed, Spot};

/// A position with what is to be learnt about it, as it is kept in memory. Score, skip and result
/// are for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainingSample {
    /// The position.
    pub packed: Packed,
    /// What a search said it is worth.
    pub score: i16,
    /// What the evaluation that the network corrects says.
    pub skip: i16,
    /// 1 won, 0 drawn, -1 lost.
    pub result: i8,
}

impl TrainingSample {
    /// Lists the rows of the first layer: those that the side to move sees, then those of the other
    /// side. Each half of `rows` is as long as there are active features; a piece that is missing
    /// from the set counts as one that has no place.
    ///
    /// # Panics
    /// If the position is none: samples are checked when they are loaded.
    pub(super) fn rows(&self, features: &FeatureSet, is_mirrored: bool, rows: &mut [u32]) {
        let list = PackedLayout::PackedSfen
            .pieces(&self.packed)
            .expect("samples are checked when loaded");
        let (own, other) = rows.split_at_mut(rows.len() / 2);
        for (pov, rows) in [(list.turn, own), (list.turn.foe(), other)] {
            let king = list.kings[pov.index()];
            let king = if is_mirrored { king.mirrored() } else { king };
            let perspective = features.perspective(pov, Some(king));
            let mut len = 0;
            for &placed in list.placed() {
                let placed = if is_mirrored {
                    mirrored(placed)
                } else {
                    placed
                };
                if let Some(row) = perspective.feature(placed) {
                    rows[len] = row;
                    len += 1;
                }
            }
            let missing = FULL_SET as usize + 2 - list.placed().len();
            rows[len..len + missing].fill(perspective.missing());
        }
    }
}

impl TrainingSample {
    /// Which stack of layers is for the position.
    ///
    /// # Panics
    /// If the position is none: samples are checked when they are loaded.
    pub(super) fn stack(&self, architecture: &Architecture) -> usize {
        architecture.buckets.map_or(0, |buckets| {
            let list = PackedLayout::PackedSfen.pieces(&self.packed);
            buckets.of_pieces(list.expect("samples are checked when loaded").placed())
        })
    }
}

#[inline(always)]
fn mirrored(Placed { piece, spot }: Placed) -> Placed {
    let spot = spot
        .square()
        .map_or(spot, |square| Spot::board(square.mirrored()));
    Placed { piece, spot }
}
