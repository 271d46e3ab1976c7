//! The training itself: steps, tests and checkpoints, until the plan is done.

use super::agreement::{self, Agreement, PlayedPosition};
use super::checkpoint::{self, OnlineState};
use super::curves::{self, OnlineLogEntry};
use super::error::OnlineError;
use super::examples::Examples;
use super::layout::{Tables, WeightKind};
use super::numbering::{Apery, Bonanza, Numbering};
use super::plan::{LearningMethod, OnlinePlan};
use super::tables::LearntTables;
use super::update::Updater;
use super::worker::{OnlineWorker, VisitStats};
use super::write::{self, WrittenFile};
use crate::data::DataRecord;
use crate::training::log::Log;
use crate::training::output;
use serde::Serialize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often the page is written anew.
const PAGE_EVERY: Duration = Duration::from_secs(10);

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OnlineProgress {
    /// Steps done.
    pub step: u64,
    /// Steps in all.
    pub total: u64,
    /// Positions visited.
    pub visits: u64,
    /// How often every position was visited.
    pub passes: f64,
    /// The mean loss of a comparison in the last step.
    pub loss: f64,
    /// The share of positions of the last step that changed weights.
    pub update_share: f64,
    /// Positions per second in the last step.
    pub speed: f64,
    /// The agreement on games that are not learnt from, at the last test.
    pub held_out: Option<Agreement>,
    /// How many weights are not zero, at the last test.
    pub non_zero: u64,
}

/// Whoever watches a training.
pub trait OnlineObserver {
    /// A step is done; breaks to end the training with what it has. The same training can go on
    /// later all the same.
    fn step(&mut self, progress: &OnlineProgress) -> ControlFlow<()>;
}

/// What came of a training.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Learnt {
    /// The files with the tables.
    pub files: Vec<WrittenFile>,
    /// Positions visited.
    pub visits: u64,
    /// Seconds of work.
    pub seconds: f64,
    /// The agreement on games that are not learnt from.
    pub held_out: Agreement,
    /// The agreement on the positions of the test file.
    pub others: Option<Agreement>,
    /// Weights in all, and those that are not zero, by kind.
    pub weights: Vec<PartWeights>,
    /// What was learnt about the value of the pieces.
    pub piece_values: Vec<(&'static str, f32)>,
    /// On how many positions the engine was seen to compute the same from the files.
    pub compared: usize,
}

/// The weights of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PartWeights {
    /// Which kind.
    pub part: &'static str,
    /// How many there are when what is the same by symmetry counts once.
    pub weights: u64,
    /// How many of them are not zero.
    pub non_zero: u64,
}

/// What a training is given besides its plan.
pub struct OnlineInput<'a> {
    /// Positions to learn from and to test on.
    pub examples: &'a Examples,
    /// Other positions to test on.
    pub others: &'a [PlayedPosition],
    /// How many threads work. With one the result is always the same.
    pub threads: usize,
}

/// Learns tables, from the last checkpoint in the folder if there is one, and writes them there.
///
/// # Errors
/// If a file cannot be written, a checkpoint does not fit, or there is not enough memory.
pub fn learn(
    plan: &OnlinePlan,
    input: &OnlineInput<'_>,
    folder: &Path,
    observer: &mut dyn OnlineObserver,
) -> Result<Learnt, OnlineError> {
    match plan.tables {
        Tables::Kpp => run::<Bonanza>(plan, input, folder, observer),
        _ => run::<Apery>(plan, input, folder, observer),
    }
}

fn run<N: Numbering>(
    plan: &OnlinePlan,
    input: &OnlineInput<'_>,
    folder: &Path,
    observer: &mut dyn OnlineObserver,
) -> Result<Learnt, OnlineError> {
    let tables = LearntTables::<N>::new(plan.tables).map_err(OnlineError::Memory)?;
    let workers = (0..input.threads.max(1)).map(|_| OnlineWorker::new(plan, &tables));
    let workers = workers.collect();
    let mut training = OnlineTraining::begin(plan, input, folder, &tables, workers)?;
    while training.state.step < training.total {
        let progress = training.step()?;
        if observer.step(&progress).is_break() {
            break;
        }
    }
    training.finish()
}

