//! The worker thread: it owns the engine host and does one job after the other.

use crate::answer::AnswerGate;
use crate::bench;
use crate::config::EngineConfig;
use crate::engine_search::EngineSearch;
use crate::factory::SearchFactory;
use crate::host::EngineHost;
use crate::latency::Latency;
use crate::output::UsiOutput;
use crate::panic_report::catch_panic;
use crate::running_go::RunningGo;
use crate::wake_signal::WakeSignal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tesuji_book::BookPlace;
use tesuji_book::probe::Library;
use tesuji_shogi::{Board, Position, movegen};
use tesuji_usi::Reply;

/// Something for the worker to do.
pub(crate) enum Job {
    /// Load everything for a new game, and say `readyok`.
    Load(Box<EngineConfig>, Arc<AnswerGate>),
    /// Forget the game before.
    NewGame,
    /// Answer a `go`.
    Go(Arc<RunningGo>),
    /// Count leaves.
    Perft(Box<Position>, u32, Arc<AnswerGate>),
    /// Search fixed positions.
    Bench(Box<EngineConfig>, u32, Arc<AnswerGate>),
    /// Search with another value of a parameter from now on.
    Tune(String, i32),
    /// Say what the evaluation says of a position.
    Eval(Box<EngineConfig>, Box<Position>),
}

impl Job {
    /// What a report of a panic says about it.
    fn about(&self) -> String {
        let of = |pos: &Position| format!("position sfen {}", pos.to_sfen());
        match self {
            Self::Go(go) => of(go.position()),
            Self::Perft(pos, ..) | Self::Eval(_, pos) => of(pos),
            Self::Load(config, _) | Self::Bench(config, ..) => {
                format!("evaluation {}", config.eval)
            }
            Self::NewGame => "usinewgame".into(),
            Self::Tune(name, value) => format!("Tune.{name} {value}"),
        }
    }

    fn go(&self) -> Option<Arc<RunningGo>> {
        match self {
            Self::Go(go) => Some(go.clone()),
            _ => None,
        }
    }

    /// What somebody may wait at until it is done.
    fn gate(&self) -> Option<Arc<AnswerGate>> {
        match self {
            Self::Go(go) => Some(go.answer.clone()),
            Self::Load(_, gate) | Self::Perft(_, _, gate) | Self::Bench(_, _, gate) => {
                Some(gate.clone())
            }
            Self::NewGame | Self::Tune(..) | Self::Eval(..) => None,
        }
    }
}

/// What the thread that reads commands and the worker tell each other.
#[derive(Default)]
pub(crate) struct EngineWorkerStatus {
    /// How many jobs wait.
    pub(crate) waiting: AtomicUsize,
    /// Whether tables or files are being prepared: nobody waits for that to the end.
    is_preparing: AtomicBool,
    /// Whether the engine ends.
    pub(crate) is_leaving: AtomicBool,
    /// Whether the worker has done everything and is gone.
    has_ended: AtomicBool,
    /// Rung when something is being prepared, and when the worker is gone.
    pub(crate) wake: Arc<WakeSignal>,
}

impl EngineWorkerStatus {
    /// Whether something is more urgent than to prepare what may come.
    fn is_in_hurry(&self) -> bool {
        self.is_leaving.load(SeqCst) || self.waiting.load(SeqCst) > 0
    }

    pub(crate) fn is_preparing(&self) -> bool {
        self.is_preparing.load(SeqCst)
    }

    /// Waits until the worker is gone; whether it is. After `patience` nobody waits for tables and
    /// files that are being prepared.
    pub(crate) fn wait_for_end(&self, patience: Duration) -> bool {
        let asked = Instant::now();
        loop {
            let seen = self.wake.count();
            if self.has_ended.load(SeqCst) {
                return true;
            }
            let left = patience.saturating_sub(asked.elapsed());
            match self.is_preparing() {
                true if left.is_zero() => return false,
                true => self.wake.wait(seen, Some(left)),
                false => self.wake.wait(seen, None),
            }
        }
    }

    fn preparing(self: &Arc<Self>) -> Preparing {
        self.is_preparing.store(true, SeqCst);
        self.wake.notify();
        Preparing(self.clone())
    }
}

/// Stands for the time while something is being prepared.
struct Preparing(Arc<EngineWorkerStatus>);

impl Drop for Preparing {
    fn drop(&mut self) {
        self.0.is_preparing.store(false, SeqCst);
    }
}

/// Stands for the worker: tells that it is gone, however it ended.
struct Present(Arc<EngineWorkerStatus>);

impl Drop for Present {
    fn drop(&mut self) {
        self.0.has_ended.store(true, SeqCst);
        self.0.wake.notify();
    }
}

