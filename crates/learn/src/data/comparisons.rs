//! The move that a strong player chose, beside moves that it did not choose.
//!
//! A comparison is a few positions: the quiescence leaf behind the move that was played, then the leaves
//! behind some of its rivals. Whoever learns to value the first above the others for the side that moved
//! has learnt why the move was played (comparison training, Tesauro 2001; Hoki's Bonanza, 2006). Rivals
//! are drawn among all legal moves, those more often that our own quiescence search likes: what a network
//! already holds for bad teaches it nothing.

use super::record::DataRecord;
use super::sink::DataWriter;
use super::source::DataError;
use crate::leaf_search::{DECIDED, INFINITE, LeafDepth, LeafSearch};
use rayon::prelude::*;
use std::path::Path;
use tesuji_eval::AnyEval;
use tesuji_record::GameResult;
use tesuji_record::samples::Sample;
use tesuji_shogi::{Color, Move, MoveList, Position, Value, movegen};

/// How many positions are worked on between two writes.
const BLOCK: usize = 1 << 14;

/// How rivals are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RivalDraw {
    /// How many stand beside the played move.
    pub rivals: usize,
    /// A rival that is worth so many points more is drawn e times as often.
    pub temperature: f64,
    /// Decides which.
    pub seed: u64,
}

/// What became of the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ComparisonCounts {
    /// Comparisons that were written.
    pub written: u64,
    /// Positions left out: too few rivals, decided, or without a quiet leaf.
    pub left_out: u64,
}

/// Writes for every position with its move the leaf behind the move and those behind some rivals. The
/// side that moved is written as the winner, and the ply counts the leaves of a comparison from 0.
/// `tell` is told how many positions are done.
///
/// # Errors
/// If the file cannot be written.
pub fn write_comparisons(
    eval: &AnyEval,
    played: &[DataRecord],
    draw: &RivalDraw,
    output: &Path,
    tell: &mut dyn FnMut(u64),
) -> Result<ComparisonCounts, DataError> {
    let mut writer = DataWriter::create(output)?;
    let mut counts = ComparisonCounts::default();
    for (number, block) in played.chunks(BLOCK).enumerate() {
        let first = (number * BLOCK) as u64;
        let comparisons: Vec<_> = block
            .par_iter()
            .enumerate()
            .map_init(
                || LeafSearch::new(eval, LeafDepth::default()),
                |search, (place, record)| comparison(search, record, draw, first + place as u64),
            )
            .collect();
        for comparison in comparisons {
            let Some(comparison) = comparison else {
                counts.left_out += 1;
                continue;
            };
            counts.written += 1;
            for leaf in &comparison {
                writer.write(leaf)?;
            }
        }
        tell(first + block.len() as u64);
    }
    writer.finish()?;
    Ok(counts)
}

/// The leaves of a comparison, if there are enough.
fn comparison(
    search: &mut LeafSearch<'_, AnyEval>,
    record: &DataRecord,
    draw: &RivalDraw,
    number: u64,
) -> Option<Vec<DataRecord>> {
    let sample = record.unpack().ok()?;
    let (pos, played) = (sample.position, sample.mv?);
    let turn = pos.turn();
    let mut moves = MoveList::new();
    let _ = movegen::legal_without_worse(&pos, &mut moves);
    search.begin(pos);
    let mut leaves = vec![leaf_behind(search, played, turn, 0)?];
    for rival in drawn(search, &moves, played, draw, number) {
        leaves.extend(leaf_behind(search, rival, turn, leaves.len() as u16));
        if leaves.len() > draw.rivals {
            return Some(leaves);
        }
    }
    None
}

/// Rivals in the order of the draw: the largest sums of value and Gumbel noise, which is drawing without
/// putting back.
fn drawn(
    search: &mut LeafSearch<'_, AnyEval>,
    moves: &MoveList,
    played: Move,
    draw: &RivalDraw,
    number: u64,
) -> Vec<Move> {
    let seed = draw.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut keyed: Vec<(f64, Move)> = moves
        .iter()
        .filter(|&mv| mv != played)
        .map(|mv| {
            let value = f64::from(search.value_of(mv, -INFINITE, INFINITE));
            let noise = -(-(1.0 - rng.f64()).ln()).ln();
            (value / draw.temperature + noise, mv)
        })
        .collect();
    keyed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    keyed.into_iter().map(|(_, mv)| mv).collect()
}

/// The quiet leaf behind a move, if there is one.
fn leaf_behind(
    search: &mut LeafSearch<'_, AnyEval>,
    mv: Move,
    turn: Color,
    place: u16,
) -> Option<DataRecord> {
    let value = search.value_of(mv, -INFINITE, INFINITE);
    if value.abs() >= DECIDED {
        return None;
    }
    let leaf = search.at_leaf(Some(mv), Position::clone);
    if leaf.in_check() {
        return None;
    }
    let value = if leaf.turn() == turn { value } else { -value };
    let sample = Sample {
        position: leaf,
        value: Value::new(value),
        mv: None,
        result: Some(GameResult::Win(turn)),
        flags: 0,
    };
    let mut record = DataRecord::pack(&sample).ok()?;
    record.set_ply(place);
    Some(record)
}
