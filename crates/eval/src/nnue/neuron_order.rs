//! Columns of the feature transformer that are seldom above zero, put side by side.
//!
//! The layer above skips groups of four inputs that are all zero. In which order the columns stand
//! makes no difference to the value, but it does to how many groups can be skipped. Stockfish
//! permutes its transformer to the same end.

use super::feature_transformer::{FeatureTransformer, RefreshCache};
use super::shape::{Activation, NetworkShape};
use tesuji_kernels::Column;
use tesuji_shogi::{Board, Color, Position};

/// How many games are looked at, and how many moves of each.
const GAMES: usize = 16;
const MOVES: usize = 100;

/// The numbers of the inputs that each side gives to the layer above, the most active transformer.
pub(super) fn by_activity<const N: usize>(
    transformer: &FeatureTransformer<N>,
    shape: &NetworkShape,
) -> Vec<usize> {
    let mut activity = [0; N];
    let (mut sum, mut cache) = (Column::default(), RefreshCache::default());
    random_games(&mut |pos| {
        for pov in Color::ALL {
            transformer.refresh(pos, pov, &mut sum, &mut cache);
            for (count, &word) in activity.iter_mut().zip(&sum.0) {
                *count += u32::from(word > 0);
            }
        }
    });
    let inputs = match shape.activation {
        Activation::ClippedRelu | Activation::SquaredClippedRelu => N,
        Activation::Pairwise => N / 2,
    };
    let mut order: Vec<usize> = (0..inputs).collect();
    // Of a pair, both must be above zero.
    order.sort_by_key(|&i| std::cmp::Reverse(activity[i].min(activity[(i + inputs) % N])));
    order
}

/// Shows the positions of a few games of random moves; compiled once, whatever looks at them.
fn random_games(look: &mut dyn FnMut(&Position)) {
    let mut seed = 1_u64;
    for _ in 0..GAMES {
        let mut pos = Position::start();
        for _ in 0..MOVES {
            let moves = pos.legal_moves();
            // Knuth's numbers: any legal move will do, but the same ones in every run.
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let Some(mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else {
                break;
            };
            pos.play(mv);
            look(&pos);
        }
    }
}

/// Puts the columns into an order; pairs stay pairs.
pub(super) fn rearrange<const N: usize>(column: &mut Column<N>, order: &[usize]) {
    let old = *column;
    for (to, from) in column
        .0
        .chunks_exact_mut(order.len())
        .zip(old.0.chunks_exact(order.len()))
    {
        for (word, &i) in to.iter_mut().zip(order) {
            *word = from[i];
        }
    }
}