/// How long a GUI may hear nothing while files are loaded.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Shows a GUI now and then that the engine is alive, as long as it lives itself.
struct KeepAlive(Option<(Sender<()>, JoinHandle<()>)>);

impl KeepAlive {
    fn start(out: &UsiOutput) -> Self {
        let (out, (end, is_over)) = (out.clone(), mpsc::channel::<()>());
        let thread = thread::Builder::new().spawn(move || {
            while is_over.recv_timeout(KEEP_ALIVE) == Err(RecvTimeoutError::Timeout) {
                out.keep_alive();
            }
        });
        // Without a thread for it the GUI has to be patient.
        Self(thread.ok().map(|thread| (end, thread)))
    }
}

impl Drop for KeepAlive {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // Nothing is said after what follows.
            let _ = thread.join();
        }
    }
}

/// What the thread owns.
pub(crate) struct EngineWorker {
    pub(crate) out: UsiOutput,
    pub(crate) latency: Arc<Latency>,
    pub(crate) host: EngineHost,
    status: Arc<EngineWorkerStatus>,
    /// The book that is open, and where it lies.
    pub(crate) book: Option<(PathBuf, Library)>,
    /// Chooses among the moves of a book.
    pub(crate) dice: fastrand::Rng,
}

impl EngineWorker {
    pub(crate) fn new(
        out: UsiOutput,
        factory: Box<dyn SearchFactory>,
        latency: Arc<Latency>,
        status: Arc<EngineWorkerStatus>,
    ) -> Self {
        Self {
            out,
            latency,
            host: EngineHost::new(factory),
            status,
            book: None,
            dice: fastrand::Rng::new(),
        }
    }

    /// Does what comes until nobody can send anything more. A panic ends the job alone.
    pub(crate) fn run(mut self, jobs: &Receiver<Job>) {
        let _present = Present(self.status.clone());
        for job in jobs {
            self.status.waiting.fetch_sub(1, SeqCst);
            let (about, gate) = (job.about(), job.gate());
            let (go, is_load) = (job.go(), matches!(job, Job::Load(..)));
            if let Err(report) = catch_panic(&about, || self.work(job)) {
                // What a search that panicked left behind is not searched with again.
                self.host.forget();
                self.out.error(report.told());
                let reply = go.map(|go| go.reply_so_far());
                let reply = reply.or_else(|| is_load.then_some(Reply::ReadyOk));
                if let (Some(gate), Some(reply)) = (&gate, reply) {
                    gate.answer(|| self.out.send(&reply));
                }
            }
            if let Some(gate) = gate {
                gate.finish();
            }
        }
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Load(config, answer) => {
                self.load(&config, &answer);
                answer.answer(|| self.out.send(&Reply::ReadyOk));
            }
            Job::NewGame => {
                let _preparing = self.status.preparing();
                self.host.new_game();
                let status = &self.status;
                self.host.touch(&|| status.is_in_hurry());
            }
            // The watchdog may have answered meanwhile.
            Job::Go(go) if go.answer.is_done() => {}
            Job::Go(go) => self.answer(&go),
            Job::Perft(pos, depth, answer) => self.perft(*pos, depth, &answer),
            Job::Bench(config, depth, answer) => self.bench(&config, depth, &answer),
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

    /// Loads what changed, and what could not be loaded before; then a new game may begin.
    fn load(&mut self, config: &EngineConfig, answer: &AnswerGate) {
        let status = self.status.clone();
        let hurry = || answer.control.is_stopped() || status.is_in_hurry();
        let _preparing = self.status.preparing();
        let _alive = KeepAlive::start(&self.out);
        if status.is_leaving.load(SeqCst) {
            return;
        }
        self.open_book(config, true);
        let out = &self.out;
        self.host.load_or_fallback(config, |error| out.error(error));
        if let Some(hint) = config.memory_hint() {
            out.info_string(hint);
        }
        self.host.new_game();
        self.host.touch(&hurry);
    }

    /// The search, with the evaluation, the threads and the table that are wanted.
    pub(crate) fn search(&mut self, config: &EngineConfig) -> &mut dyn EngineSearch {
        let _preparing = self.status.preparing();
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
        for warning in library.warnings() {
            let (file, first) = (warning.path.display(), &warning.first);
            let place = match first.place {
                BookPlace::Line(line) => format!("{file}:{line}"),
                place => format!("{file}: {place}"),
            };
            let problem = &first.problem;
            self.out
                .info_string(match (warning.is_left_out, warning.count) {
                    (true, _) => format!("error: {place}: {problem}; playing without this book"),
                    (_, 0) => format!("{place}: {problem}"),
                    (_, count) => format!("{place}: {problem}; {count} such places left out"),
                });
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
