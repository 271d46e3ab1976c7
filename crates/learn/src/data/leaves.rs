//! Positions replaced by their quiescence leaves.
//!
//! A search asks its evaluation about the ends of quiescence, not about the positions of games, half of
//! which are no use to a network since a piece hangs or a check is given. At the leaf of the quiescence
//! search behind such a position everything is taken that will be, and what the search said about the
//! position holds there as well. (tanuki-'s `shuffle_kifu`, 2018, does the same.)

use super::record::DataRecord;
use super::sink::DataWriter;
use super::source::{DataError, DataReader};
use crate::leaf_search::{DECIDED, LeafDepth, LeafSearch};
use rayon::prelude::*;
use std::path::Path;
use tesuji_eval::AnyEval;
use tesuji_record::samples::{Sample, SampleProblem};
use tesuji_shogi::Position;

/// How many records are worked on between two writes.
const BLOCK: usize = 1 << 15;

/// What became of the records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeafCounts {
    /// Positions that were quiet already.
    pub unchanged: u64,
    /// Positions of which the leaf was written.
    pub replaced: u64,
    /// Positions without a quiet leaf: mates, or checks at its end.
    pub left_out: u64,
}

/// What stands for a record.
enum QuietLeaf {
    Itself(DataRecord),
    Behind(DataRecord),
    Missing,
}

/// Writes to `output` the quiescence leaf of every position of `input`, with its score and result; the
/// ply stays that of the position, so that games can still be told apart. `tell` is told how many are
/// done.
///
/// # Errors
/// If a file cannot be read or written, or a record is no position. Then nothing is written.
pub fn replace_by_leaves(
    eval: &AnyEval,
    input: &Path,
    output: &Path,
    tell: &mut dyn FnMut(u64),
) -> Result<LeafCounts, DataError> {
    let mut writer = DataWriter::create(output)?;
    let mut records = DataReader::open(input)?;
    let (mut counts, mut done) = (LeafCounts::default(), 0);
    loop {
        let block: Result<Vec<_>, _> = records.by_ref().take(BLOCK).collect();
        let block = block?;
        if block.is_empty() {
            break;
        }
        let leaves: Result<Vec<_>, _> = block
            .par_iter()
            .enumerate()
            .map_init(
                || LeafSearch::new(eval, LeafDepth::default()),
                |search, (number, record)| {
                    quiet_leaf(search, record)
                        .map_err(|what| DataError::record(input, done + number as u64 + 1, what))
                },
            )
            .collect();
        for leaf in leaves? {
            match leaf {
                QuietLeaf::Itself(record) => {
                    counts.unchanged += 1;
                    writer.write(&record)?;
                }
                QuietLeaf::Behind(record) => {
                    counts.replaced += 1;
                    writer.write(&record)?;
                }
                QuietLeaf::Missing => counts.left_out += 1,
            }
        }
        done += block.len() as u64;
        tell(done);
    }
    writer.finish()?;
    Ok(counts)
}

fn quiet_leaf(
    search: &mut LeafSearch<'_, AnyEval>,
    record: &DataRecord,
) -> Result<QuietLeaf, SampleProblem> {
    let sample = record.unpack()?;
    let turn = sample.position.turn();
    search.begin(sample.position.clone());
    if search.value().abs() >= DECIDED {
        return Ok(QuietLeaf::Missing);
    }
    let leaf = search.at_leaf(None, Position::clone);
    if leaf.in_check() {
        return Ok(QuietLeaf::Missing);
    }
    let is_itself = leaf.key() == sample.position.key();
    let leaf = Sample {
        value: if leaf.turn() == turn {
            sample.value
        } else {
            -sample.value
        },
        position: leaf,
        mv: None,
        ..sample
    };
    let mut leaf = DataRecord::pack(&leaf)?;
    leaf.set_ply(record.ply());
    Ok(match is_itself {
        true => QuietLeaf::Itself(leaf),
        false => QuietLeaf::Behind(leaf),
    })
}
