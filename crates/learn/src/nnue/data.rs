//! Samples from files: read, checked, filtered, and split into games to learn from and games to be
//! tested on.
//!
//! A position in which something is about to be taken says little about what it is worth at rest,
//! so that positions in check and positions whose best move takes or promotes are left out, and so
//! are those that are decided.

use super::comparisons::Comparisons;
use super::dataset_error::{DatasetError, FilterCounts};
use super::sample::TrainingSample;
use super::shards::{Gatherer, Shards};
use super::skip_eval::SkipEval;
use crate::data::{DataError, Filter, InputFormat, Kept};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tesuji_eval::nnue::Skip;
use tesuji_kernels::open_input;
use tesuji_record::packed::PackedLayout;
use tesuji_record::samples::{MoveLayout, Sample, SampleFormat, SampleProblem};

/// How many bytes of a file are in memory at a time, about.
const BLOCK: usize = 65_536 * RECORD;
const RECORD: usize = SampleFormat::Psv.size();

/// What to load.
#[derive(Clone, Debug)]
pub struct TrainingSource {
    /// The files to learn from.
    pub training: Vec<PathBuf>,
    /// The files to be tested on; without any, a share of the games.
    pub validation: Vec<PathBuf>,
    /// The share of the games that is only tested on.
    pub validation_share: f64,
    /// What is left out.
    pub filter: Filter,
    /// What the network corrects.
    pub skip: Skip,
    /// Decides which games are tested on.
    pub seed: u64,
    /// How many bytes of memory the samples may take; more of them go into temporary files.
    pub memory: u64,
    /// Where those files are made.
    pub temporary: PathBuf,
}

/// Samples to learn from and to be tested on.
#[derive(Debug, Default)]
pub struct TrainingSet {
    /// To learn from.
    pub training: Shards,
    /// To be tested on.
    pub validation: Vec<TrainingSample>,
    /// Moves of strong players beside their rivals, if there are any.
    pub comparisons: Comparisons,
    /// What was left out.
    pub counts: FilterCounts,
    /// Whether the records came in an order that tells no games apart.
    pub is_shuffled: bool,
}

/// Samples as they are gathered.
struct Gathered<'a> {
    source: &'a TrainingSource,
    training: Gatherer,
    validation: Vec<TrainingSample>,
    counts: FilterCounts,
    is_shuffled: bool,
}

impl<'a> Gathered<'a> {
    fn new(source: &'a TrainingSource) -> Result<Self, DatasetError> {
        let mut expected = 0;
        for path in &source.training {
            let metadata = std::fs::metadata(path).map_err(|error| DatasetError::Read {
                path: path.clone(),
                source: error,
            })?;
            // A chain or a game has about three bytes for each sample.
            let bytes_each = match InputFormat::of(path)? {
                InputFormat::Samples(format) => format.size() as u64,
                InputFormat::Sbinpack | InputFormat::Games(_) => 3,
            };
            expected += metadata.len() / bytes_each;
        }
        let in_memory = Gatherer::samples_in(source.memory);
        let training = Gatherer::new(expected, in_memory, &source.temporary, source.seed);
        Ok(Self {
            source,
            training: training.map_err(|error| spilled(source, error))?,
            validation: Vec::new(),
            counts: FilterCounts::default(),
            is_shuffled: false,
        })
    }

    fn take(&mut self, sample: TrainingSample, is_tested: bool) -> Result<(), DatasetError> {
        if is_tested {
            self.validation.push(sample);
            return Ok(());
        }
        let taken = self.training.take(&sample);
        taken.map_err(|error| spilled(self.source, error))
    }

    fn finish(self) -> Result<TrainingSet, DatasetError> {
        let training = self.training.finish();
        Ok(TrainingSet {
            training: training.map_err(|error| spilled(self.source, error))?,
            validation: self.validation,
            comparisons: Comparisons::default(),
            counts: self.counts,
            is_shuffled: self.is_shuffled,
        })
    }
}

