//! Writes what the server keeps, in a thread of its own: records, the list of results, ratings.
//!
//! A disk that is full or a folder that is gone stops no game. What cannot be written is kept in
//! memory, the newest state of each file, and tried again until it can.

use super::ServerEvent;
use super::results::ResultLine;
use crate::archive::Archive;
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tesuji_record::{Game, file};

/// How long to wait before something is tried again, at first and at most.
const RETRY: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];

/// How many records wait at most for a disk that takes nothing.
const MOST_RECORDS: usize = 10_000;

/// How many lines of results.
const MOST_RESULTS: usize = 1_000_000;

/// Who is told what happens.
pub(super) type EventObserver = Box<dyn FnMut(&ServerEvent) + Send>;

/// What waits to be written.
#[derive(Debug, Default)]
struct Unwritten {
    records: BTreeMap<PathBuf, Box<Game>>,
    results: Vec<String>,
    ratings: Option<String>,
    is_over: bool,
}

impl Unwritten {
    fn is_empty(&self) -> bool {
        self.records.is_empty() && self.results.is_empty() && self.ratings.is_none()
    }
}

/// Where everything goes.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerFiles {
    pub(super) archive: Option<Archive>,
    pub(super) results: Option<PathBuf>,
    pub(super) ratings: Option<PathBuf>,
}

struct WriterState {
    unwritten: Mutex<Unwritten>,
    changed: Condvar,
    observer: Arc<Mutex<EventObserver>>,
}

impl WriterState {
    fn lock(&self) -> MutexGuard<'_, Unwritten> {
        // A map of files is whole whatever happened to whoever held it.
        self.unwritten
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread that writes, and what it is to write.
pub(super) struct RecordWriter {
    shared: Arc<WriterState>,
    thread: JoinHandle<io::Result<()>>,
}

impl RecordWriter {
    pub(super) fn start(
        files: ServerFiles,
        observer: Arc<Mutex<EventObserver>>,
    ) -> io::Result<Self> {
        let shared = Arc::new(WriterState {
            unwritten: Mutex::default(),
            changed: Condvar::new(),
            observer,
        });
        let (of_thread, mut pause) = (Arc::clone(&shared), RETRY[0]);
        let thread = std::thread::Builder::new()
            .name("record writer".into())
            .spawn(move || {
                let mut last_error: Option<String> = None;
                loop {
                    let (work, is_over) = wait(&of_thread);
                    let (rest, error) = write(&files, work);
                    put_back(&of_thread, rest);
                    report(&of_thread, &mut last_error, error.as_ref());
                    match error {
                        Some(error) if is_over => return Err(error),
                        None if is_over => return Ok(()),
                        None => pause = RETRY[0],
                        Some(_) => {
                            rest_before_retry(&of_thread, pause);
                            pause = (pause * 2).min(RETRY[1]);
                        }
                    }
                }
            })?;
        Ok(Self { shared, thread })
    }

    /// The newest state of a record.
    pub(super) fn record(&self, path: &Path, game: Box<Game>) {
        let mut unwritten = self.shared.lock();
        if unwritten.records.len() < MOST_RECORDS || unwritten.records.contains_key(path) {
            unwritten.records.insert(path.into(), game);
            self.shared.changed.notify_one();
        }
    }

    /// One more result.
    pub(super) fn result(&self, result: &ResultLine) {
        let mut unwritten = self.shared.lock();
        if unwritten.results.len() < MOST_RESULTS {
            unwritten.results.push(result.to_string());
            self.shared.changed.notify_one();
        }
    }

    /// The newest ratings.
    pub(super) fn ratings(&self, text: String) {
        self.shared.lock().ratings = Some(text);
        self.shared.changed.notify_one();
    }

    /// Writes what is left; an error if it cannot be written even now.
    pub(super) fn finish(self) -> io::Result<()> {
        self.shared.lock().is_over = true;
        self.shared.changed.notify_one();
        let panicked = |_| Err(io::Error::other("the thread that writes records panicked"));
        self.thread.join().unwrap_or_else(panicked)
    }
}

/// Waits for something to write.
fn wait(shared: &WriterState) -> (Unwritten, bool) {
    let is_idle = |unwritten: &mut Unwritten| unwritten.is_empty() && !unwritten.is_over;
    let unwritten = shared.changed.wait_while(shared.lock(), is_idle);
    let mut unwritten = unwritten.unwrap_or_else(PoisonError::into_inner);
    let is_over = unwritten.is_over;
    let work = std::mem::take(&mut *unwritten);
    unwritten.is_over = is_over;
    (work, is_over)
}

/// Waits a while, or until the server ends.
fn rest_before_retry(shared: &WriterState, pause: Duration) {
    let goes_on = |unwritten: &mut Unwritten| !unwritten.is_over;
    drop(
        shared
            .changed
            .wait_timeout_while(shared.lock(), pause, goes_on),
    );
}

/// Writes what can be written; returns the rest, and what was wrong.
fn write(files: &ServerFiles, mut work: Unwritten) -> (Unwritten, Option<io::Error>) {
    let mut wrong = None;
    let named = |path: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    };
    if let Some(archive) = &files.archive {
        work.records.retain(|path, game| {
            let save = AssertUnwindSafe(|| archive.save(path, game));
            // A game that cannot be put into words keeps no other one from being written.
            let panicked = |_| Err(io::Error::other("writing it panicked"));
            let written = catch_unwind(save).unwrap_or_else(panicked);
            let is_kept = written.is_err();
            if let Err(error) = written {
                wrong = Some(named(path, error));
            }
            is_kept
        });
    } else {
        work.records.clear();
    }
    match &files.results {
        Some(path) if !work.results.is_empty() => match append(path, &work.results) {
            Ok(()) => work.results.clear(),
            Err(error) => wrong = Some(named(path, error)),
        },
        _ => work.results.clear(),
    }
    if let (Some(path), Some(text)) = (&files.ratings, &work.ratings) {
        match file::save(path, text.as_bytes()) {
            Ok(()) => work.ratings = None,
            Err(error) => wrong = Some(named(path, error)),
        }
    } else {
        work.ratings = None;
    }
    (work, wrong)
}

