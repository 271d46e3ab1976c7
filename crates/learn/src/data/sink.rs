//! Records written as a file that is whole or not there.

use super::record::DataRecord;
use super::source::DataError;
use std::io::Write;
use std::path::{Path, PathBuf};
use tesuji_record::file::NewFile;
use tesuji_record::samples::SampleFormat;
use tesuji_record::sbinpack::ChainWriter;

/// A format that samples are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// PackedSfenValue.
    Psv,
    /// HuffmanCodedPosAndEval.
    Hcpe,
    /// Chains of samples.
    Sbinpack,
}

impl OutputFormat {
    /// The format that an extension means.
    ///
    /// # Errors
    /// If it means none that we write.
    pub fn of(path: &Path) -> Result<Self, DataError> {
        match path.extension().and_then(|text| text.to_str()) {
            Some("psv") => Ok(Self::Psv),
            Some("hcpe") => Ok(Self::Hcpe),
            Some("sbinpack") => Ok(Self::Sbinpack),
            _ => Err(DataError::OutputFormat(path.into())),
        }
    }
}

/// Writes records; the file takes its name when it is finished.
pub struct DataWriter {
    path: PathBuf,
    written: u64,
    out: DataOutput,
}

enum DataOutput {
    Psv(NewFile),
    Hcpe(NewFile),
    Sbinpack(Box<ChainWriter<NewFile>>),
}

impl DataWriter {
    /// Opens a file; its extension tells the format.
    ///
    /// # Errors
    /// If it cannot be made or its format is unknown.
    pub fn create(path: &Path) -> Result<Self, DataError> {
        let format = OutputFormat::of(path)?;
        let file = NewFile::create(path).map_err(DataError::file(path))?;
        Ok(Self {
            path: path.into(),
            written: 0,
            out: match format {
                OutputFormat::Psv => DataOutput::Psv(file),
                OutputFormat::Hcpe => DataOutput::Hcpe(file),
                OutputFormat::Sbinpack => DataOutput::Sbinpack(Box::new(ChainWriter::new(file))),
            },
        })
    }

    /// How many records were written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Writes a record.
    ///
    /// # Errors
    /// If the disk is full, or the record does not fit into the format.
    pub fn write(&mut self, record: &DataRecord) -> Result<(), DataError> {
        self.written += 1;
        let number = self.written;
        let path = &self.path;
        let wrong = |what: String| DataError::record(path, number, what);
        match &mut self.out {
            DataOutput::Psv(file) => file.write_all(&record.0).map_err(DataError::file(path)),
            DataOutput::Hcpe(file) => {
                let sample = record.unpack().map_err(|error| wrong(error.to_string()))?;
                let bytes = SampleFormat::Hcpe.write(&sample);
                let bytes = bytes.map_err(|error| wrong(error.to_string()))?;
                file.write_all(&bytes).map_err(DataError::file(path))
            }
            DataOutput::Sbinpack(writer) => {
                let sample = record.unpack().map_err(|error| wrong(error.to_string()))?;
                let written = writer.write(&sample);
                written.map_err(|error| wrong(error.problem.to_string()))
            }
        }
    }

    /// Gives the file its name; how many records it has.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn finish(self) -> Result<u64, DataError> {
        let kept = match self.out {
            DataOutput::Psv(file) | DataOutput::Hcpe(file) => file.keep(),
            DataOutput::Sbinpack(writer) => writer.finish().and_then(NewFile::keep),
        };
        kept.map_err(DataError::file(&self.path))?;
        Ok(self.written)
    }
}