fn spilled(source: &TrainingSource, error: io::Error) -> DatasetError {
    match error.kind() {
        io::ErrorKind::OutOfMemory => DatasetError::Memory,
        _ => DatasetError::Spill {
            folder: source.temporary.clone(),
            source: error,
        },
    }
}

impl TrainingSet {
    /// Loads samples; `progress` is told how many bytes of the files were read.
    ///
    /// # Errors
    /// If a file cannot be read, a record is none, or nothing is left.
    pub fn load(
        source: &TrainingSource,
        mut progress: impl FnMut(u64),
    ) -> Result<Self, DatasetError> {
        let mut set = Gathered::new(source)?;
        let share = match source.validation.as_slice() {
            [] => source.validation_share,
            _ => 0.0,
        };
        for (number, path) in source.training.iter().enumerate() {
            let mut loader = Loader::new(source, path, number, share);
            loader.load(&mut set, &mut progress)?;
        }
        for path in &source.validation {
            let mut loader = Loader::new(source, path, 0, 2.0);
            loader.load(&mut set, &mut progress)?;
        }
        let set = set.finish()?;
        if set.training.is_empty() {
            return Err(DatasetError::Empty("learn from", set.counts));
        }
        if set.validation.is_empty() && (share > 0.0 || !source.validation.is_empty()) {
            return Err(DatasetError::Empty("be tested on", set.counts));
        }
        Ok(set)
    }
}

/// Reads one file.
struct Loader<'a> {
    path: &'a Path,
    filter: Filter,
    skip: SkipEval,
    games: GameSplit,
    record: u64,
}

/// Tells games apart by the numbers of their moves, and which of them are only tested on.
struct GameSplit {
    seed: u64,
    share: f64,
    last_ply: u16,
    game: u64,
    records: u64,
    is_tested: bool,
}

impl GameSplit {
    /// Whether the next record belongs to a game that is only tested on.
    fn is_tested(&mut self, ply: u16) -> bool {
        self.records += 1;
        if ply <= self.last_ply || self.records == 1 {
            self.game += 1;
            let draw = fastrand::Rng::with_seed(self.seed ^ self.game).f64();
            self.is_tested = draw < self.share;
        }
        self.last_ply = ply;
        self.is_tested
    }

    /// Whether the records are in no order: games would be a few moves long.
    fn is_shuffled(&self) -> bool {
        self.records > 1000 && self.records < 8 * self.game
    }
}

impl<'a> Loader<'a> {
    fn new(source: &TrainingSource, path: &'a Path, number: usize, share: f64) -> Self {
        let seed = source.seed.wrapping_add(number as u64);
        Self {
            path,
            filter: source.filter.clone(),
            skip: SkipEval::new(source.skip),
            games: GameSplit {
                seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                share,
                last_ply: 0,
                game: 0,
                records: 0,
                is_tested: false,
            },
            record: 0,
        }
    }

    fn load(
        &mut self,
        set: &mut Gathered,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), DatasetError> {
        let format = InputFormat::of(self.path)?;
        let file = open_input(self.path, u64::MAX).map_err(|source| self.unreadable(source))?;
        match format {
            InputFormat::Samples(SampleFormat::Psv) => self.load_records(file, set, progress)?,
            _ => self.load_samples(format, file, set, progress)?,
        }
        set.is_shuffled |= self.games.is_shuffled() && self.games.share < 1.0;
        Ok(())
    }

    fn unreadable(&self, source: io::Error) -> DatasetError {
        let path = self.path.into();
        DatasetError::Read { path, source }
    }

