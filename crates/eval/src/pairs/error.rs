//! Why a pair table cannot be used.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file, or a folder of files, is no pair table.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    /// It cannot be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not as long as such a table is.
    #[error("{} has {found} bytes, expected {}", path.display(), Choice(expected))]
    Size {
        /// Which file.
        path: PathBuf,
        /// How long it is.
        found: u64,
        /// How long it may be.
        expected: Vec<u64>,
    },
    /// It does not begin as such a table does.
    #[error("{} begins with {found:?}, expected {expected:?}", path.display())]
    FileHeader {
        /// Which file.
        path: PathBuf,
        /// How it begins.
        found: Vec<u8>,
        /// How it should begin.
        expected: Vec<u8>,
    },
}

impl PairError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }
}

/// Numbers to choose from, as in "1 or 2".
struct Choice<'a>(&'a [u64]);

impl fmt::Display for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, number) in self.0.iter().enumerate() {
            let join = if i == 0 { "" } else { " or " };
            write!(f, "{join}{number}")?;
        }
        Ok(())
    }
}
