//! The training itself: batches, steps, tests and checkpoints, until the plan is done.

use super::architecture::Architecture;
use super::averaging::Average;
use super::batches::{BatchDraw, DrawnSample};
use super::checkpoint::{self, TrainingState};
use super::comparisons::ComparisonTest;
use super::curves;
use super::data::TrainingSet;
use super::initial;
use super::integer;
use super::layout::ParameterLayout;
use super::log::{self, NnueLogEntry};
use super::optimizer::{Moving, OptimizerStep};
use super::plan::Plan;
use super::quantize::{self, Scales};
use super::sample::TrainingSample;
use super::weights::Weights;
use super::worker::{ComparisonShare, GradientWorker};
use crate::training::checkpoint::CheckpointError;
use crate::training::log::Log;
use crate::training::output::{self, TrainingFileError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tesuji_eval::AnyEval;
use tesuji_eval::nnue::{NetworkFile, NnueError};
use tesuji_kernels::Kernels;
use tesuji_record::packed::PackedLayout;

/// How many lines the log gets, about.
const LOG_LINES: u64 = 1000;
/// How many tests there are, about.
const TESTS: u64 = 40;
/// How often the page is written anew.
const PAGE_EVERY: Duration = Duration::from_secs(10);
/// On how many positions the file is compared with the engine.
const COMPARED: usize = 10_000;

/// Why a training stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A file of the output cannot be written.
    #[error(transparent)]
    Write(#[from] TrainingFileError),
    /// The loss is no number any more.
    #[error(
        "the loss is no number any more at step {step}: the learning rate may be too high; the \
         checkpoint of step {kept} is still there"
    )]
    NotANumber {
        /// At which step.
        step: u64,
        /// The last good one on disk.
        kept: u64,
    },
    /// The samples cannot be read again.
    #[error("cannot read the samples again that were put into files: {0}")]
    Samples(io::Error),
    /// The network to begin with has another shape.
    #[error("the network to begin with is {found}, not {expected}")]
    Initial {
        /// What it says about itself.
        found: String,
        /// What is trained.
        expected: String,
    },
    /// There is no room for the parameters and what belongs to each of them.
    #[error(
        "no room in memory: {parameters} parameters want {megabytes} MB on this number of threads; \
         fewer --threads or a smaller --arch want less"
    )]
    Memory {
        /// How many parameters.
        parameters: usize,
        /// How much all their numbers take.
        megabytes: usize,
    },
    /// The engine computes something else than the trainer.
    #[error("the engine says {engine} and the trainer {trainer} about {sfen}: a bug")]
    Disagreement {
        /// The engine's output.
        engine: i32,
        /// The trainer's output.
        trainer: i32,
        /// Where.
        sfen: String,
    },
    /// The engine cannot run the network.
    #[error("the engine cannot run the network: {0}")]
    Engine(#[from] NnueError),
}

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainProgress {
    /// Steps done.
    pub step: u64,
    /// Steps in all.
    pub total: u64,
    /// The epoch, from 1.
    pub epoch: u32,
    /// The mean loss of the last steps.
    pub loss: f64,
    /// The loss of the last test.
    pub validation: Option<f64>,
    /// Samples per second.
    pub speed: f64,
}

/// Told how far a training is.
pub trait Observer {
    /// After every step.
    fn step(&mut self, progress: &TrainProgress);
}

/// What a training made.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Finished {
    /// Where the network lies.
    pub network: PathBuf,
    /// Steps in all.
    pub steps: u64,
    /// Seconds of work.
    pub seconds: f64,
    /// The loss on the samples that were not trained on, computed in floating point.
    pub validation: Option<f64>,
    /// The loss on the first of these samples, with the integers of the file.
    pub validation_integers: Option<f64>,
    /// The loss on the same first samples in floating point.
    pub validation_floats: Option<f64>,
    /// In which share of the comparisons that were not trained on the chosen move is valued highest.
    pub agreement: Option<f64>,
    /// By how much the integers change values, on average.
    pub mean_error: f64,
    /// By how much they change one at most.
    pub max_error: f64,
    /// On how many positions the engine was seen to agree bit for bit.
    pub compared: usize,
}

