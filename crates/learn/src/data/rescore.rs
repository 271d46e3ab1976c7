//! Old positions with the values of a newer evaluation.
//!
//! Positions stay useful when the player that met them is outgrown; what it said about them does
//! not. Searching them anew is cheaper than playing new games (Viridithas reports +50, +25 and +24
//! Elo from it). The output grows block by block beside its final name, so a killed run goes on.

use super::record::DataRecord;
use super::source::{DataError, DataReader};
use rayon::prelude::*;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_eval::AnyEval;
use tesuji_record::file;
use tesuji_record::samples::SampleProblem;
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{
    Answer, NoListener, Phase, Search, SearchControl, SearchLimits, SearchRequest,
};

/// How many records are searched between two writes.
const BLOCK: usize = 4096;

/// What is searched anew, and how.
pub struct Rescore<'a> {
    /// The evaluation.
    pub eval: &'a AnyEval,
    /// Its name and settings, kept beside an unfinished output.
    pub settings: String,
    /// How many nodes each position is searched with.
    pub nodes: u64,
    /// How many threads search.
    pub threads: usize,
    /// How large the transposition table of each thread is.
    pub table_bytes: usize,
}

/// Searches every position of `input` and writes it to `output` (PSV) with the new value and move,
/// in the same order; how many there are. Mates are kept as values at the edge of the scale.
/// `tell` is told how many are done.
///
/// # Errors
/// If a file cannot be read or written, or a record is no position. What was searched so far stays
/// and is not searched again.
pub fn rescore(
    plan: &Rescore<'_>,
    input: &Path,
    output: &Path,
    tell: &mut dyn FnMut(u64),
) -> Result<u64, DataError> {
    // What is wrong with the command is found before anything is written.
    let records = DataReader::open(input)?;
    let mut searches = Vec::new();
    for _ in 0..plan.threads.max(1) {
        let search = AnyTournament::new(plan.eval.clone(), 1, plan.useful_bytes());
        searches.push(search.map_err(DataError::Search)?);
    }
    let part = PartialOutput::open(output, &plan.settings)?;
    let mut done = part.records;
    let mut records = records.skip(done as usize);
    loop {
        let block: Result<Vec<_>, _> = records.by_ref().take(BLOCK).collect();
        let mut block = block?;
        if block.is_empty() {
            break;
        }
        plan.search(&mut searches, &mut block, input, done)?;
        part.append(&block)?;
        done += block.len() as u64;
        tell(done);
    }
    part.keep(output)?;
    Ok(done)
}

impl Rescore<'_> {
    /// How large a table one search fills at most: a larger one would only take longer to empty.
    fn useful_bytes(&self) -> usize {
        let filled = usize::try_from(self.nodes.saturating_mul(64)).unwrap_or(usize::MAX);
        self.table_bytes.min(filled.max(1 << 16))
    }

    fn search(
        &self,
        searches: &mut [AnyTournament],
        block: &mut [DataRecord],
        path: &Path,
        done: u64,
    ) -> Result<(), DataError> {
        let share = block.len().div_ceil(searches.len());
        let parts = block.chunks_mut(share).enumerate();
        let work: Vec<_> = parts.zip(searches).collect();
        work.into_par_iter()
            .try_for_each(|((part, records), search)| {
                for (n, record) in records.iter_mut().enumerate() {
                    let number = done + (part * share + n) as u64 + 1;
                    self.search_one(search, record)
                        .map_err(|what| DataError::record(path, number, what))?;
                }
                Ok(())
            })
    }

    fn search_one(
        &self,
        search: &mut AnyTournament,
        record: &mut DataRecord,
    ) -> Result<(), String> {
        search.new_game(); // What is found depends on this position alone, not on who searched before.
        search_one(search, self.nodes, record).map_err(|error| error.to_string())
    }
}

fn search_one(
    search: &mut AnyTournament,
    nodes: u64,
    record: &mut DataRecord,
) -> Result<(), SampleProblem> {
    let request = SearchRequest::new(record.position()?).with_limits(SearchLimits::nodes(nodes));
    let control = SearchControl::new(Phase::Thinking, None);
    let best = search.think(&request, &control, &mut NoListener);
    record.set_score(best.value.points().clamp(-32_000, 32_000) as i16);
    if let Answer::Move(mv) = best.answer {
        record.set_move_bits(tesuji_record::samples::MoveLayout::Flagged.write(mv));
    }
    Ok(())
}

/// Why records cannot be searched anew.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// A search cannot be set up.
    #[error("no room for a search: {0}")]
    Search(std::io::Error),
    /// A record is no position.
    #[error("record {0}: {1}")]
    Record(usize, SampleProblem),
}

/// Searches records anew, one after the other and beginning with an empty table: what comes out
/// depends on nothing else. Whether it came to the end before somebody said stop.
///
/// # Errors
/// If a search cannot be set up, or a record is no position.
pub fn rescore_records(
    eval: &AnyEval,
    nodes: u64,
    table_bytes: usize,
    records: &mut [DataRecord],
    stop: &AtomicBool,
) -> Result<bool, RescoreError> {
    let mut search =
        AnyTournament::new(eval.clone(), 1, table_bytes).map_err(RescoreError::Search)?;
    for (number, record) in (1..).zip(records) {
        if stop.load(Relaxed) {
            return Ok(false);
        }
        search_one(&mut search, nodes, record)
            .map_err(|error| RescoreError::Record(number, error))?;
    }
    Ok(true)
}

/// An output in the making, and the settings it is made with.
struct PartialOutput {
    path: PathBuf,
    settings_path: PathBuf,
    file: File,
    records: u64,
}

impl PartialOutput {
    fn open(output: &Path, settings: &str) -> Result<Self, DataError> {
        let path = beside(output, "part");
        let settings_path = beside(output, "settings");
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(&path);
        let file = file.map_err(DataError::file(&path))?;
        let bytes = file.metadata().map_err(DataError::file(&path))?.len();
        let records = bytes / DataRecord::SIZE as u64;
        match std::fs::read_to_string(&settings_path) {
            Ok(found) if found == settings => {}
            // Where nothing was searched yet, nothing is mixed.
            Ok(found) if records > 0 => return Err(DataError::Settings { path, found }),
            _ => file::save(&settings_path, settings.as_bytes())
                .map_err(DataError::file(&settings_path))?,
        }
        file.set_len(records * DataRecord::SIZE as u64)
            .map_err(DataError::file(&path))?;
        Ok(Self {
            path,
            settings_path,
            file,
            records,
        })
    }

    fn append(&self, block: &[DataRecord]) -> Result<(), DataError> {
        let bytes: Vec<u8> = block.iter().flat_map(|record| record.0).collect();
        (&self.file)
            .write_all(&bytes)
            .map_err(DataError::file(&self.path))
    }

    fn keep(self, output: &Path) -> Result<(), DataError> {
        self.file.sync_data().map_err(DataError::file(&self.path))?;
        std::fs::rename(&self.path, output).map_err(DataError::file(output))?;
        // The data is in place; a left-over note does no harm.
        let _ = std::fs::remove_file(&self.settings_path);
        Ok(())
    }
}

fn beside(output: &Path, extension: &str) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(extension);
    output.with_file_name(name)
}
