//! Positions that a search visits, drawn from its tree.
//!
//! Games hold what players allow; a search asks its evaluation about what they do not allow: pieces left
//! to be taken, kings that walk out, threats ignored. A network that learnt from games alone is asked about
//! such positions a thousand times for every move and was never told. So positions are drawn at random
//! among those that the evaluation is asked about while a position of a game is searched, to be searched
//! and valued in their turn (`leaves`, then `rescore`). The idea is that of TreeStrap (Veness, Silver,
//! Uther and Blair, 2009), which learns from all nodes of a search; and of DAgger (Ross, Gordon and
//! Bagnell, 2011): learn where the learner goes.

use super::record::DataRecord;
use super::sink::DataWriter;
use super::source::{DataError, DataReader};
use rayon::prelude::*;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_eval::AnyEval;
use tesuji_record::samples::{Sample, SampleProblem};
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{NoListener, Phase, Search, SearchControl, SearchLimits, SearchRequest};
use tesuji_shogi::{Position, Value};

/// How many records are searched between two writes.
const BLOCK: usize = 4096;

/// What is searched, and how much is drawn from it.
pub struct VisitedDraw<'a> {
    /// The evaluation that is watched.
    pub eval: &'a AnyEval,
    /// How many nodes each position is searched with.
    pub nodes: u64,
    /// How many positions are drawn from each search.
    pub samples: usize,
    /// Decides which.
    pub seed: u64,
    /// How many threads search.
    pub threads: usize,
    /// How large the transposition table of each thread is.
    pub table_bytes: usize,
}

/// Writes to `output` positions that are visited while those of `input` are searched; how many. Ply and
/// result are those of the game that the search began in, the score is nothing until the position is
/// searched itself. `tell` is told how many are searched.
///
/// # Errors
/// If a file cannot be read or written, or a record is no position. Then nothing is written.
pub fn write_visited(
    plan: &VisitedDraw<'_>,
    input: &Path,
    output: &Path,
    tell: &mut dyn FnMut(u64),
) -> Result<u64, DataError> {
    let mut writer = DataWriter::create(output)?;
    let mut searches = Vec::new();
    for _ in 0..plan.threads.max(1) {
        searches.push(WatchedSearch::new(plan).map_err(DataError::Search)?);
    }
    let mut records = DataReader::open(input)?;
    let mut done = 0;
    loop {
        let block: Result<Vec<_>, _> = records.by_ref().take(BLOCK).collect();
        let block = block?;
        if block.is_empty() {
            break;
        }
        let share = block.len().div_ceil(searches.len());
        let work: Vec<_> = block.chunks(share).enumerate().zip(&mut searches).collect();
        let drawn: Result<Vec<_>, _> = work
            .into_par_iter()
            .map(|((part, records), search)| {
                let first = done + (part * share) as u64;
                plan.draw_all(search, records, first)
                    .map_err(|(number, what)| DataError::record(input, number, what))
            })
            .collect();
        for record in drawn?.iter().flatten() {
            writer.write(record)?;
        }
        done += block.len() as u64;
        tell(done);
    }
    writer.finish()
}

impl VisitedDraw<'_> {
    /// What is drawn for each record; the first of them has the number behind `first`.
    fn draw_all(
        &self,
        search: &mut WatchedSearch,
        records: &[DataRecord],
        first: u64,
    ) -> Result<Vec<DataRecord>, (u64, SampleProblem)> {
        let mut out = Vec::with_capacity(records.len() * self.samples);
        for (number, record) in (first + 1..).zip(records) {
            let drawn = record
                .unpack()
                .and_then(|sample| search.draw(self, &sample, number, record.ply()));
            out.extend(drawn.map_err(|problem| (number, problem))?);
        }
        Ok(out)
    }
}

/// A search, and what is drawn from the positions that its evaluation is asked about.
struct WatchedSearch {
    search: AnyTournament,
    reservoir: Arc<Mutex<Reservoir>>,
}

impl WatchedSearch {
    fn new(plan: &VisitedDraw<'_>) -> std::io::Result<Self> {
        let reservoir = Arc::new(Mutex::new(Reservoir::default()));
        let watched = Arc::clone(&reservoir);
        let eval = plan.eval.watched(move |pos| {
            let mut reservoir = watched.lock().unwrap_or_else(PoisonError::into_inner);
            reservoir.see(pos);
        });
        Ok(Self {
            search: AnyTournament::new(eval, 1, plan.table_bytes)?,
            reservoir,
        })
    }

    fn reservoir(&self) -> std::sync::MutexGuard<'_, Reservoir> {
        self.reservoir
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(
        &mut self,
        plan: &VisitedDraw<'_>,
        sample: &Sample,
        number: u64,
        ply: u16,
    ) -> Result<Vec<DataRecord>, SampleProblem> {
        *self.reservoir() = Reservoir::new(plan.samples, plan.seed ^ number.rotate_left(32));
        let limits = SearchLimits::nodes(plan.nodes);
        let request = SearchRequest::new(sample.position.clone()).with_limits(limits);
        let control = SearchControl::new(Phase::Thinking, None);
        self.search.new_game(); // What is drawn depends on this position alone.
        self.search.think(&request, &control, &mut NoListener);
        let drawn = std::mem::take(&mut self.reservoir().drawn);
        let pack = |position: Position| {
            let visited = Sample {
                position,
                mv: None,
                value: Value::ZERO,
                ..sample.clone()
            };
            let mut record = DataRecord::pack(&visited)?;
            record.set_ply(ply);
            Ok(record)
        };
        drawn.into_iter().map(pack).collect()
    }
}

/// Some of many positions, all equally likely to be among them (Vitter, 1985, algorithm R).
#[derive(Default)]
struct Reservoir {
    size: usize,
    seen: usize,
    drawn: Vec<Position>,
    rng: fastrand::Rng,
}

impl Reservoir {
    fn new(size: usize, seed: u64) -> Self {
        Self {
            size,
            seen: 0,
            drawn: Vec::with_capacity(size),
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    fn see(&mut self, pos: &Position) {
        self.seen += 1;
        if self.drawn.len() < self.size {
            self.drawn.push(pos.clone());
        } else {
            let at = self.rng.usize(..self.seen);
            if at < self.size {
                self.drawn[at] = pos.clone();
            }
        }
    }
}