/// Whether a training could begin: there is room for it, and the network to begin with has its shape.
/// Whoever clears the folder of a training asks before.
///
/// # Errors
/// If it could not.
pub fn require_start(plan: &Plan, initial: Option<&NetworkFile>) -> Result<(), TrainError> {
    let expected = |file: &NetworkFile| {
        file.shape == plan.architecture.shape()
            && file.extension == plan.architecture.extension(plan.skip)
    };
    if let Some(file) = initial.filter(|file| !expected(file)) {
        return Err(TrainError::Initial {
            found: String::from_utf8_lossy(&file.description).into_owned(),
            expected: format!("{} with skip {}", plan.architecture, plan.skip.name()),
        });
    }
    let layout = ParameterLayout::new(&plan.architecture, plan.has_factorizer);
    // The parameters, their moments, a mean of them, rounded ones, a copy while they are tested, and
    // the network as a file and in the engine, which both have half as many bytes.
    let copies = 7 + plan.threads.max(1);
    let numbers = layout.len.saturating_mul(copies);
    // To ask for all at once and give it back costs nothing: no page of it is touched.
    let mut room = Vec::<f32>::new();
    let found = room.try_reserve_exact(numbers);
    std::hint::black_box(&room); // or the compiler would not ask at all
    found.map_err(|_| TrainError::Memory {
        parameters: layout.len,
        megabytes: numbers.saturating_mul(size_of::<f32>()) >> 20,
    })
}

/// Trains, from the last checkpoint in the folder if there is one, and writes `nn.bin` there.
///
/// # Errors
/// If a file cannot be written, a checkpoint does not fit, memory is short, or the loss is no number any
/// more.
pub fn train(
    plan: &Plan,
    data: &TrainingSet,
    folder: &Path,
    initial: Option<&NetworkFile>,
    observer: &mut dyn Observer,
) -> Result<Finished, TrainError> {
    let mut training = NnueTraining::begin(plan, data, folder, initial)?;
    while training.state.step < training.total {
        let progress = training.step()?;
        observer.step(&progress);
    }
    training.finish()
}

struct NnueTraining<'a> {
    plan: &'a Plan,
    data: &'a TrainingSet,
    folder: &'a Path,
    layout: ParameterLayout,
    scales: Scales,
    workers: Vec<GradientWorker>,
    state: TrainingState,
    total: u64,
    steps_per_epoch: u64,
    batches: BatchDraw<'a>,
    log: Log<NnueLogEntry>,
    last_loss: f64,
    kept: u64,
    last_page: Option<Instant>,
}

impl<'a> NnueTraining<'a> {
    fn begin(
        plan: &'a Plan,
        data: &'a TrainingSet,
        folder: &'a Path,
        initial: Option<&NetworkFile>,
    ) -> Result<Self, TrainError> {
        require_start(plan, initial)?;
        let layout = ParameterLayout::new(&plan.architecture, plan.has_factorizer);
        let scales = Scales::new(plan.target.scale);
        let samples = data.training.len();
        let batches = BatchDraw::new(plan, &data.training);
        let steps_per_epoch = batches.steps_per_epoch();
        let path = folder.join("checkpoint.bin");
        let state = match checkpoint::read(&path, plan, samples)? {
            Some(state) if state.parameters.len() != layout.len => {
                let what = "it has another number of parameters";
                return Err(CheckpointError::damaged(&path, what).into());
            }
            Some(state) => state,
            None => fresh(plan, &layout, &scales, initial),
        };
        let log = Log::open(folder, state.step)?;
        let worker = || GradientWorker::new(&plan.architecture, &layout);
        Ok(Self {
            workers: std::iter::repeat_with(worker)
                .take(plan.threads.max(1))
                .collect(),
            kept: state.step,
            plan,
            data,
            folder,
            layout,
            scales,
            state,
            total: steps_per_epoch * u64::from(plan.epochs),
            steps_per_epoch,
            batches,
            log,
            last_loss: 0.0,
            last_page: None,
        })
    }