struct OnlineTraining<'a, N: Numbering> {
    plan: &'a OnlinePlan,
    input: &'a OnlineInput<'a>,
    folder: &'a Path,
    tables: &'a LearntTables<N>,
    workers: Vec<OnlineWorker<'a, N>>,
    order: ExampleOrder,
    state: OnlineState,
    total: u64,
    log: Log<OnlineLogEntry>,
    last_page: Option<Instant>,
}

/// The order of the examples in a pass, drawn from the seed.
#[derive(Default)]
struct ExampleOrder {
    pass: Option<u64>,
    places: Vec<u32>,
}

impl ExampleOrder {
    fn of(&mut self, pass: u64, examples: usize, seed: u64) -> &[u32] {
        if self.pass != Some(pass) {
            self.pass = Some(pass);
            self.places = (0..examples as u32).collect();
            let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(pass);
            fastrand::Rng::with_seed(seed).shuffle(&mut self.places);
        }
        &self.places
    }
}

impl<'a, N: Numbering> OnlineTraining<'a, N> {
    fn begin(
        plan: &'a OnlinePlan,
        input: &'a OnlineInput<'a>,
        folder: &'a Path,
        tables: &'a LearntTables<N>,
        workers: Vec<OnlineWorker<'a, N>>,
    ) -> Result<Self, OnlineError> {
        let path = folder.join("checkpoint.bin");
        let examples = input.examples.training.len();
        let state = checkpoint::read(&path, (plan, examples), tables)?.unwrap_or_default();
        let log = Log::open(folder, state.step)?;
        let mut training = Self {
            plan,
            input,
            folder,
            tables,
            workers,
            order: ExampleOrder::default(),
            state,
            total: if examples == 0 { 0 } else { plan.steps() },
            log,
            last_page: None,
        };
        if training.log.entries.is_empty() {
            training.test()?;
        }
        Ok(training)
    }

