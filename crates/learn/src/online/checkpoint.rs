//! A training of tables on disk: the plan, how far it has come, and every cell that was touched.

use super::numbering::Numbering;
use super::plan::OnlinePlan;
use super::tables::LearntTables;
use super::worker::VisitStats;
use crate::training::checkpoint::{self, CheckpointError};
use serde::{Deserialize, Serialize};
use std::path::Path;

const LETTERS: &[u8; 8] = b"TESUJION";
/// Words of four bytes for each cell: its number, and the two words it has.
const WORDS: usize = 5;

/// Where a training stands.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct OnlineState {
    /// How many steps are done.
    pub(super) step: u64,
    /// What came of the visits since the last line of the log.
    pub(super) pending: VisitStats,
    /// Seconds of work so far.
    pub(super) seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct OnlineCheckpointHeader {
    plan: OnlinePlan,
    examples: usize,
    state: OnlineState,
}

/// Writes a checkpoint.
pub(super) fn write<N: Numbering>(
    path: &Path,
    (plan, examples): (&OnlinePlan, usize),
    state: &OnlineState,
    tables: &LearntTables<N>,
) -> Result<(), CheckpointError> {
    let header = OnlineCheckpointHeader {
        plan: plan.clone(),
        examples,
        state: *state,
    };
    checkpoint::write(path, LETTERS, &header, |out| {
        let mut bytes = Vec::new();
        for cell in 0..tables.layout.cells() {
            let words = tables.words(cell);
            if words == [0; 2] {
                continue;
            }
            bytes.extend((cell as u32).to_le_bytes());
            words
                .iter()
                .for_each(|word| bytes.extend(word.to_le_bytes()));
            if bytes.len() > 1 << 20 {
                out.put(&bytes)?;
                bytes.clear();
            }
        }
        out.put(&bytes)
    })
}

/// Reads the checkpoint of a plan into fresh tables, if there is one.
pub(super) fn read<N: Numbering>(
    path: &Path,
    (plan, examples): (&OnlinePlan, usize),
    tables: &LearntTables<N>,
) -> Result<Option<OnlineState>, CheckpointError> {
    let Some(checkpoint) = checkpoint::read::<OnlineCheckpointHeader>(path, LETTERS)? else {
        return Ok(None);
    };
    let header = &checkpoint.header;
    checkpoint::require_same(path, (&header.plan, header.examples), (plan, examples))?;
    let damaged = |what| CheckpointError::damaged(path, what);
    let (cells, rest) = checkpoint.words().as_chunks::<WORDS>();
    if !rest.is_empty() {
        return Err(damaged("its length is not that of its cells"));
    }
    for &[cell, weight, weight_high, history, history_high] in cells {
        let cell = u32::from_le_bytes(cell) as usize;
        if cell >= tables.layout.cells() {
            return Err(damaged("it has cells that the tables do not have"));
        }
        let word = |low, high| {
            u64::from(u32::from_le_bytes(low)) | u64::from(u32::from_le_bytes(high)) << 32
        };
        tables.set_words(
            cell,
            [word(weight, weight_high), word(history, history_high)],
        );
    }
    Ok(Some(header.state))
}
