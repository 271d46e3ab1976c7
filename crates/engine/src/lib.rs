//! The engine a GUI speaks to: USI in, USI out, over any pair of streams.
//!
//! One thread reads and decides, another thinks, a third sleeps and answers if the clock runs out
//! before the second does. The reading thread never waits for a search, so `stop` is heard at once;
//! every answer passes the gate of its session, so that each `go` has exactly one.
#![forbid(unsafe_code)]

pub mod bench;
mod book;
mod deputy;
mod lag;
mod mate;
mod options;
mod output;
mod session;
mod settings;
#[cfg(test)]
mod tests;
mod think;
mod thinker;
mod worker;

pub use output::Memory;
pub use thinker::{MakeError, Maker, Thinker, Tournaments};

use deputy::{Deputy, Watch};
use lag::Lag;
use options::{Name, Options};
use output::Output;
use session::Session;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tesuji_search::{Phase, SearchRequest};
use tesuji_shogi::rules::foul;
use tesuji_shogi::{Board, Color, Move, Position};
use tesuji_usi::{Command, Go, Reply, Start, Times};
use worker::{Job, Question, Worker};

/// How long a GUI may hear nothing while files are loaded.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// Searches are deep, and a stack costs nothing until it is used.
const STACK: usize = 64 << 20;
/// How deep files of commands may run other files.
const DEEPEST_FILE: usize = 8;
/// What the working directory may tell about options.
const OPTION_FILE: &str = "engine_options.txt";

/// How an engine is put together.
pub struct Parts {
    /// Where it speaks.
    pub out: Box<dyn Write + Send>,
    /// Who makes its searches.
    pub maker: Box<dyn Maker>,
    /// Where `engine_options.txt` may lie.
    pub folder: PathBuf,
}

/// An engine that speaks USI.
pub struct Engine {
    out: Output,
    options: Options,
    position: Position,
    current: Option<Current>,
    /// The last `go`, be it running, stopped or long answered.
    last: Option<Arc<Session>>,
    /// How late the last answers were.
    lag: Arc<Lag>,
    deputy: Deputy,
    /// A `go` that begins when the guess of a stochastic ponder turns out right.
    pending: Option<(Box<Go>, Position)>,
    folder: PathBuf,
    open_files: usize,
    /// `None` only while the engine leaves.
    jobs: Option<Sender<Job>>,
    worker: Option<JoinHandle<()>>,
}

/// A search that may still be running, and whose clock it runs on.
struct Current {
    session: Arc<Session>,
    /// What the deputy must know of it, if it is one that the clock may end.
    watch: Option<Arc<Watch>>,
    turn: Color,
    ply: u32,
    /// Whether it will end once the clock runs, be the clock told or not.
    has_limit: bool,
}

impl Engine {
    /// Starts the thread that thinks; nothing is loaded yet.
    pub fn new(parts: Parts) -> io::Result<Self> {
        let out = Output::new(parts.out);
        let (jobs, inbox) = mpsc::channel();
        let lag = Arc::new(Lag::default());
        let deputy = Deputy::new(out.clone(), lag.clone())?;
        let worker = Worker::new(out.clone(), parts.maker, lag.clone());
        let worker = thread::Builder::new()
            .name("worker".into())
            .stack_size(STACK)
            .spawn(move || worker.run(&inbox))?;
        Ok(Self {
            out,
            options: Options::default(),
            position: Position::start(),
            current: None,
            last: None,
            lag,
            deputy,
            pending: None,
            folder: parts.folder,
            open_files: 0,
            jobs: Some(jobs),
            worker: Some(worker),
        })
    }