    fn load_records(
        &mut self,
        file: File,
        set: &mut Gathered,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), DatasetError> {
        let mut reader = file;
        let mut block = Vec::with_capacity(BLOCK);
        loop {
            block.clear();
            let limited = Read::by_ref(&mut reader).take(BLOCK as u64);
            let mut limited = limited;
            limited
                .read_to_end(&mut block)
                .map_err(|source| self.unreadable(source))?;
            if block.is_empty() {
                return Ok(());
            }
            let (records, rest) = block.as_chunks::<RECORD>();
            self.take_block(records, set)?;
            self.record += records.len() as u64;
            progress(block.len() as u64);
            if !rest.is_empty() {
                return Err(DatasetError::Record {
                    path: self.path.into(),
                    record: self.record + 1,
                    problem: SampleProblem::CutOff {
                        found: rest.len(),
                        size: RECORD,
                    },
                });
            }
        }
    }

    /// Checks and filters many records at once.
    fn take_block(
        &mut self,
        records: &[[u8; RECORD]],
        set: &mut Gathered,
    ) -> Result<(), DatasetError> {
        let tested: Vec<bool> = records
            .iter()
            .map(|record| {
                self.games
                    .is_tested(u16::from_le_bytes([record[36], record[37]]))
            })
            .collect();
        const PART: usize = 1024;
        let this = &*self;
        let parts: Vec<_> = records
            .par_chunks(PART)
            .enumerate()
            .map(|(part, records)| {
                let mut counts = FilterCounts::default();
                let mut kept = Vec::with_capacity(records.len());
                for (i, record) in records.iter().enumerate() {
                    let index = part * PART + i;
                    let sample = SampleFormat::Psv.read(record, MoveLayout::Flagged);
                    let sample = sample.map_err(|problem| DatasetError::Record {
                        path: this.path.into(),
                        record: this.record + index as u64 + 1,
                        problem,
                    })?;
                    let packed = *record
                        .first_chunk()
                        .expect("a record begins with a position");
                    if let Some(sample) = this.keep(&sample, packed, &mut counts) {
                        kept.push((sample, tested[index]));
                    }
                }
                Ok((kept, counts))
            })
            .collect::<Result<_, DatasetError>>()?;
        for (kept, counts) in parts {
            set.counts.add(&counts);
            for (sample, is_tested) in kept {
                set.take(sample, is_tested)?;
            }
        }
        Ok(())
    }

    fn load_samples(
        &mut self,
        format: InputFormat,
        file: File,
        set: &mut Gathered,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), DatasetError> {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        for sample in format.samples(file) {
            let sample =
                sample.map_err(|what| DataError::record(self.path, self.record + 1, what))?;
            self.record += 1;
            let is_tested = self.games.is_tested(sample.position.ply() as u16);
            let packed = PackedLayout::PackedSfen.pack(&sample.position);
            let packed = packed.map_err(|problem| DatasetError::Record {
                path: self.path.into(),
                record: self.record,
                problem: problem.into(),
            })?;
            let mut counts = FilterCounts::default();
            if let Some(sample) = self.keep(&sample, packed, &mut counts) {
                set.take(sample, is_tested)?;
            }
            set.counts.add(&counts);
        }
        progress(size);
        Ok(())
    }

    /// What is kept of a sample, if anything.
    fn keep(
        &self,
        sample: &Sample,
        packed: [u8; 32],
        counts: &mut FilterCounts,
    ) -> Option<TrainingSample> {
        let pos = &sample.position;
        counts.read += 1;
        let reason = match self.filter.look_at(sample) {
            Kept::Early => &mut counts.early,
            Kept::Decided => &mut counts.decided,
            Kept::InCheck => &mut counts.in_check,
            Kept::Tactical => &mut counts.tactical,
            Kept::Yes | Kept::Repeated => match sample.result {
                None => &mut counts.no_result,
                Some(result) => {
                    counts.kept += 1;
                    return Some(TrainingSample {
                        packed,
                        score: sample.value.points() as i16,
                        skip: self.skip.value(pos),
                        result: result.for_side(pos.turn()),
                    });
                }
            },
        };
        *reason += 1;
        None
    }
}
