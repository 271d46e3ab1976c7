//! The worker thread: it owns the engine host and does one job after the other.

use crate::answer::AnswerGate;
use crate::bench;
use crate::config::EngineConfig;
use crate::factory::{EngineSearch, SearchFactory};
use crate::host::EngineHost;
use crate::latency::Latency;
use crate::output::UsiOutput;
use crate::task::GoTask;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use tesuji_book::BookPlace;
use tesuji_book::probe::Library;
use tesuji_shogi::{Board, Position, movegen};
use tesuji_usi::Reply;

/// Something for the worker to do.
pub(crate) enum Job {
    /// Load everything for a new game, and say when it is done.
    Load(Box<EngineConfig>, Sender<()>),
    /// Forget the game before.
    NewGame,
    /// Answer a `go`.
    Go(Arc<GoTask>),
    /// Count leaves.
    Perft(Box<Position>, u32, Arc<AnswerGate>),
    /// Search fixed positions.
    Bench(Box<EngineConfig>, u32, Arc<AnswerGate>),
    /// Search with another value of a parameter from now on.
    Tune(String, i32),
    /// Say what the evaluation says of a position.
    Eval(Box<EngineConfig>, Box<Position>),
}

/// What the thread owns.
pub(crate) struct Worker {
    pub(crate) out: UsiOutput,
    pub(crate) latency: Arc<Latency>,
    host: EngineHost,
    /// The book that is open, and where it lies.
    pub(crate) book: Option<(PathBuf, Library)>,
    /// Chooses among the moves of a book.
    pub(crate) dice: fastrand::Rng,
}

impl Worker {
    pub(crate) fn new(
        out: UsiOutput,
        factory: Box<dyn SearchFactory>,
        latency: Arc<Latency>,
    ) -> Self {
        Self {
            out,
            latency,
            host: EngineHost::new(factory),
            book: None,
            dice: fastrand::Rng::new(),
        }
    }

    /// Does what comes until nobody can send anything more.
    pub(crate) fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Load(config, done) => {
                    self.load(&config);
                    // The engine may have gone meanwhile.
                    let _ = done.send(());
                }
                Job::NewGame => self.host.new_game(),
                Job::Go(task) => {
                    self.answer(&task);
                    task.answer.finish();
                }
                Job::Perft(pos, depth, answer) => {
                    self.perft(*pos, depth, &answer);
                    answer.finish();
                }
                Job::Bench(config, depth, answer) => {
                    self.bench(&config, depth, &answer);
                    answer.finish();
                }
                Job::Tune(name, value) => {
                    if !self.host.tune(name.clone(), value) {
                        let what = format!("no parameter {name} that can be {value}");
                        self.out.error(what);
                    }
                }
                Job::Eval(config, pos) => {
                    let value = self.search(&config).evaluate(&pos);
                    let text = format!("eval {} for the side to move", value.points());
                    self.out.send(&Reply::Text(text));
                }
            }
        }
    }

    /// Loads what changed, and what could not be loaded before; then a new game may begin.
    fn load(&mut self, config: &EngineConfig) {
        self.open_book(config, true);
        let out = &self.out;
        self.host.load_or_fallback(config, |error| out.error(error));
        self.host.new_game();
    }

    /// The search, with the evaluation, the threads and the table that are wanted.
    pub(crate) fn search(&mut self, config: &EngineConfig) -> &mut dyn EngineSearch {
        let out = &self.out;
        self.host
            .search_or_fallback(config, |error| out.error(error))
    }

    /// Opens the book that is wanted, if it is another one or might have changed.
    pub(crate) fn open_book(&mut self, wanted: &EngineConfig, anew: bool) {
        let Some(path) = &wanted.book else {
            self.book = None;
            return;
        };
        if !anew && self.book.as_ref().is_some_and(|(open, _)| open == path) {
            return;
        }
        let library = match Library::open(path, wanted.book_on_the_fly) {
            Ok(library) => {
                self.tell_complaints(path, &library);
                library
            }
            Err((path, error)) => {
                self.out.info_string(format!(
                    "error: {}: {error}; playing without a book",
                    path.display()
                ));
                Library::default()
            }
        };
        self.book = Some((path.clone(), library));
    }

    /// Says what is wrong with files that are used nevertheless.
    fn tell_complaints(&self, path: &Path, library: &Library) {
        for complaint in library.complaints() {
            let (file, first) = (complaint.path.display(), &complaint.first);
            let place = match first.place {
                BookPlace::Line(line) => format!("{file}:{line}"),
                place => format!("{file}: {place}"),
            };
            let (problem, count) = (&first.problem, complaint.count);
            self.out
                .info_string(format!("{place}: {problem}; {count} such places left out"));
        }
        if library.is_empty() {
            let file = path.display();
            self.out
                .info_string(format!("error: {file}: there is no position in it"));
        }
    }

    fn perft(&self, mut pos: Position, depth: u32, answer: &AnswerGate) {
        let mut total = 0;
        if depth == 0 {
            total = 1;
        } else {
            for mv in pos.legal_moves().iter() {
                let leaves = pos.after(mv, |pos, _| leaves(pos, depth - 1, answer));
                let Some(leaves) = leaves else {
                    self.out.info_string("perft stopped");
                    return;
                };
                self.out.send(&Reply::Text(format!("{mv}: {leaves}")));
                total += leaves;
            }
        }
        self.out
            .send(&Reply::Text(format!("Nodes searched: {total}")));
    }

    fn bench(&mut self, config: &EngineConfig, depth: u32, answer: &AnswerGate) {
        let out = self.out.clone();
        let search = self.search(config);
        let total = bench::run(search, depth, &answer.control, |row| {
            out.info_string(format!("{} nodes: {}", row.nodes, row.sfen));
        });
        if answer.control.is_stopped() {
            self.out.info_string("bench stopped");
            return;
        }
        for line in total.to_string().lines() {
            self.out.send(&Reply::Text(line.into()));
        }
    }
}

/// Counts leaves; `None` if it was stopped.
fn leaves(pos: &mut Position, depth: u32, answer: &AnswerGate) -> Option<u64> {
    if depth <= 2 {
        let stopped = answer.control.is_stopped();
        return (!stopped).then(|| movegen::perft::count(pos, depth));
    }
    pos.legal_moves().iter().try_fold(0, |sum, mv| {
        let below = pos.after(mv, |pos, _| leaves(pos, depth - 1, answer));
        below.map(|below| sum + below)
    })
}
