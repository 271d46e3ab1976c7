//! Samples of every format we read, one after the other, as records.

use super::checked::CheckedRecords;
use super::record::DataRecord;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use tesuji_kernels::open_input;
use tesuji_record::samples::{Sample, SampleFormat};
use tesuji_record::sbinpack::Chains;
use tesuji_record::trace::{TraceFormat, Traces};

/// A format that samples are read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputFormat {
    /// Single records: PSV or HCPE.
    Samples(SampleFormat),
    /// Chains of samples.
    Sbinpack,
    /// Whole games: HCPE3 or pack.
    Games(TraceFormat),
}

/// Why data cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A record is not what it should be.
    #[error("{}: record {record}: {what}", path.display())]
    Record {
        /// Which file.
        path: PathBuf,
        /// Which one, from 1.
        record: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The extension says nothing.
    #[error(
        "{}: cannot tell its format: the name must end in psv (or bin, read as psv), hcpe, sbinpack, \
         hcpe3 or pack",
        .0.display()
    )]
    Format(PathBuf),
    /// The extension means no format that is written.
    #[error("{}: the name must end in psv, hcpe or sbinpack: these are written", .0.display())]
    OutputFormat(PathBuf),
    /// Two files are to be written under one name.
    #[error("{}: both parts cannot have this name", .0.display())]
    SameOutput(PathBuf),
    /// An unfinished output was made with other settings.
    #[error("{}: was begun with other settings ({found}): remove it, or use those", path.display())]
    Settings {
        /// Which file.
        path: PathBuf,
        /// What the settings were.
        found: String,
    },
    /// A search cannot be set up.
    #[error("no room for a search: {0}")]
    Search(io::Error),
}

impl DataError {
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::File {
            path: path.into(),
            source,
        }
    }

    pub(crate) fn record(path: &Path, record: u64, what: impl ToString) -> Self {
        Self::Record {
            path: path.into(),
            record,
            what: what.to_string(),
        }
    }
}

impl InputFormat {
    /// The format that an extension means.
    ///
    /// # Errors
    /// If it means none.
    pub fn of(path: &Path) -> Result<Self, DataError> {
        let extension = path.extension().and_then(|text| text.to_str());
        Ok(match extension.unwrap_or_default() {
            "psv" | "bin" => Self::Samples(SampleFormat::Psv),
            "hcpe" => Self::Samples(SampleFormat::Hcpe),
            "sbinpack" => Self::Sbinpack,
            "hcpe3" => Self::Games(TraceFormat::Hcpe3),
            "pack" => Self::Games(TraceFormat::Pack),
            _ => return Err(DataError::Format(path.into())),
        })
    }
}

/// The records of a file: each is a position, its move legal there and its result one that exists.
pub struct DataReader {
    path: PathBuf,
    record: u64,
    records: SampleSource,
}

/// Samples one after the other, or what is wrong.
pub(crate) type DecodedSamples = Box<dyn Iterator<Item = Result<Sample, String>> + Send>;

enum SampleSource {
    /// Records that are kept as they are.
    Checked(CheckedRecords),
    Decoded(DecodedSamples),
}

impl InputFormat {
    /// The samples of a file.
    pub(crate) fn samples(self, file: File) -> DecodedSamples {
        let reader = BufReader::with_capacity(1 << 20, file);
        match self {
            Self::Samples(format) => Box::new(
                format
                    .samples(reader)
                    .map(|sample| sample.map_err(|error| error.problem.to_string())),
            ),
            Self::Sbinpack => Box::new(
                Chains::new(reader).map(|sample| sample.map_err(|error| error.to_string())),
            ),
            Self::Games(format) => games(format, reader),
        }
    }
}

impl DataReader {
    /// Opens a file; its extension tells the format.
    ///
    /// # Errors
    /// If it cannot be opened or its format is unknown.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let format = InputFormat::of(path)?;
        let file = open_input(path, u64::MAX).map_err(DataError::file(path))?;
        Ok(Self {
            path: path.into(),
            record: 0,
            records: match format {
                InputFormat::Samples(SampleFormat::Psv) => {
                    SampleSource::Checked(CheckedRecords::new(file))
                }
                format => SampleSource::Decoded(format.samples(file)),
            },
        })
    }

    /// How many records a file has, where that can be told without reading it.
    pub fn count(path: &Path) -> Option<u64> {
        let format = InputFormat::of(path).ok()?;
        let bytes = std::fs::metadata(path).ok()?.len();
        match format {
            InputFormat::Samples(format) => Some(bytes / format.size() as u64),
            _ => None,
        }
    }

    fn next_record(&mut self) -> Option<Result<DataRecord, String>> {
        match &mut self.records {
            SampleSource::Checked(records) => {
                let record = records.next()?;
                Some(record.map_err(|problem| problem.to_string()))
            }
            SampleSource::Decoded(samples) => {
                let sample = samples.next()?;
                Some(sample.and_then(|sample| {
                    DataRecord::pack(&sample).map_err(|error| error.to_string())
                }))
            }
        }
    }
}

/// The samples of whole games.
fn games(format: TraceFormat, reader: BufReader<File>) -> DecodedSamples {
    let traces: Traces<_> = format.traces(reader);
    Box::new(traces.flat_map(|trace| match trace {
        Ok(trace) => trace.samples().into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error.to_string())],
    }))
}

impl Iterator for DataReader {
    type Item = Result<DataRecord, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.record += 1;
        let record = self.next_record()?;
        Some(record.map_err(|what| DataError::record(&self.path, self.record, what)))
    }
}
