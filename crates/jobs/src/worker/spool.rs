//! Results on disk, from the moment they are found until the store has them.

use crate::digest::sha256_hex;
use crate::spec::JobKind;
use crate::store::{Claimed, JobReport};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A result that waits to be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpooledResult {
    /// Of which job.
    pub job: i64,
    /// Of which kind.
    pub kind: JobKind,
    /// What shows that it is ours.
    pub lease: String,
    /// The SHA-256 of the payload when it was made.
    pub sum: String,
    /// What is told.
    pub report: JobReport,
    /// The file beside it.
    pub file: Option<Vec<u8>>,
}

impl SpooledResult {
    /// The result of a job.
    pub fn new(job: &Claimed, report: JobReport, file: Option<Vec<u8>>) -> Self {
        Self {
            job: job.job,
            kind: job.kind,
            lease: job.lease.clone(),
            sum: sha256_hex(&report.payload),
            report,
            file,
        }
    }
}

/// The first line of a spooled result; payload and file follow.
#[derive(Serialize, Deserialize)]
struct SpoolLine {
    job: i64,
    kind: JobKind,
    lease: String,
    sum: String,
    digest: String,
    file: Option<String>,
    games: i64,
    positions: i64,
    nodes: i64,
    points: Option<i64>,
    millis: i64,
    payload_bytes: usize,
    file_bytes: Option<usize>,
}

/// Why results cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// The system says no.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another worker of the same name uses it.
    #[error("{}: another worker of this name is running: give each a --name", path.display())]
    InUse {
        /// Which folder.
        path: PathBuf,
    },
}

/// The folder of a worker's results. It is locked as long as it is open.
#[derive(Debug)]
pub struct Spool {
    folder: PathBuf,
    _lock: File,
}

/// How much room there must be for a result, at least.
const PROBE: usize = 64 << 10;

impl Spool {
    /// Opens the folder of a worker.
    ///
    /// # Errors
    /// If it cannot be used, or another worker of the same name uses it.
    pub fn open(folder: &Path, name: &str) -> Result<Self, SpoolError> {
        let plain = |c: char| {
            if c.is_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        };
        let folder = folder.join(name.chars().map(plain).collect::<String>());
        std::fs::create_dir_all(&folder).map_err(at(&folder))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(at(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                folder,
                _lock: lock,
            }),
            Err(_) => Err(SpoolError::InUse { path: folder }),
        }
    }

    fn path(&self, lease: &str) -> PathBuf {
        self.folder.join(format!("{lease}.result"))
    }

    /// Looks whether there is room for a result.
    ///
    /// # Errors
    /// If there is none.
    pub fn probe(&self) -> Result<(), SpoolError> {
        let path = self.folder.join("probe");
        let written = std::fs::write(&path, vec![0; PROBE]);
        let _ = std::fs::remove_file(&path);
        written.map_err(at(&path))
    }

    /// Keeps a result, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, result: &SpooledResult) -> Result<(), SpoolError> {
        let report = &result.report;
        let line = SpoolLine {
            job: result.job,
            kind: result.kind,
            lease: result.lease.clone(),
            sum: result.sum.clone(),
            digest: report.digest.clone(),
            file: report.file.clone(),
            games: report.games,
            positions: report.positions,
            nodes: report.nodes,
            points: report.points,
            millis: report.millis,
            payload_bytes: report.payload.len(),
            file_bytes: result.file.as_ref().map(Vec::len),
        };
        let mut bytes = crate::spec::json(&line).into_bytes();
        bytes.push(b'\n');
        bytes.extend_from_slice(&report.payload);
        bytes.extend_from_slice(result.file.as_deref().unwrap_or_default());
        let path = self.path(&result.lease);
        tesuji_record::file::save(&path, &bytes).map_err(at(&path))
    }

    /// Forgets a result that was told.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(&self, result: &SpooledResult) -> Result<(), SpoolError> {
        let path = self.path(&result.lease);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(&path)(error)),
            _ => Ok(()),
        }
    }

    /// Results of an earlier life. What is none of ours stays where it is.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn waiting(&self) -> Result<Vec<SpooledResult>, SpoolError> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(at(&self.folder))? {
            let path = entry.map_err(at(&self.folder))?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "result")
            {
                let bytes = std::fs::read(&path).map_err(at(&path))?;
                found.extend(parse(&bytes));
            }
        }
        Ok(found)
    }
}

fn parse(bytes: &[u8]) -> Option<SpooledResult> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let line: SpoolLine = serde_json::from_slice(&bytes[..end]).ok()?;
    let rest = &bytes[end + 1..];
    let payload = rest.get(..line.payload_bytes)?;
    let file = &rest[line.payload_bytes..];
    if file.len() != line.file_bytes.unwrap_or(0) {
        return None;
    }
    Some(SpooledResult {
        job: line.job,
        kind: line.kind,
        lease: line.lease,
        sum: line.sum,
        report: JobReport {
            digest: line.digest,
            payload: payload.to_vec(),
            file: line.file,
            games: line.games,
            positions: line.positions,
            nodes: line.nodes,
            points: line.points,
            millis: line.millis,
        },
        file: line.file_bytes.map(|_| file.to_vec()),
    })
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> SpoolError + '_ {
    |source| SpoolError::File {
        path: path.into(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_found_again_and_a_name_belongs_to_one_worker() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::open(folder.path(), "anna's pc").unwrap();
        assert!(matches!(
            Spool::open(folder.path(), "anna's pc"),
            Err(SpoolError::InUse { .. })
        ));
        let job = Claimed {
            job: 7,
            campaign: 1,
            kind: JobKind::Selfplay,
            lease: "abc".into(),
            seconds: 60,
            spec: String::new(),
        };
        let report = JobReport {
            digest: "d".into(),
            payload: b"payload\nwith lines".to_vec(),
            points: Some(3),
            ..JobReport::default()
        };
        let result = SpooledResult::new(&job, report, Some(b"file\0".to_vec()));
        spool.keep(&result).unwrap();
        spool.probe().unwrap();
        assert_eq!(spool.waiting().unwrap(), std::slice::from_ref(&result));
        drop(spool);
        let spool = Spool::open(folder.path(), "anna's pc").unwrap();
        assert_eq!(spool.waiting().unwrap(), std::slice::from_ref(&result));
        spool.remove(&result).unwrap();
        spool.remove(&result).unwrap();
        assert!(spool.waiting().unwrap().is_empty());
    }

    #[test]
    fn no_bytes_are_taken_for_a_result_by_mistake() {
        for bytes in [&b""[..], b"{}\n", b"no line", b"{\"job\":1}\nrest"] {
            assert_eq!(parse(bytes), None);
        }
    }
}