    fn updater(&self) -> Updater<'a, N> {
        Updater {
            tables: self.tables,
            rates: self.plan.rates,
        }
    }

    fn visits_at(&self, step: u64) -> u64 {
        (step * self.plan.step).min(self.plan.visits)
    }

    /// One step, with what is due after it.
    fn step(&mut self) -> Result<OnlineProgress, OnlineError> {
        let begun = Instant::now();
        let step = self.state.step;
        let visits = self.visits_at(step)..self.visits_at(step + 1);
        let stats = self.visit_all(visits.clone());
        self.state.step += 1;
        self.end_batch();
        self.updater().centre_piece_values();
        self.state.pending.add(&stats);
        let spent = begun.elapsed().as_secs_f64();
        self.state.seconds += spent;
        let speed = stats.visits as f64 / spent.max(1e-9);
        self.write_down(speed)?;
        let last_test = curves::last_test(&self.log.entries);
        Ok(OnlineProgress {
            step: self.state.step,
            total: self.total,
            visits: visits.end,
            passes: visits.end as f64 / self.input.examples.training.len().max(1) as f64,
            loss: stats.mean_loss(),
            update_share: stats.update_share(),
            speed,
            held_out: last_test.map(|(agreement, _)| agreement),
            non_zero: last_test.map_or(0, |(_, non_zero)| non_zero),
        })
    }

    /// Visits positions with all threads; each takes the next one.
    fn visit_all(&mut self, visits: Range<u64>) -> VisitStats {
        let mut stats = VisitStats::default();
        let examples = &self.input.examples.training;
        let mut start = visits.start;
        while start < visits.end {
            // A step may end one pass and begin the next.
            let count = examples.len() as u64;
            let pass = start / count;
            let end = visits.end.min((pass + 1) * count);
            let places = self.order.of(pass, examples.len(), self.plan.seed);
            let next = AtomicU64::new(start);
            let work = |worker: &mut OnlineWorker<'_, N>| {
                worker.stats = VisitStats::default();
                loop {
                    let visit = next.fetch_add(1, Relaxed);
                    if visit >= end {
                        return;
                    }
                    let place = places[(visit - pass * count) as usize];
                    let record: &DataRecord = &examples[place as usize];
                    worker.visit(record, visit);
                }
            };
            std::thread::scope(|scope| {
                let mut workers = self.workers.iter_mut();
                let mine = workers.next();
                for worker in workers {
                    scope.spawn(|| work(worker));
                }
                mine.into_iter().for_each(work);
            });
            self.workers
                .iter()
                .for_each(|worker| stats.add(&worker.stats));
            start = end;
        }
        stats
    }

    /// A step of the full batch are all positions, after which the weights move.
    fn end_batch(&self) {
        if self.plan.method == LearningMethod::Batch {
            let batch = self.state.step - 1;
            let mut rng = fastrand::Rng::with_seed(!self.plan.seed ^ batch);
            self.updater().step_by_sign(batch, self.plan.step, &mut rng);
        }
    }

    /// Log, test, checkpoint and page, each when it is due.
    fn write_down(&mut self, speed: f64) -> Result<(), OnlineError> {
        let (step, total) = (self.state.step, self.total);
        let is_due = |every: u64| step.is_multiple_of(every.max(1)) || step == total;
        if is_due(total / 1000) {
            let stats = std::mem::take(&mut self.state.pending);
            self.log.add(OnlineLogEntry::Train {
                step,
                visits: self.visits_at(step),
                loss: stats.mean_loss(),
                update_share: stats.update_share(),
                speed,
            })?;
        }
        if is_due(self.plan.test_every) {
            self.test()?;
        }
        if is_due(self.plan.checkpoint_every) {
            self.keep()?;
        }
        if self
            .last_page
            .is_none_or(|last| last.elapsed() > PAGE_EVERY)
        {
            self.last_page = Some(Instant::now());
            self.show(false)?;
        }
        Ok(())
    }

    fn keep(&self) -> Result<(), OnlineError> {
        let path = self.folder.join("checkpoint.bin");
        let examples = self.input.examples.training.len();
        checkpoint::write(&path, (self.plan, examples), &self.state, self.tables)?;
        Ok(())
    }

    fn agreement(&self, positions: &[PlayedPosition]) -> Agreement {
        agreement::measure(self.tables, self.plan.depth, positions, self.input.threads)
    }

    fn others(&self) -> Option<Agreement> {
        let others = self.input.others;
        (!others.is_empty()).then(|| self.agreement(others))
    }

    fn test(&mut self) -> Result<(), OnlineError> {
        let non_zero = WeightKind::ALL.map(|part| self.tables.non_zero(part));
        Ok(self.log.add(OnlineLogEntry::Test {
            step: self.state.step,
            visits: self.visits_at(self.state.step),
            held_out: self.agreement(&self.input.examples.held_out),
            others: self.others(),
            non_zero: non_zero.iter().sum(),
        })?)
    }

    fn show(&self, is_done: bool) -> Result<(), OnlineError> {
        let page = curves::page(self.plan, &self.log.entries, self.total, is_done);
        Ok(page.save(self.folder, self.plan)?)
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), OnlineError> {
        Ok(output::save(self.folder, name, bytes)?)
    }

    /// Writes the tables, and sees that the engine computes the same from them.
    fn finish(self) -> Result<Learnt, OnlineError> {
        if self.state.step < self.total {
            self.keep()?;
        }
        let visits = self.visits_at(self.state.step);
        if self.plan.method != LearningMethod::Batch {
            self.updater().settle(visits as u32);
        }
        let files = write::write(self.tables, self.plan.tables, self.folder)?;
        let compared = write::compare_with_engine(
            self.tables,
            (self.plan.tables, self.folder),
            &files,
            &self.input.examples.training,
        )?;
        self.show(true)?;
        let weights = WeightKind::ALL.map(|part| PartWeights {
            part: part.name(),
            weights: self.tables.layout.range(part).len() as u64,
            non_zero: self.tables.non_zero(part),
        });
        let learnt = Learnt {
            files,
            visits,
            seconds: self.state.seconds,
            held_out: self.agreement(&self.input.examples.held_out),
            others: self.others(),
            weights: weights
                .into_iter()
                .filter(|part| part.weights > 0)
                .collect(),
            piece_values: self.tables.learnt_values(),
            compared,
        };
        let text = serde_json::json!({ "plan": self.plan, "result": learnt });
        let text = serde_json::to_vec_pretty(&text).unwrap_or_default();
        self.save("training.json", &text)?;
        Ok(learnt)
    }
}
