//! Samples of every format we read, one after the other, as records.

use super::record::DataRecord;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use tesuji_kernels::open_input;
use tesuji_record::samples::{Sample, SampleFormat, SampleProblem};
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
    #[error("{}: cannot tell its format: the name must end in psv, hcpe, sbinpack, hcpe3 or pack", .0.display())]
    Format(PathBuf),
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

    pub(super) fn record(path: &Path, record: u64, what: impl ToString) -> Self {
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
            "psv" => Self::Samples(SampleFormat::Psv),
            "hcpe" => Self::Samples(SampleFormat::Hcpe),
            "sbinpack" => Self::Sbinpack,
            "hcpe3" => Self::Games(TraceFormat::Hcpe3),
            "pack" => Self::Games(TraceFormat::Pack),
            _ => return Err(DataError::Format(path.into())),
        })
    }
}

/// The records of a file.
pub struct DataReader {
    path: PathBuf,
    record: u64,
    records: SampleSource,
}

type DecodedSamples = Box<dyn Iterator<Item = Result<Sample, String>> + Send>;

enum SampleSource {
    /// Records that need no unpacking.
    Raw(BufReader<File>),
    Decoded(DecodedSamples),
}

impl DataReader {
    /// Opens a file; its extension tells the format.
    ///
    /// # Errors
    /// If it cannot be opened or its format is unknown.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let format = InputFormat::of(path)?;
        let file = open_input(path, u64::MAX).map_err(DataError::file(path))?;
        let reader = BufReader::with_capacity(1 << 20, file);
        let text = |error: &dyn std::error::Error| error.to_string();
        let records = match format {
            InputFormat::Samples(SampleFormat::Psv) => SampleSource::Raw(reader),
            InputFormat::Samples(format) => SampleSource::Decoded(Box::new(
                format.samples(reader).map(move |s| s.map_err(|e| text(&e))),
            )),
            InputFormat::Sbinpack => SampleSource::Decoded(Box::new(
                Chains::new(reader).map(move |s| s.map_err(|e| text(&e))),
            )),
            InputFormat::Games(format) => SampleSource::Decoded(games(format, reader)),
        };
        Ok(Self {
            path: path.into(),
            record: 0,
            records,
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

    fn next_record(&mut self) -> Result<Option<DataRecord>, DataError> {
        match &mut self.records {
            SampleSource::Raw(reader) => {
                let record = read_raw(reader).map_err(DataError::file(&self.path))?;
                record.map_err(|found| {
                    let size = DataRecord::SIZE;
                    DataError::record(
                        &self.path,
                        self.record,
                        SampleProblem::CutOff { found, size },
                    )
                })
            }
            SampleSource::Decoded(samples) => match samples.next() {
                None => Ok(None),
                Some(sample) => sample
                    .and_then(|s| DataRecord::pack(&s).map_err(|error| error.to_string()))
                    .map(Some)
                    .map_err(|what| DataError::record(&self.path, self.record, what)),
            },
        }
    }
}

/// The next record, nothing at the end, or how many bytes too few there are.
fn read_raw(reader: &mut impl Read) -> io::Result<Result<Option<DataRecord>, usize>> {
    let (mut bytes, mut found) = ([0; DataRecord::SIZE], 0);
    while found < bytes.len() {
        match reader.read(&mut bytes[found..]) {
            Ok(0) => break,
            Ok(count) => found += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(match found {
        0 => Ok(None),
        DataRecord::SIZE => Ok(Some(DataRecord(bytes))),
        _ => Err(found),
    })
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
        self.next_record().transpose()
    }
}
