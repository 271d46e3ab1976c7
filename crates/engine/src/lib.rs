//! The USI engine over any pair of streams, and the engine host that searches for it and for the
//! browser's server.
//!
//! One thread reads commands, another searches, a third, the watchdog, sleeps and answers if the
//! clock runs out before the second does. The reading thread never waits for a search, so `stop` is
//! heard at once; every answer passes a gate, so that each `go` has exactly one.
#![forbid(unsafe_code)]

mod answer;
pub mod bench;
pub mod challenger;
mod config;
mod engine_search;
mod factory;
mod go;
mod go_mate;
mod host;
mod latency;
mod options;
mod output;
mod panic_report;
mod parts_player;
pub mod pool;
mod running_go;
#[cfg(test)]
mod tests;
mod wake_signal;
mod watchdog;
mod worker;

pub use config::EngineConfig;
pub use engine_search::EngineSearch;
pub use factory::{MakeSearchError, SearchFactory, TournamentFactory};
pub use host::EngineHost;
pub use output::MemoryWriter;
pub use panic_report::{PanicReport, catch_panic, install_panic_hook};

use answer::AnswerGate;
use latency::Latency;
use options::{OptionName, Options};
use output::UsiOutput;
use running_go::RunningGo;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tesuji_kernels::{LARGEST_TEXT, read_input, read_input_text};
use tesuji_search::{Phase, SearchRequest, TimeBudget};
use tesuji_shogi::rules::foul;
use tesuji_shogi::{Board, Move, Position};
use tesuji_usi::{Command, Go, InitialPosition, LONGEST_LINE, LineRead, Reply, Times, read_line};
use watchdog::Watchdog;
use worker::{EngineWorker, EngineWorkerStatus, Job};

/// How long an engine that leaves waits for tables and files that are being prepared: most are there
/// before that, and what was asked is answered better then.
const LEAVE_PATIENCE: Duration = Duration::from_millis(500);
/// Searches are deep, and a stack costs nothing until it is used.
const STACK: usize = 64 << 20;
/// How deep files of commands may run other files.
const DEEPEST_FILE: usize = 8;
/// What the working directory may tell about options.
const OPTION_FILE: &str = "engine_options.txt";

/// How an engine is put together.
pub struct EngineParts {
    /// Where it speaks.
    pub out: Box<dyn Write + Send>,
    /// What makes its searches.
    pub factory: Box<dyn SearchFactory>,
    /// Where `engine_options.txt` may lie.
    pub folder: PathBuf,
}

/// An engine that speaks USI.
pub struct Engine {
    out: UsiOutput,
    options: Options,
    position: Position,
    running: Option<OpenCommand>,
    /// Every `go` and `isready` that may not be answered yet.
    open_commands: Vec<OpenCommand>,
    /// The answer to the last command, be it given or not.
    last: Option<Arc<AnswerGate>>,
    latency: Arc<Latency>,
    watchdog: Watchdog,
    /// A `go` that begins when the guess of a stochastic ponder turns out right.
    pending: Option<(Box<Go>, Position)>,
    folder: PathBuf,
    open_files: usize,
    /// `None` only while the engine leaves.
    jobs: Option<Sender<Job>>,
    worker: Option<JoinHandle<()>>,
    status: Arc<EngineWorkerStatus>,
}

/// What the worker may still be doing.
#[derive(Clone)]
enum OpenCommand {
    Go(Arc<RunningGo>),
    /// The preparation of a game.
    Load(Arc<AnswerGate>),
    /// A bench or a perft.
    Other(Arc<AnswerGate>),
}

impl OpenCommand {
    fn answer(&self) -> &Arc<AnswerGate> {
        match self {
            Self::Go(go) => &go.answer,
            Self::Load(answer) | Self::Other(answer) => answer,
        }
    }

    /// The answer that can be given without waiting for it; `None` if nobody waits for one.
    fn reply_so_far(&self) -> Option<Reply> {
        match self {
            Self::Go(go) => Some(go.reply_so_far()),
            Self::Load(_) => Some(Reply::ReadyOk),
            Self::Other(_) => None,
        }
    }
}