    /// One step, with what is due after it.
    fn step(&mut self) -> Result<TrainProgress, TrainError> {
        let begun = Instant::now();
        let step = self.state.step;
        let epoch = step / self.steps_per_epoch;
        let batch = self.batches.batch(step, self.workers.len());
        let batch = batch.map_err(TrainError::Samples)?;
        let size: usize = batch.iter().map(Vec::len).sum();
        let comparisons = self.comparisons(step, batch.len());
        let loss = self.learn(&batch, &comparisons);
        let compared: f64 = self.workers.iter().map(|w| w.comparison_loss).sum();
        if !(loss + compared).is_finite() {
            return Err(self.not_a_number());
        }
        self.move_parameters(size);
        self.state.step += 1;
        self.state.pending.0 += loss;
        self.state.pending.1 += size as u64;
        let spent = begun.elapsed().as_secs_f64();
        self.state.seconds += spent;
        let speed = size as f64 / spent.max(1e-9);
        self.write_down(epoch as u32 + 1, speed)?;
        Ok(TrainProgress {
            step: self.state.step,
            total: self.total,
            epoch: epoch as u32 + 1,
            loss: self.last_loss,
            validation: log::last_test(&self.log.entries),
            speed,
        })
    }

    fn not_a_number(&self) -> TrainError {
        TrainError::NotANumber {
            step: self.state.step + 1,
            kept: self.kept,
        }
    }

    /// Adds up the gradients of a batch; the sum of the losses.
    fn learn(&mut self, batch: &[Vec<DrawnSample>], comparisons: &[Vec<DrawnSample>]) -> f64 {
        let is_rounded = self.state.step >= self.plan.first_quantized(self.total);
        let weights = weights(
            &self.layout,
            &self.state.parameters,
            &self.scales,
            is_rounded,
        );
        let target = &self.plan.target;
        for worker in self.workers.iter_mut().skip(batch.len()) {
            worker.rest();
        }
        let shares = shares(self.plan, self.data, batch, comparisons);
        std::thread::scope(|scope| {
            let parts = self.workers.iter_mut().zip(batch);
            let mut parts = parts.zip(shares.iter().map(Some).chain(std::iter::repeat(None)));
            let last = parts.next();
            for ((worker, samples), share) in parts {
                let weights = &weights;
                scope.spawn(move || worker.learn(weights, target, samples, share));
            }
            if let Some(((worker, samples), share)) = last {
                worker.learn(&weights, target, samples, share);
            }
        });
        self.workers.iter().map(|worker| worker.loss).sum()
    }

    /// The comparisons of a step, a list for each thread.
    fn comparisons(&self, step: u64, threads: usize) -> Vec<Vec<DrawnSample>> {
        match &self.plan.comparisons {
            Some(_) if !self.data.comparisons.is_empty() => {
                self.data
                    .comparisons
                    .batch(step, self.steps_per_epoch, self.plan.seed, threads)
            }
            _ => Vec::new(),
        }
    }

    fn move_parameters(&mut self, samples: usize) {
        let gradients: Vec<&[f32]> = self.workers.iter().map(|w| w.gradient.as_slice()).collect();
        let step = OptimizerStep {
            adam: self.plan.adam,
            number: self.state.step,
            rate: self.plan.schedule.rate(self.state.step, self.total),
            samples,
            gradients: &gradients,
        };
        let moving = Moving {
            parameters: &mut self.state.parameters,
            mean: &mut self.state.mean,
            square: &mut self.state.square,
        };
        step.apply(&self.layout, &self.scales, moving, self.plan.threads);
    }