/// What could not be written waits again, unless there is something newer.
fn put_back(shared: &WriterState, rest: Unwritten) {
    let mut unwritten = shared.lock();
    for (path, game) in rest.records {
        unwritten.records.entry(path).or_insert(game);
    }
    let newer = std::mem::replace(&mut unwritten.results, rest.results);
    unwritten.results.extend(newer);
    unwritten.ratings = unwritten.ratings.take().or(rest.ratings);
}

/// Tells when writing begins to fail, fails otherwise, and succeeds again.
fn report(shared: &WriterState, last_error: &mut Option<String>, error: Option<&io::Error>) {
    let now = error.map(ToString::to_string);
    let event = match (&now, &last_error) {
        (Some(text), None) => Some(ServerEvent::Unwritten(text.clone())),
        (None, Some(_)) => Some(ServerEvent::WrittenAfterAll),
        _ => None,
    };
    if let Some(event) = event {
        let mut observer = shared
            .observer
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        observer(&event);
    }
    *last_error = now;
}

/// Appends lines, all of them or none.
fn append(path: &Path, lines: &[String]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.create(true).read(true).append(true).open(path)?;
    let before = file.metadata()?.len();
    let mut text = match before {
        0 => format!("{}\n", ResultLine::COLUMNS),
        _ => String::new(),
    };
    // A line that a crash has left unfinished stays alone on its line.
    let mut last = [b'\n'];
    if before > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        text.push('\n');
    }
    for line in lines {
        text += line;
        text.push('\n');
    }
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        // A full disk may have taken a part.
        let _ = file.set_len(before);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn what_cannot_be_written_is_written_later() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("league");
        let archive = Archive::open(&home, "csa").unwrap().unwrap();
        let (results, ratings) = (home.join("results.tsv"), home.join("ratings.tsv"));
        let files = ServerFiles {
            archive: Some(archive.clone()),
            results: Some(results.clone()),
            ratings: Some(ratings.clone()),
        };
        let (tell, told) = mpsc::channel();
        let observer: EventObserver = Box::new(move |event| {
            let _ = tell.send(event.clone());
        });
        // Where the folder was is a file: nothing can be written there, whoever asks.
        std::fs::remove_dir(&home).unwrap();
        std::fs::write(&home, "in the way").unwrap();
        let writer = RecordWriter::start(files, Arc::new(Mutex::new(observer))).unwrap();
        let path = archive.place("a+b");
        writer.record(&path, Box::default());
        writer.ratings("ann\t1500\n".into());
        let patience = Duration::from_secs(60);
        let first = told.recv_timeout(patience).unwrap();
        assert!(matches!(first, ServerEvent::Unwritten(_)), "{first:?}");
        std::fs::remove_file(&home).unwrap();
        std::fs::create_dir(&home).unwrap();
        let then = told.recv_timeout(patience).unwrap();
        assert_eq!(then, ServerEvent::WrittenAfterAll);
        assert!(path.exists() && ratings.exists());
        // A list that a crash has torn is continued on a new line.
        std::fs::write(&results, "half a li").unwrap();
        append(&results, &["one".into(), "two".into()]).unwrap();
        let list = std::fs::read_to_string(&results).unwrap();
        assert_eq!(list, "half a li\none\ntwo\n");
        writer.finish().unwrap();
    }

    #[test]
    fn the_end_says_what_could_not_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let files = ServerFiles {
            archive: None,
            results: None,
            ratings: Some(folder.path().join("no/such/folder.tsv")),
        };
        let observer: EventObserver = Box::new(|_| {});
        let writer = RecordWriter::start(files, Arc::new(Mutex::new(observer))).unwrap();
        writer.ratings("ann\t1500\n".into());
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.contains("folder.tsv"), "{error}");
    }
}
