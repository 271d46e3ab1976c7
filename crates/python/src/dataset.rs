//! Files of training data, read in batches, in order or shuffled.
//!
//! Files of records with one size (PSV, HCPE, HCP) are mapped and read in any order. The others
//! (HCPE3, pack, sbinpack) are read from front to back and become PSV records; a buffer shuffles
//! them.

use crate::batch::{BadRecord, Batch, format_of, pool_of};
use crate::errors;
use fastrand::Rng;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_kernels::{MappedFile, open_input};
use tesuji_record::samples::{Sample, SampleFormat, SampleProblem};
use tesuji_record::sbinpack::{ChainError, Chains};
use tesuji_record::trace::TraceFormat;

/// A format by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatasetFormat {
    Records(SampleFormat),
    Games(TraceFormat),
    Sbinpack,
}

impl DatasetFormat {
    pub(crate) fn of(path: &Path, name: Option<&str>) -> PyResult<Self> {
        let extension = path
            .extension()
            .and_then(|text| text.to_str())
            .unwrap_or_default();
        match name.unwrap_or(extension) {
            "hcpe3" => Ok(Self::Games(TraceFormat::Hcpe3)),
            "pack" => Ok(Self::Games(TraceFormat::Pack)),
            "sbinpack" => Ok(Self::Sbinpack),
            "bin" => Ok(Self::Records(SampleFormat::Psv)),
            other => format_of(other).map(Self::Records).map_err(|_| {
                PyValueError::new_err(format!(
                    "{other:?} is no format of training data: expected psv (or bin), hcpe, hcp, \
                     hcpe3, pack or sbinpack"
                ))
            }),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Records(format) => format.name(),
            Self::Games(format) => format.name(),
            Self::Sbinpack => "sbinpack",
        }
    }
}

/// A file of training data.
#[pyclass(frozen, module = "tesuji.data")]
pub(crate) struct Dataset {
    path: PathBuf,
    format: DatasetFormat,
    /// Only files of records with one size are mapped.
    mapped: Option<Arc<MappedFile>>,
}

#[pymethods]
impl Dataset {
    #[new]
    #[pyo3(signature = (path, format=None))]
    fn new(py: Python<'_>, path: PathBuf, format: Option<&str>) -> PyResult<Self> {
        let format = DatasetFormat::of(&path, format)?;
        let mut mapped = None;
        if let DatasetFormat::Records(records) = format {
            let opened = py.detach(|| MappedFile::open(&path));
            let file = opened.map_err(|error| errors::file(&path, error))?;
            let (found, size) = (file.bytes().len() % records.size(), records.size());
            if found != 0 {
                return Err(errors::data(
                    py,
                    None,
                    &SampleProblem::CutOff { found, size },
                ));
            }
            mapped = Some(Arc::new(file));
        } else {
            let opened = py.detach(|| open_input(&path, u64::MAX));
            opened.map_err(|error| errors::file(&path, error))?;
        }
        Ok(Self {
            path,
            format,
            mapped,
        })
    }

    /// The name of the format.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    fn __len__(&self) -> PyResult<usize> {
        match (self.format, &self.mapped) {
            (DatasetFormat::Records(format), Some(file)) => Ok(file.bytes().len() / format.size()),
            _ => Err(PyTypeError::new_err(format!(
                "a file of {} does not tell how many positions it has",
                self.format.name()
            ))),
        }
    }

    /// The records `start` to `stop` as one batch, without shuffling; not for formats of games.
    #[pyo3(signature = (start=0, stop=None, threads=1))]
    fn read(
        &self,
        py: Python<'_>,
        start: usize,
        stop: Option<usize>,
        threads: usize,
    ) -> PyResult<Batch> {
        let len = self.__len__()?;
        let stop = stop.unwrap_or(len).min(len);
        let (DatasetFormat::Records(format), Some(file)) = (self.format, &self.mapped) else {
            return Err(PyTypeError::new_err(
                "only files of records can be read by number",
            ));
        };
        let size = format.size();
        let records = start.min(stop) * size..stop * size;
        Ok(Batch {
            format,
            bytes: py.detach(|| file.bytes()[records].to_vec()),
            pool: pool_of(py, threads)?,
        })
    }

    /// Batches of `size` records, once through the file.
    #[pyo3(signature = (size, *, shuffle=false, seed=None, threads=1, drop_last=false, buffer=1 << 20, shard=(0, 1)))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn batches(
        &self,
        py: Python<'_>,
        size: usize,
        shuffle: bool,
        seed: Option<u64>,
        threads: usize,
        drop_last: bool,
        buffer: usize,
        shard: (usize, usize),
    ) -> PyResult<Batches> {
        if size == 0 || shard.0 >= shard.1 {
            return Err(PyValueError::new_err(
                "batches need a size, and a shard (i, n) with i < n",
            ));
        }
        let mut rng = seed.map_or_else(Rng::new, Rng::with_seed);
        let records = match (self.format, &self.mapped) {
            (DatasetFormat::Records(format), Some(file)) => {
                let count = file.bytes().len() / format.size();
                Records::Mapped {
                    file: Arc::clone(file),
                    format,
                    order: shuffle.then(|| Permutation::new(count as u64, rng.u64(..))),
                    count,
                    at: shard.0,
                    step: shard.1,
                }
            }
            _ => {
                let samples = py.detach(|| open_stream(&self.path, self.format))?;
                let mine = samples
                    .enumerate()
                    .filter(move |(nth, _)| nth % shard.1 == shard.0);
                Records::Stream {
                    samples: Box::new(mine.map(|(_, sample)| sample)),
                    buffer: Vec::new(),
                    room: if shuffle { buffer.max(1) } else { 0 },
                    rng,
                }
            }
        };
        Ok(Batches {
            records: Mutex::new(records),
            size,
            drop_last,
            pool: pool_of(py, threads)?,
        })
    }

    fn __repr__(&self) -> String {
        format!("<Dataset {} ({})>", self.path.display(), self.format.name())
    }
}

