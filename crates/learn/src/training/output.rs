//! The files of a training: whole or not there, and named in what is said when they cannot be written.

use std::io;
use std::path::{Path, PathBuf};
use tesuji_record::file;

/// A file of the output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot write it: {source}", path.display())]
pub struct TrainingFileError {
    /// Which.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

impl TrainingFileError {
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |source| Self { path, source }
    }
}

/// Writes a file of a folder.
pub(crate) fn save(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), TrainingFileError> {
    let path = folder.join(name);
    file::save(&path, bytes).map_err(TrainingFileError::at(&path))
}
