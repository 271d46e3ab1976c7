//! The move that a strong player chose, beside moves that it did not choose.
//!
//! A comparison is a few positions: the quiescence leaf behind the move that was played, then the leaves
//! behind some of its rivals. Whoever learns to value the first above the others for the side that moved
//! has learnt why the move was played (comparison training, Tesauro 2001; Hoki's Bonanza, 2006). Rivals
//! are drawn among all legal moves, those more often that our own quiescence search likes: what a network
//! already holds for bad teaches it nothing. Or they are the best moves of a search, and all leaves stand
//! at the end of its lines (Hoki and Kaneko's minimax tree optimization, 2014): so a network learns where
//! a search is mistaken that sees further than quiescence.

use super::lines::LineSearch;
use super::record::DataRecord;
use super::sink::DataWriter;
use super::source::DataError;
use crate::leaf_search::{DECIDED, INFINITE, LeafDepth, LeafSearch};
use rayon::prelude::*;
use std::path::Path;
use tesuji_eval::AnyEval;
use tesuji_record::GameResult;
use tesuji_record::samples::Sample;
use tesuji_shogi::{Move, MoveList, Position, Value, movegen};

/// How many positions are worked on between two writes.
const BLOCK: usize = 1 << 12;

/// How rivals are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RivalDraw {
    /// How many stand beside the played move.
    pub rivals: usize,
    /// Over how many nodes they are looked for: the rivals are what the search holds for best. Without,
    /// quiescence values all legal moves, and chance decides with the next two.
    pub nodes: Option<u64>,
    /// A rival that is worth so many points more is drawn e times as often.
    pub temperature: f64,
    /// Decides which.
    pub seed: u64,
    /// How many threads work.
    pub threads: usize,
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
/// If the file cannot be written, or a search cannot be set up.
pub fn write_comparisons(
    eval: &AnyEval,
    played: &[DataRecord],
    draw: &RivalDraw,
    output: &Path,
    tell: &mut dyn FnMut(u64),
) -> Result<ComparisonCounts, DataError> {
    let mut writer = DataWriter::create(output)?;
    let mut counts = ComparisonCounts::default();
    let finders: Result<Vec<_>, _> = (0..draw.threads.max(1))
        .map(|_| LeafFinder::new(eval, draw))
        .collect();
    let mut finders = finders.map_err(DataError::Search)?;
    for (number, block) in played.chunks(BLOCK).enumerate() {
        let first = (number * BLOCK) as u64;
        let share = block.len().div_ceil(finders.len());
        let work: Vec<_> = block.chunks(share).enumerate().zip(&mut finders).collect();
        let comparisons: Vec<_> = work
            .into_par_iter()
            .map(|((part, records), finder)| {
                let first = first + (part * share) as u64;
                let numbered = (first..).zip(records);
                let leaves = numbered.map(|(number, record)| finder.comparison(record, number));
                leaves.collect::<Vec<_>>()
            })
            .collect();
        for comparison in comparisons.into_iter().flatten() {
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

/// Finds the leaves behind moves.
struct LeafFinder<'a> {
    draw: &'a RivalDraw,
    lines: Option<LineSearch>,
    quiescence: LeafSearch<'a, AnyEval>,
}

impl<'a> LeafFinder<'a> {
    fn new(eval: &'a AnyEval, draw: &'a RivalDraw) -> std::io::Result<Self> {
        Ok(Self {
            draw,
            lines: match draw.nodes {
                Some(nodes) => Some(LineSearch::new(eval, nodes)?),
                None => None,
            },
            quiescence: LeafSearch::new(eval, LeafDepth::default()),
        })
    }

    /// The leaves of a comparison, if there are enough.
    fn comparison(&mut self, record: &DataRecord, number: u64) -> Option<Vec<DataRecord>> {
        let sample = record.unpack().ok()?;
        let (pos, played) = (sample.position, sample.mv?);
        let (chosen, rivals) = match &mut self.lines {
            Some(search) => search.lines(&pos, played, self.draw.rivals)?,
            None => {
                let rivals = self.drawn(&pos, played, number);
                (
                    vec![played],
                    rivals.into_iter().map(|mv| vec![mv]).collect(),
                )
            }
        };
        let mut leaves = vec![self.leaf_behind(&pos, &chosen, 0)?];
        for rival in rivals {
            leaves.extend(self.leaf_behind(&pos, &rival, leaves.len() as u16));
            if leaves.len() > self.draw.rivals {
                return Some(leaves);
            }
        }
        None
    }

    /// Rivals in the order of the draw: the largest sums of value and Gumbel noise, which is drawing
    /// without putting back.
    fn drawn(&mut self, pos: &Position, played: Move, number: u64) -> Vec<Move> {
        let seed = self.draw.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut moves = MoveList::new();
        let _ = movegen::legal_without_worse(pos, &mut moves);
        self.quiescence.begin(pos.clone());
        let mut keyed: Vec<(f64, Move)> = moves
            .iter()
            .filter(|&mv| mv != played)
            .map(|mv| {
                let value = f64::from(self.quiescence.value_of(mv, -INFINITE, INFINITE));
                let noise = -(-(1.0 - rng.f64()).ln()).ln();
                (value / self.draw.temperature + noise, mv)
            })
            .collect();
        keyed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        keyed.into_iter().map(|(_, mv)| mv).collect()
    }

    /// The quiet leaf behind a line, if there is one.
    fn leaf_behind(&mut self, pos: &Position, line: &[Move], place: u16) -> Option<DataRecord> {
        let turn = pos.turn();
        let mut end = pos.clone();
        for &mv in line {
            end.play(mv);
        }
        self.quiescence.begin(end);
        let value = self.quiescence.value();
        if value.abs() >= DECIDED {
            return None;
        }
        let leaf = self.quiescence.at_leaf(None, Position::clone);
        if leaf.in_check() {
            return None;
        }
        let is_same_turn = leaf.turn() == self.quiescence.pos.turn();
        let value = if is_same_turn { value } else { -value };
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
}