    /// Log, test, checkpoint and page, each when it is due.
    fn write_down(&mut self, epoch: u32, speed: f64) -> Result<(), TrainError> {
        let (step, total) = (self.state.step, self.total);
        let is_due = |every: u64| step.is_multiple_of(every.max(1)) || step == total;
        if is_due(total / LOG_LINES) {
            let (sum, count) = std::mem::take(&mut self.state.pending);
            self.last_loss = sum / count.max(1) as f64;
            let rate = self.plan.schedule.rate(step - 1, total);
            self.log.add(NnueLogEntry::Train {
                step,
                epoch,
                loss: self.last_loss,
                rate,
                speed,
            })?;
        }
        if is_due(total / TESTS) && !self.data.validation.is_empty() {
            let loss = self.test(&self.state.parameters.clone());
            if !loss.is_finite() {
                return Err(self.not_a_number());
            }
            self.log.add(NnueLogEntry::Test { step, epoch, loss })?;
            if let Some(test) = self.test_comparisons(&self.state.parameters.clone()) {
                let ComparisonTest { loss, agreement } = test;
                self.log.add(NnueLogEntry::Comparisons {
                    step,
                    epoch,
                    loss,
                    agreement,
                })?;
            }
        }
        if self.plan.is_averaged(step, total) {
            self.state.average.add(&self.state.parameters);
        }
        if is_due(self.plan.checkpoint_every) {
            if !self
                .state
                .parameters
                .iter()
                .all(|number| number.is_finite())
            {
                return Err(self.not_a_number());
            }
            let path = self.folder.join("checkpoint.bin");
            checkpoint::write(&path, self.plan, self.data.training.len(), &self.state)?;
            self.kept = step;
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

    fn show(&self, is_done: bool) -> Result<(), TrainError> {
        let page = curves::page(self.plan, &self.log.entries, self.total, is_done);
        Ok(page.save(self.folder, self.plan)?)
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        Ok(output::save(self.folder, name, bytes)?)
    }

    /// The samples that are tested on.
    fn tested(&self) -> &'a [TrainingSample] {
        let samples = &self.data.validation;
        &samples[..samples.len().min(self.plan.validation_limit)]
    }

    /// The mean loss on samples that are not trained on.
    fn test(&mut self, parameters: &[f32]) -> f64 {
        let samples = self.tested();
        let is_rounded = self.state.step >= self.plan.first_quantized(self.total);
        let weights = weights(&self.layout, parameters, &self.scales, is_rounded);
        let target = &self.plan.target;
        let share = samples.len().div_ceil(self.workers.len()).max(1);
        let parts = self.workers.iter_mut().zip(samples.chunks(share));
        let sum: f64 = std::thread::scope(|scope| {
            let weights = &weights;
            let started: Vec<_> = parts
                .map(|(worker, samples)| {
                    scope.spawn(move || {
                        let mut sum = 0.0;
                        worker.evaluate(weights, samples, |sample, output| {
                            sum += f64::from(target.loss(output, sample).0);
                        });
                        sum
                    })
                })
                .collect();
            let sums = started.into_iter().map(|thread| thread.join());
            sums.map(|sum| sum.unwrap_or(f64::NAN)).sum()
        });
        sum / samples.len().max(1) as f64
    }

    /// What the network makes of comparisons that are not trained on.
    fn test_comparisons(&mut self, parameters: &[f32]) -> Option<ComparisonTest> {
        let plan = self.plan.comparisons.as_ref()?;
        let (leaves, size) = (self.data.comparisons.tested(), self.data.comparisons.size());
        let limit = self.plan.validation_limit / size.max(1) * size;
        let leaves = &leaves[..leaves.len().min(limit)];
        let is_rounded = self.state.step >= self.plan.first_quantized(self.total);
        let weights = weights(&self.layout, parameters, &self.scales, is_rounded);
        let outputs = self.workers[0].evaluate_numbered(&weights, leaves);
        (!leaves.is_empty()).then(|| plan.test(leaves, &outputs, size, self.plan.target.scale))
    }

    /// Writes the network, after the engine was seen to compute the same.
    fn finish(mut self) -> Result<Finished, TrainError> {
        let parameters = self.state.average.mean();
        let parameters = parameters.unwrap_or_else(|| self.state.parameters.clone());
        let Plan {
            architecture, skip, ..
        } = self.plan;
        let file = quantize::to_file(&self.layout, architecture, &self.scales, *skip, &parameters);
        let has_tests = !self.data.validation.is_empty();
        let validation = has_tests.then(|| self.test(&parameters));
        let comparisons = self.test_comparisons(&parameters);
        let trained = self.data.training.some().map_err(TrainError::Samples)?;
        let samples = if has_tests { self.tested() } else { &trained };
        let integers = self.compare_integers(&file, &parameters, samples);
        let compared = &samples[..samples.len().min(COMPARED)];
        compare_with_engine(&file, architecture, compared)?;
        self.save("nn.bin", &file.write())?;
        self.show(true)?;
        let finished = Finished {
            network: self.folder.join("nn.bin"),
            steps: self.total,
            seconds: self.state.seconds,
            validation,
            validation_integers: has_tests.then_some(integers.loss),
            validation_floats: has_tests.then_some(integers.float_loss),
            agreement: comparisons.map(|test| test.agreement),
            mean_error: integers.mean,
            max_error: integers.max,
            compared: compared.len(),
        };
        let text =
            serde_json::json!({ "plan": self.plan, "result": finished, "data": self.data.counts });
        let text = serde_json::to_vec_pretty(&text).unwrap_or_default();
        self.save("training.json", &text)?;
        Ok(finished)
    }

    /// How much the integers of the file change.
    fn compare_integers(
        &mut self,
        file: &NetworkFile,
        parameters: &[f32],
        samples: &[TrainingSample],
    ) -> Integers {
        let samples = &samples[..samples.len().min(4 * COMPARED)];
        let is_rounded = self.plan.quantized_share > 0.0;
        let weights = weights(&self.layout, parameters, &self.scales, is_rounded);
        let Plan {
            architecture,
            target,
            ..
        } = self.plan;
        let (output_scale, count) = (self.scales.output(), samples.len().max(1) as f64);
        let mut integers = Integers::default();
        self.workers[0].evaluate(&weights, samples, |sample, output| {
            let integer = integer::output(file, architecture, sample) as f32 / output_scale;
            let error = f64::from((integer - output).abs() * target.scale);
            integers.mean += error / count;
            integers.max = integers.max.max(error);
            integers.loss += f64::from(target.loss(integer, sample).0) / count;
            integers.float_loss += f64::from(target.loss(output, sample).0) / count;
        });
        integers
    }
}

/// What the integers of a file change.
#[derive(Default)]
struct Integers {
    loss: f64,
    float_loss: f64,
    mean: f64,
    max: f64,
}

/// What each thread has of the comparisons of a step: their mean loss counts `weight` times as much as
/// that of the samples.
fn shares<'a>(
    plan: &'a Plan,
    data: &TrainingSet,
    batch: &[Vec<DrawnSample>],
    comparisons: &'a [Vec<DrawnSample>],
) -> Vec<ComparisonShare<'a>> {
    let Some(plan) = &plan.comparisons else {
        return Vec::new();
    };
    let size = data.comparisons.size();
    let samples: usize = batch.iter().map(Vec::len).sum();
    let count: usize = comparisons.iter().map(|leaves| leaves.len() / size).sum();
    let weight = plan.weight * samples as f32 / count.max(1) as f32;
    let share = |leaves: &'a Vec<DrawnSample>| ComparisonShare {
        plan,
        size,
        leaves,
        weight,
    };
    comparisons.iter().map(share).collect()
}

