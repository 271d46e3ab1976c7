//! Files by their SHA-256 in a folder: what is too large for a row of a database.
//!
//! The folder may be a shared one or the mount of an object store. A file is written under another name
//! and renamed, so that what has a name is whole; whoever reads it compares the sum.
//!
//! Storage by content is that of Venti (Quinlan and Dorward 2002).

use crate::digest::{is_sha256, sha256_hex};
use std::io;
use std::path::{Path, PathBuf};

/// A folder of files that are named by their SHA-256.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileStore {
    folder: PathBuf,
}

/// Why a file cannot be kept or had.
#[derive(Debug, thiserror::Error)]
pub enum FileStoreError {
    /// The system says no.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is another one than its name says.
    #[error("{}: its SHA-256 is another one", path.display())]
    Corrupt {
        /// Which file.
        path: PathBuf,
    },
    /// It is no SHA-256.
    #[error("{0:?} is no SHA-256")]
    Name(String),
}

impl FileStore {
    /// A store in a folder, which is made when it is needed.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Where a file lies, or would lie.
    pub fn path(&self, sum: &str) -> PathBuf {
        self.folder.join(sum.get(..2).unwrap_or("--")).join(sum)
    }

    /// Keeps a file; its name. One that is there already stays.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<String, FileStoreError> {
        let sum = sha256_hex(bytes);
        let path = self.path(&sum);
        let failed = |source| FileStoreError::File {
            path: path.clone(),
            source,
        };
        let length = std::fs::metadata(&path).map(|found| found.len());
        if length.is_ok_and(|length| length == bytes.len() as u64) {
            return Ok(sum);
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        tesuji_record::file::save(&path, bytes).map_err(failed)?;
        Ok(sum)
    }

    /// A file, compared with its name.
    ///
    /// # Errors
    /// If it is not there, or is another one.
    pub fn get(&self, sum: &str) -> Result<Vec<u8>, FileStoreError> {
        if !is_sha256(sum) {
            return Err(FileStoreError::Name(sum.chars().take(80).collect()));
        }
        let path = self.path(sum);
        let bytes = std::fs::read(&path).map_err(|source| FileStoreError::File {
            path: path.clone(),
            source,
        })?;
        match sha256_hex(&bytes) == sum {
            true => Ok(bytes),
            false => Err(FileStoreError::Corrupt { path }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let files = FileStore::new(folder.path());
        let sum = files.put(b"games").unwrap();
        assert_eq!(files.get(&sum).unwrap(), b"games");
        assert_eq!(files.put(b"games").unwrap(), sum);
        std::fs::write(files.path(&sum), b"gamex").unwrap();
        assert!(matches!(
            files.get(&sum),
            Err(FileStoreError::Corrupt { .. })
        ));
        assert!(files.get("../../etc/passwd").is_err());
        assert!(files.get(&"0".repeat(64)).is_err());
    }
}