/// A sample as PSV, or what is wrong.
type StreamedRecord = Result<[u8; 40], BadRecord>;

fn open_stream(
    path: &Path,
    format: DatasetFormat,
) -> PyResult<Box<dyn Iterator<Item = StreamedRecord> + Send>> {
    let file = open_input(path, u64::MAX).map_err(|error| errors::file(path, error))?;
    let reader = BufReader::with_capacity(1 << 20, file);
    Ok(match format {
        DatasetFormat::Games(format) => {
            let games = format.traces(reader);
            Box::new(games.flat_map(|game| match game {
                Ok(game) => game.samples().iter().map(to_psv).collect(),
                Err(error) => vec![Err((error.record as usize, error.problem))],
            }))
        }
        _ => Box::new(Chains::new(reader).map(|sample| match sample {
            Ok(sample) => to_psv(&sample),
            Err(ChainError::Sample(error)) => Err((error.record as usize, error.problem)),
            Err(error) => {
                let problem =
                    std::io::Error::new(std::io::ErrorKind::InvalidData, error.to_string());
                Err((0, problem.into()))
            }
        })),
    })
}

fn to_psv(sample: &Sample) -> StreamedRecord {
    let bytes = SampleFormat::Psv
        .write(sample)
        .map_err(|problem| (0, problem))?;
    Ok(bytes.try_into().expect("a PSV record has 40 bytes"))
}

/// Where batches come from.
enum Records {
    Mapped {
        file: Arc<MappedFile>,
        format: SampleFormat,
        order: Option<Permutation>,
        count: usize,
        at: usize,
        step: usize,
    },
    Stream {
        samples: Box<dyn Iterator<Item = StreamedRecord> + Send>,
        buffer: Vec<[u8; 40]>,
        /// How many records wait in the buffer; 0 if nothing is shuffled.
        room: usize,
        rng: Rng,
    },
}

impl Records {
    fn take(&mut self, size: usize) -> Result<Vec<u8>, BadRecord> {
        let mut bytes = Vec::new();
        match self {
            Self::Mapped {
                file,
                format,
                order,
                count,
                at,
                step,
            } => {
                let width = format.size();
                let left = count.saturating_sub(*at).div_ceil(*step).min(size);
                bytes.reserve(left * width);
                for _ in 0..left {
                    let place = order
                        .as_ref()
                        .map_or(*at, |order| order.at(*at as u64) as usize);
                    bytes.extend_from_slice(&file.bytes()[place * width..(place + 1) * width]);
                    *at += *step;
                }
            }
            Self::Stream {
                samples,
                buffer,
                room,
                rng,
            } => {
                while bytes.len() < size * 40 {
                    let next = samples.next().transpose()?;
                    match next {
                        Some(record) if buffer.len() < *room => buffer.push(record),
                        Some(record) if *room > 0 => {
                            let place = rng.usize(..buffer.len());
                            let out = std::mem::replace(&mut buffer[place], record);
                            bytes.extend_from_slice(&out);
                        }
                        Some(record) => bytes.extend_from_slice(&record),
                        None if buffer.is_empty() => break,
                        None => {
                            let out = buffer.swap_remove(rng.usize(..buffer.len()));
                            bytes.extend_from_slice(&out);
                        }
                    }
                }
            }
        }
        Ok(bytes)
    }

    const fn format(&self) -> SampleFormat {
        match self {
            Self::Mapped { format, .. } => *format,
            Self::Stream { .. } => SampleFormat::Psv,
        }
    }
}

/// Goes through a file batch by batch.
#[pyclass(frozen, module = "tesuji.data")]
pub(crate) struct Batches {
    records: Mutex<Records>,
    size: usize,
    drop_last: bool,
    pool: Option<Arc<ThreadPool>>,
}

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let taken = py.detach(|| {
            let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
            records
                .take(self.size)
                .map(|bytes| (bytes, records.format()))
        });
        let (bytes, format) = taken.map_err(|(record, problem)| {
            errors::data(py, (record > 0).then_some(record), &problem)
        })?;
        let batch = Batch {
            format,
            bytes,
            pool: self.pool.clone(),
        };
        let is_whole = batch.count() == self.size;
        Ok((is_whole || batch.count() > 0 && !self.drop_last).then_some(batch))
    }
}

/// A random order of numbers that needs no memory: four rounds of a Feistel network (Luby and
/// Rackoff 1988) over the next even number of bits, walked until the number is in range.
struct Permutation {
    count: u64,
    half: u32,
    keys: [u64; 4],
}

impl Permutation {
    fn new(count: u64, seed: u64) -> Self {
        let bits = 64 - count.max(2).leading_zeros();
        let mut rng = Rng::with_seed(seed);
        Self {
            count,
            half: bits.div_ceil(2),
            keys: std::array::from_fn(|_| rng.u64(..)),
        }
    }

    fn at(&self, place: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let mut number = place;
        loop {
            let (mut left, mut right) = (number >> self.half, number & mask);
            for key in self.keys {
                let mixed = (right ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (left, right) = (right, left ^ (mixed ^ mixed >> 29) >> 16 & mask);
            }
            number = left << self.half | right;
            if number < self.count {
                return number;
            }
        }
    }
}
