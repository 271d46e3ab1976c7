//! The folder that a training writes into: locked against a second one, and gone if nothing came of it.

use crate::answer::Failure;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file that is locked while a training lasts.
const LOCK: &str = "training.lock";

/// A folder that belongs to this training as long as it is held.
pub(super) struct TrainingFolder {
    path: PathBuf,
    _lock: File,
    /// Whether nothing is lost if it goes: it was made here, and no training has begun in it.
    is_empty: bool,
}

impl TrainingFolder {
    /// Makes the folder if it is not there, and locks it.
    pub(super) fn claim(path: &Path) -> Result<Self, Failure> {
        let failed = write_failure(path);
        let is_empty = !path.exists();
        std::fs::create_dir_all(path).map_err(&failed)?;
        let mut options = OpenOptions::new();
        let lock = options.append(true).create(true).open(path.join(LOCK));
        let lock = lock.map_err(&failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let what = "another training writes into this folder".into();
                let path = path.into();
                return Err(Failure::File { path, what });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let folder = Self {
            path: path.into(),
            _lock: lock,
            is_empty,
        };
        folder.remove_shards().map_err(failed)?;
        Ok(folder)
    }

    /// A training that was killed leaves its temporary files.
    fn remove_shards(&self) -> io::Result<()> {
        for entry in std::fs::read_dir(&self.path)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            if name.is_some_and(|name| name.starts_with("shards-")) && path.is_dir() {
                std::fs::remove_dir_all(&path)?;
            }
        }
        Ok(())
    }

    /// From here on the training may write. If it is to begin anew, what an earlier one left is removed:
    /// only now, when everything that it reads was seen to be sound.
    pub(super) fn begin(&mut self, restart: bool) -> Result<(), Failure> {
        self.is_empty = false;
        let names = ["checkpoint.bin", "log.jsonl"];
        for name in names.into_iter().filter(|_| restart) {
            match std::fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(write_failure(&self.path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Drop for TrainingFolder {
    fn drop(&mut self) {
        if self.is_empty {
            // A folder that somebody has put something into meanwhile stays.
            let _ = std::fs::remove_file(self.path.join(LOCK));
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}

fn write_failure(path: &Path) -> impl Fn(io::Error) -> Failure {
    let path = path.to_path_buf();
    move |source| Failure::Write {
        path: path.clone(),
        source,
    }
}