fn weights<'l>(
    layout: &'l ParameterLayout,
    parameters: &'l [f32],
    scales: &Scales,
    is_rounded: bool,
) -> Weights<'l> {
    if is_rounded {
        Weights::rounded(layout, parameters, scales)
    } else {
        Weights::exact(layout, parameters)
    }
}

/// A training that has not begun.
fn fresh(
    plan: &Plan,
    layout: &ParameterLayout,
    scales: &Scales,
    initial: Option<&NetworkFile>,
) -> TrainingState {
    let parameters = match initial {
        None => initial::random(layout, &plan.architecture, plan.seed),
        Some(file) => initial::from_file(layout, scales, file),
    };
    TrainingState {
        step: 0,
        pending: (0.0, 0),
        seconds: 0.0,
        mean: vec![0.0; parameters.len()],
        square: vec![0.0; parameters.len()],
        parameters,
        average: Average::default(),
    }
}

/// Sees that the engine computes the same as the trainer, bit for bit.
pub(super) fn compare_with_engine(
    file: &NetworkFile,
    architecture: &Architecture,
    samples: &[TrainingSample],
) -> Result<(), TrainError> {
    let engine = AnyEval::of_network(file.clone(), Kernels::best())?;
    for sample in samples {
        let pos = PackedLayout::PackedSfen
            .unpack(&sample.packed)
            .expect("samples are checked");
        let engine = engine.evaluate_raw(&pos);
        let trainer = integer::output(file, architecture, sample);
        if engine != trainer {
            return Err(TrainError::Disagreement {
                engine,
                trainer,
                sfen: pos.to_sfen(),
            });
        }
    }
    Ok(())
}