    /// Obeys line by line until `quit` or the end. At the end a search that has a limit may finish.
    pub fn run(mut self, mut reader: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line)? == 0 {
                self.wait_for_answer();
                return Ok(());
            }
            let outcome = self.obey(&String::from_utf8_lossy(&line));
            if outcome.is_break() || self.out.is_broken() {
                return Ok(());
            }
        }
    }

    /// Obeys one line; breaks at `quit`.
    pub fn obey(&mut self, line: &str) -> ControlFlow<()> {
        let reading = Command::read(line);
        for complaint in &reading.complaints {
            self.out.tell(format!("error: {complaint}"));
        }
        let Some(command) = reading.command else {
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
            Command::PonderHit(times) => self.ponder_hit(&times),
            Command::Bench(depth) => self.bench(depth),
            Command::Eval => {
                let equipment = Box::new(self.options.equipment());
                self.send(Job::Judge(equipment, Box::new(self.position.clone())));
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
        let current = self.current.as_ref().map(|current| &current.session);
        if let Some(session) = current.filter(|session| session.ends_alone()) {
            session.wait_until_done();
        }
    }

    fn text(&self, text: impl Into<String>) {
        self.out.say(&Reply::Text(text.into()));
    }

    fn send(&self, job: Job) {
        let sent = self.jobs.as_ref().map(|jobs| jobs.send(job).is_ok());
        if sent == Some(false) {
            self.out.tell("error: the thread that thinks is gone");
        }
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.out.say(&Reply::Name(format!("Tesuji {version}")));
        self.out.say(&Reply::Author("the Tesuji authors".into()));
        Options::lines().for_each(|line| self.out.say(&Reply::Option(line)));
        self.out.say(&Reply::UsiOk);
    }

    /// Loads everything, with a sign of life now and then.
    fn make_ready(&mut self) {
        self.stop();
        self.read_option_file();
        let (done, is_done) = mpsc::channel();
        self.send(Job::Load(Box::new(self.options.equipment()), done));
        while is_done.recv_timeout(KEEP_ALIVE) == Err(RecvTimeoutError::Timeout) {
            self.out.blink();
        }
        self.out.say(&Reply::ReadyOk);
    }

    /// Lines as `option name N type T default V`, `N V` or `N=V`; they count where nobody set
    /// anything else.
    fn read_option_file(&mut self) {
        let Ok(text) = std::fs::read_to_string(self.folder.join(OPTION_FILE)) else {
            return;
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
                self.out
                    .tell(format!("error: {OPTION_FILE}:{number}: {error}"));
            }
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if let Some(number) = name.strip_prefix("Tune.") {
            match value.map(str::trim).map(str::parse) {
                Some(Ok(value)) => self.send(Job::Tune(number.to_owned(), value)),
                _ => self
                    .out
                    .tell(format!("error: Tune.{number} needs a number")),
            }
            return;
        }
        match self.options.set(name, value) {
            Ok(Name::ClearHash) => self.send(Job::NewGame),
            Ok(_) => {}
            Err(error) => self.out.tell(format!("error: {error}")),
        }
    }

    fn show_option(&self, name: Option<&str>) {
        match name {
            None => self.options.show_all().for_each(|line| self.text(line)),
            Some(name) => match Options::find(name) {
                Some(id) => self.text(self.options.show(id)),
                None => self.out.tell(format!("error: there is no option {name}")),
            },
        }
    }

    /// `threads 4`, `threads = 4`, or `threads` alone to see it.
    fn shorthand(&mut self, line: &str) {
        let (name, value) = split_setting(line);
        if Options::find(&name).is_none() {
            let shown: String = line.chars().take(60).collect();
            self.out.tell(format!("error: unknown command: {shown}"));
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
        let text = match std::fs::read(path) {
            Ok(bytes) if self.open_files < DEEPEST_FILE => String::from_utf8_lossy(&bytes).into(),
            Ok(_) => {
                self.out
                    .tell(format!("error: {path}: files run files too deeply"));
                return Continue(());
            }
            Err(error) => {
                self.out.tell(format!("error: {path}: {error}"));
                return Continue(());
            }
        };
        self.open_files += 1;
        let text: String = text;
        let outcome = text.lines().try_for_each(|line| {
            self.obey(line)?;
            // A person would wait for the answer before typing the next line.
            self.wait_for_answer();
            Continue(())
        });
        self.open_files -= 1;
        outcome
    }

    fn set_position(&mut self, start: &Start, moves: &[Move]) {
        let start = match start {
            Start::Even => Ok(Position::start()),
            Start::Sfen(sfen) => Position::from_sfen(sfen),
        };
        let mut position = match start {
            Ok(position) => position,
            Err(error) => {
                self.out
                    .tell(format!("error: position: {error}; it stays as it was"));
                return;
            }
        };
        for (number, &mv) in (1..).zip(moves) {
            if position.try_play(mv).is_err() {
                let why = foul(&position, mv).map_or(String::new(), |foul| format!(": {foul}"));
                self.out.tell(format!(
                    "error: position: move {number}, {mv}, is illegal{why}; it and what follows \
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
            let session = self.begin_work();
            self.send(Job::Perft(Box::new(self.position.clone()), depth, session));
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
        let mut budget = budget.map(|budget| self.lag.shorten(budget));
        if go.ponder && self.options.is_on(Name::StochasticPonder) && position.played() > 0 {
            self.pending = Some((go.clone(), position.clone()));
            position.undo();
            budget = None;
        }
        let is_endless = go.is_endless() && !go.ponder || go.infinite;
        let session = Arc::new(Session::new(phase, budget, is_endless));
        let search_moves = self.legal_ones(&position, &go.searchmoves);
        let request = SearchRequest {
            position,
            search_moves,
            rules: self.options.rules(),
            limits: self.options.limits(&go),
        };
        let resign = self.options.resign_value().filter(|_| !is_endless);
        let watch = (go.mate.is_none() && (go.ponder || budget.is_some())).then(|| {
            Arc::new(Watch {
                session: session.clone(),
                earlier: self.last.take(),
                request: request.clone(),
                resign,
            })
        });
        self.last = Some(session.clone());
        self.current = Some(Current {
            session: session.clone(),
            watch: watch.clone(),
            turn,
            ply,
            has_limit: !go.is_endless(),
        });
        let asks_book = go.searchmoves.is_empty() && !go.ponder && !is_endless;
        self.send(Job::Think(Box::new(Question {
            for_mate: go.mate.is_some(),
            shortest_mate: self.options.is_on(Name::ShortestMate),
            session,
            equipment: self.options.equipment(),
            book: self.options.book_wishes().filter(|_| asks_book),
            resign,
            request,
        })));
        if let Some(watch) = watch {
            self.deputy.watch(watch);
        }
    }

    /// Something that takes time and ends alone, but is no search of the position.
    fn begin_work(&mut self) -> Arc<Session> {
        let session = Arc::new(Session::new(Phase::Thinking, None, false));
        self.last = Some(session.clone());
        self.current = Some(Current {
            session: session.clone(),
            watch: None,
            turn: self.position.turn(),
            ply: self.position.ply(),
            has_limit: true,
        });
        session
    }

    fn legal_ones(&self, pos: &Position, moves: &[Move]) -> Vec<Move> {
        let (legal, illegal): (Vec<_>, Vec<_>) = moves.iter().partition(|&&mv| pos.is_legal(mv));
        for mv in illegal {
            self.out
                .tell(format!("error: searchmoves: {mv} is illegal and left out"));
        }
        legal
    }

    /// Asks for the answer of a search that is running, if there is one.
    fn stop(&mut self) {
        self.pending = None;
        if let Some(Current { session, .. }) = self.current.take() {
            session.stop();
        }
    }

    fn ponder_hit(&mut self, times: &Times) {
        let pondered = self.current.as_ref();
        let Some(current) = pondered.filter(|current| current.session.is_pondering()) else {
            self.out.tell("error: ponderhit, but nothing is pondered");
            return;
        };
        let session = &current.session;
        if let Some((mut go, position)) = self.pending.take() {
            session.silence();
            self.current = None;
            go.ponder = false;
            if *times != Times::default() {
                go.times = *times;
            }
            self.think(go, position);
        } else {
            let (turn, ply) = (current.turn, current.ply);
            let budget = self.options.clock_budget(times, turn, ply);
            let budget = budget.map(|budget| self.lag.shorten(budget));
            let has_limit = current.has_limit || budget.is_some();
            session.ponderhit(budget);
            if let Some(watch) = &current.watch {
                // There is a clock now.
                self.deputy.watch(watch.clone());
            }
            if !has_limit && !session.is_endless() {
                // Neither now nor before was a time told: whatever is thought out must do.
                session.stop();
            }
        }
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.stop();
        let session = self.begin_work();
        let depth = depth.unwrap_or(bench::DEPTH).max(1);
        let equipment = Box::new(self.options.equipment());
        self.send(Job::Bench(equipment, depth, session));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(worker) = self.worker.take() {
            // What it had to say it has said.
            let _ = worker.join();
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