impl Engine {
    /// Starts the thread that thinks; nothing is loaded yet.
    pub fn new(parts: EngineParts) -> io::Result<Self> {
        let out = UsiOutput::new(parts.out);
        let (jobs, inbox) = mpsc::channel();
        let latency = Arc::new(Latency::default());
        let status = Arc::new(EngineWorkerStatus::default());
        let watchdog = Watchdog::new(out.clone(), latency.clone(), status.clone())?;
        let worker = EngineWorker::new(out.clone(), parts.factory, latency.clone(), status.clone());
        let worker = thread::Builder::new()
            .name("worker".into())
            .stack_size(STACK)
            .spawn(move || worker.run(&inbox))?;
        Ok(Self {
            out,
            options: Options::default(),
            position: Position::start(),
            running: None,
            open_commands: Vec::new(),
            last: None,
            latency,
            watchdog,
            pending: None,
            folder: parts.folder,
            open_files: 0,
            jobs: Some(jobs),
            worker: Some(worker),
            status,
        })
    }

    /// Handles line by line until `quit` or the end. At the end a search that has a limit may finish.
    pub fn run(mut self, mut reader: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            match read_line(&mut reader, &mut line)? {
                LineRead::Line => {}
                LineRead::TooLong => {
                    let what = format!("a line of more than {LONGEST_LINE} bytes is left out");
                    self.out.error(what);
                    continue;
                }
                LineRead::End => {
                    self.wait_for_answer();
                    self.finish_jobs();
                    return Ok(());
                }
            }
            let outcome = self.handle(&String::from_utf8_lossy(&line));
            if outcome.is_break() || self.out.is_broken() {
                return Ok(());
            }
        }
    }

    /// Handles one line; breaks at `quit`.
    pub fn handle(&mut self, line: &str) -> ControlFlow<()> {
        let parsed = Command::read(line);
        for warning in &parsed.warnings {
            self.out.error(format!("{warning}"));
        }
        let Some(command) = parsed.command else {
            return Continue(());
        };
        match command {
            Command::Quit => {
                self.stop();
                return Break(());
            }
            Command::Run(path) => return self.run_file(&path),
            Command::Usi => self.introduce(),
            Command::IsReady => self.make_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.stop();
                self.send(Job::NewGame);
            }
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(go) => self.go(go),
            Command::Stop | Command::GameOver(_) => self.stop(),
            Command::PonderHit(times) => self.ponderhit(&times),
            Command::Bench(depth) => self.bench(depth),
            Command::Eval => {
                let config = Box::new(self.options.config());
                self.send(Job::Eval(config, Box::new(self.position.clone())));
            }
            Command::Other(line) => self.shorthand(&line),
            Command::Show => self.show(),
            Command::Moves => {
                let moves = self.position.legal_moves().sorted();
                let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
                self.text(moves.join(" "));
            }
            Command::Key => self.text(format!("{:016x}", self.position.key().0)),
            Command::GetOption(name) => self.show_option(name.as_deref()),
        }
        Continue(())
    }

    /// Waits for a search that has a limit; one that has none must be stopped.
    fn wait_for_answer(&self) {
        let answer = self.running.as_ref().map(OpenCommand::answer);
        if let Some(answer) = answer.filter(|answer| answer.ends_alone()) {
            answer.wait_until_done();
        }
    }

    /// Ends what has no end, and waits until the worker has done everything.
    fn finish_jobs(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }

    fn text(&self, text: impl Into<String>) {
        self.out.send(&Reply::Text(text.into()));
    }

    fn send(&self, job: Job) {
        self.status.waiting.fetch_add(1, Ordering::SeqCst);
        let sent = self.jobs.as_ref().map(|jobs| jobs.send(job).is_ok());
        if sent == Some(false) {
            self.out.error("the thread that thinks is gone");
        }
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.out.send(&Reply::Name(format!("Tesuji {version}")));
        self.out.send(&Reply::Author("the Tesuji authors".into()));
        Options::lines().for_each(|line| self.out.send(&Reply::Option(line)));
        self.out.send(&Reply::UsiOk);
    }

    /// Has everything loaded; the worker says when it is. Commands are heard meanwhile.
    fn make_ready(&mut self) {
        self.stop();
        self.read_option_file();
        let answer = self.begin_work(OpenCommand::Load);
        self.send(Job::Load(Box::new(self.options.config()), answer));
    }

    /// Lines as `option name N type T default V`, `N V` or `N=V`; they count where nobody set
    /// anything else.
    fn read_option_file(&mut self) {
        let text = match read_input_text(&self.folder.join(OPTION_FILE)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                self.out.error(format!("{OPTION_FILE}: {error}"));
                return;
            }
        };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', '/']) {
                continue;
            }
            let (name, value) = match Reply::read(line) {
                Some(Reply::Option(told)) => (told.name, told.kind.default_text()),
                _ => split_setting(line),
            };
            if let Err(error) = self.options.suggest(&name, &value) {
                self.out.error(format!("{OPTION_FILE}:{number}: {error}"));
            }
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if let Some(number) = name.strip_prefix("Tune.") {
            match value.map(str::trim).map(str::parse) {
                Some(Ok(value)) => {
                    // Whether there is such a number, the worker says: it has the search.
                    self.options.tune(number, value);
                    self.send(Job::Tune(number.to_owned(), value));
                }
                _ => self.out.error(format!("Tune.{number} needs a number")),
            }
            return;
        }
        match self.options.set(name, value) {
            Ok(OptionName::ClearHash) => self.send(Job::NewGame),
            Ok(OptionName::LeafMateNodes) => {
                let nodes = self.options.number(OptionName::LeafMateNodes);
                self.send(Job::Tune("leaf_mate_nodes".into(), nodes));
            }
            Ok(_) => {}
            Err(error) => self.out.error(format!("{error}")),
        }
    }

    fn show_option(&self, name: Option<&str>) {
        match name {
            None => self.options.show_all().for_each(|line| self.text(line)),
            Some(name) => match Options::find(name) {
                Some(id) => self.text(self.options.show(id)),
                None => self.out.error(format!("there is no option {name}")),
            },
        }
    }

    /// `threads 4`, `threads = 4`, or `threads` alone to see it.
    fn shorthand(&mut self, line: &str) {
        let (name, value) = split_setting(line);
        if Options::find(&name).is_none() {
            let shown: String = line.chars().take(60).collect();
            self.out.error(format!("unknown command: {shown}"));
        } else if value.is_empty() && name != "ClearHash" {
            self.show_option(Some(&name));
        } else {
            self.set_option(&name, Some(&value));
        }
    }

    fn show(&self) {
        self.text(self.position.to_string());
        self.text(format!("sfen {}", self.position.to_sfen()));
    }

    fn run_file(&mut self, path: &str) -> ControlFlow<()> {
        let text = match read_input(path.as_ref(), LARGEST_TEXT) {
            Ok(bytes) if self.open_files < DEEPEST_FILE => String::from_utf8_lossy(&bytes).into(),
            Ok(_) => {
                self.out
                    .error(format!("{path}: files run files too deeply"));
                return Continue(());
            }
            Err(error) => {
                self.out.error(format!("{path}: {error}"));
                return Continue(());
            }
        };
        self.open_files += 1;
        let text: String = text;
        let outcome = text.lines().try_for_each(|line| {
            self.handle(line)?;
            // A person would wait for the answer before typing the next line.
            self.wait_for_answer();
            Continue(())
        });
        self.open_files -= 1;
        outcome
    }

    fn set_position(&mut self, start: &InitialPosition, moves: &[Move]) {
        let start = match start {
            InitialPosition::Even => Ok(Position::start()),
            InitialPosition::Sfen(sfen) => Position::from_sfen(sfen),
        };
        let mut position = match start {
            Ok(position) => position,
            Err(error) => {
                self.out
                    .error(format!("position: {error}; it stays as it was"));
                return;
            }
        };
        for (number, &mv) in (1..).zip(moves) {
            if position.try_play(mv).is_err() {
                let why = foul(&position, mv).map_or(String::new(), |foul| format!(": {foul}"));
                self.out.error(format!(
                    "position: move {number}, {mv}, is illegal{why}; it and what follows \
                     was left out"
                ));
                break;
            }
        }
        self.position = position;
    }

    fn go(&mut self, go: Box<Go>) {
        self.stop();
        if let Some(depth) = go.perft {
            let answer = self.begin_work(OpenCommand::Other);
            self.send(Job::Perft(Box::new(self.position.clone()), depth, answer));
        } else {
            self.think(go, self.position.clone());
        }
    }

    fn think(&mut self, go: Box<Go>, mut position: Position) {
        let phase = if go.ponder {
            Phase::Pondering
        } else {
            Phase::Thinking
        };
        let (turn, ply) = (position.turn(), position.ply());
        let budget = self.options.budget(&go, turn, ply);
        let mut budget = budget.map(|budget| self.latency.shorten(budget));
        if go.ponder && self.options.is_on(OptionName::StochasticPonder) && position.played() > 0 {
            self.pending = Some((go.clone(), position.clone()));
            position.undo();
            budget = None;
        }
        let is_endless = go.is_endless() && !go.ponder || go.infinite;
        let answer = self.new_answer(phase, budget, is_endless);
        let is_timed = go.mate.is_none() && (go.ponder || budget.is_some());
        let earlier = self.last.replace(answer.clone());
        let search_moves = self.legal_ones(&position, &go.searchmoves);
        let asks_book = go.searchmoves.is_empty() && !go.ponder && !is_endless;
        let running = Arc::new(RunningGo {
            request: SearchRequest {
                position,
                search_moves,
                rules: self.options.rules(),
                limits: self.options.limits(&go),
            },
            for_mate: go.mate.is_some(),
            shortest_mate: self.options.is_on(OptionName::ShortestMate),
            config: self.options.config(),
            book: self.options.book_selection().filter(|_| asks_book),
            resign: self.options.resign_value().filter(|_| !is_endless),
            answer,
            earlier,
            turn,
            ply,
            has_limit: !go.is_endless(),
            is_timed,
        });
        self.begin(OpenCommand::Go(running.clone()));
        self.send(Job::Go(running.clone()));
        self.watchdog.watch(running);
    }

    fn begin(&mut self, command: OpenCommand) {
        self.open_commands.retain(|open| !open.answer().is_done());
        self.open_commands.push(command.clone());
        self.running = Some(command);
    }

    /// Answers everything that nobody has answered, in the order of the commands.
    fn answer_all(&self) {
        for command in &self.open_commands {
            if let Some(reply) = command.reply_so_far() {
                command.answer().answer(|| self.out.send(&reply));
            }
        }
    }

    fn new_answer(
        &self,
        phase: Phase,
        budget: Option<TimeBudget>,
        is_endless: bool,
    ) -> Arc<AnswerGate> {
        let wake = self.watchdog.wake();
        Arc::new(AnswerGate::new(phase, budget, is_endless, wake))
    }

    /// Something that takes time and ends alone, but is no search of the position.
    fn begin_work(&mut self, kind: fn(Arc<AnswerGate>) -> OpenCommand) -> Arc<AnswerGate> {
        let answer = self.new_answer(Phase::Thinking, None, false);
        self.last = Some(answer.clone());
        self.begin(kind(answer.clone()));
        answer
    }

    fn legal_ones(&self, pos: &Position, moves: &[Move]) -> Vec<Move> {
        let (legal, illegal): (Vec<_>, Vec<_>) = moves.iter().partition(|&&mv| pos.is_legal(mv));
        for mv in illegal {
            self.out
                .error(format!("searchmoves: {mv} is illegal and left out"));
        }
        legal
    }

    /// Asks for the answer of a search that is running, if there is one.
    fn stop(&mut self) {
        self.pending = None;
        if let Some(running) = self.running.take() {
            running.answer().stop();
        }
    }

    fn ponderhit(&mut self, times: &Times) {
        let running = match &self.running {
            Some(OpenCommand::Go(running)) if running.answer.is_pondering() => running.clone(),
            _ => {
                self.out.error("ponderhit, but nothing is pondered");
                return;
            }
        };
        if let Some((mut go, position)) = self.pending.take() {
            running.answer.silence();
            self.running = None;
            go.ponder = false;
            if *times != Times::default() {
                go.times = *times;
            }
            self.think(go, position);
            return;
        }
        let budget = self.options.clock_budget(times, running.turn, running.ply);
        let budget = budget.map(|budget| self.latency.shorten(budget));
        running.answer.ponderhit(budget);
        if !running.has_limit && budget.is_none() && !running.answer.is_endless() {
            // Neither now nor before was a time told: whatever is thought out must do.
            running.answer.stop();
        }
        if running.is_timed {
            // There is a clock now.
            self.watchdog.watch(running);
        }
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.stop();
        let answer = self.begin_work(OpenCommand::Other);
        let depth = depth.unwrap_or(bench::DEPTH).max(1);
        let config = Box::new(self.options.config());
        self.send(Job::Bench(config, depth, answer));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.status.is_leaving.store(true, Ordering::SeqCst);
        self.jobs = None;
        let Some(worker) = self.worker.take() else {
            return;
        };
        if self.status.wait_for_end(LEAVE_PATIENCE) {
            // What it had to say it has said.
            let _ = worker.join();
        } else {
            // Nobody waits for tables and files that are not needed any more: the thread ends with
            // the process, or when it has them.
            self.answer_all();
            self.out.close();
        }
    }
}

/// The name and the value of `N V`, `N=V` or `N = V`.
fn split_setting(line: &str) -> (String, String) {
    let (name, value) = line
        .split_once(|c: char| c == '=' || c.is_whitespace())
        .unwrap_or((line, ""));
    let value = value.trim_start().trim_start_matches('=').trim();
    (name.trim().to_owned(), value.to_owned())
}
