//! A USI engine in a process of its own, as a GUI or a match sees it.

mod mate;
mod request;

pub use mate::MateAnswer;
pub use request::{MoveReply, MoveRequest, ProcessError};

use crate::lines::{LineRead, read_line};
use crate::{BestMove, Command, GameOverResult, Info, InitialPosition, OptionLine, Reply, Times};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_search::Answer;
use tesuji_shogi::{Bound, Move, Position};

/// How to start an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineLaunch {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it runs; here if there is none.
    pub folder: Option<String>,
    /// What is set before the first game.
    pub options: Vec<(String, String)>,
    /// What is set too, if the engine has such an option and nothing else was said about it.
    pub suggestions: Vec<(String, String)>,
    /// How long it may say nothing when it should.
    pub patience: Duration,
}

/// How long an engine may take to quit before it is killed.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long a late engine may take to answer `stop`.
const GRACE: Duration = Duration::from_secs(5);

/// A USI engine.
pub struct EngineProcess {
    launch: EngineLaunch,
    running: Option<RunningEngine>,
    waker: ProcessWaker,
}

/// Wakes whoever waits for something else as well, whenever the process has said a line or ended.
#[derive(Clone, Default)]
struct ProcessWaker(Arc<Mutex<Option<WakeCallback>>>);

type WakeCallback = Box<dyn Fn() + Send>;

impl ProcessWaker {
    fn wake(&self) {
        let wake = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(wake) = &*wake {
            wake();
        }
    }
}

/// A process that was started, and the lines it writes.
struct RunningEngine {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<(Instant, Reply)>,
    options: Vec<OptionLine>,
    name: Option<String>,
    /// The moves that lead to the position it ponders about.
    pondered: Option<Vec<Move>>,
}

impl EngineProcess {
    /// Nothing is started before the first game.
    pub fn new(launch: EngineLaunch) -> Self {
        Self {
            launch,
            running: None,
            waker: ProcessWaker::default(),
        }
    }

    /// Calls `wake` from now on whenever there is something to hear, in a thread of its own.
    pub fn wake_with(&mut self, wake: impl Fn() + Send + 'static) {
        let mut slot = self.waker.0.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = Some(Box::new(wake));
    }

    /// The name it gave itself, once it was started.
    pub fn name(&self) -> Option<&str> {
        self.running.as_ref()?.name.as_deref()
    }

    /// The options it told of, once it was started.
    pub fn options(&self) -> &[OptionLine] {
        self.running
            .as_ref()
            .map_or(&[], |running| &running.options)
    }

    /// Starts it unless it runs, and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started or does not answer.
    pub fn start(&mut self) -> Result<(), ProcessError> {
        if self.running.is_none() {
            let mut running = RunningEngine::spawn(&self.launch, self.waker.clone())?;
            running.introduce(&self.launch)?;
            running.make_ready(self.launch.patience)?;
            self.running = Some(running);
        }
        Ok(())
    }

    /// Sends commands and does not wait for an answer.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn say(&mut self, commands: &[Command]) -> Result<(), ProcessError> {
        self.with(|running, _| running.say(commands))
    }

    /// The next line, if one comes in time.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn hear(&mut self, until: Instant) -> Result<Option<Reply>, ProcessError> {
        self.with(|running, _| match running.hear(until) {
            Ok((_, reply)) => Ok(Some(reply)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(ProcessError::Crash),
        })
    }

    /// Sets options that the engine has, unless its launch sets them to something else.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn suggest(&mut self, suggestions: &[(String, String)]) -> Result<(), ProcessError> {
        self.with(|running, launch| {
            let commands = running.settings(suggestions, launch);
            running.say(&commands)
        })
    }

    /// Gives the process up without waiting for it to leave.
    pub fn abandon(&mut self) {
        let running = self.running.take();
        std::thread::spawn(move || drop(running));
    }

    /// Does something with the process, and ends it if that failed.
    fn with<T>(
        &mut self,
        work: impl FnOnce(&mut RunningEngine, &EngineLaunch) -> Result<T, ProcessError>,
    ) -> Result<T, ProcessError> {
        let running = self.running.as_mut().ok_or(ProcessError::Crash)?;
        let outcome = work(running, &self.launch);
        let is_sound = matches!(outcome, Ok(_) | Err(ProcessError::Late(_)));
        if !is_sound {
            self.running = None;
        }
        outcome
    }

    /// Gets the engine ready for a game; starts it if it does not run.
    ///
    /// # Errors
    /// If it cannot be started or does not answer.
    pub fn new_game(&mut self) -> Result<(), ProcessError> {
        // An engine that died between two games is started once more.
        if self.running.is_some() && self.with(RunningEngine::new_game).is_ok() {
            return Ok(());
        }
        self.running = None;
        self.start()?;
        self.with(RunningEngine::new_game)
    }

    /// Lets the engine think about a position and waits for its answer.
    ///
    /// # Errors
    /// If it does not answer in time, or not in the words of the protocol.
    pub fn think(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, ProcessError> {
        self.with(|running, launch| running.think(request, launch.patience))
    }

    /// Lets the engine ponder, unless its options forbid that. The next request shows whether the
    /// guessed move was played.
    pub fn ponder(&mut self, request: &MoveRequest<'_>) {
        let is_off = |(name, value): &(String, String)| {
            name.eq_ignore_ascii_case("USI_Ponder") && value == "false"
        };
        if !self.launch.options.iter().any(is_off) {
            // The next request shows whether it hears that.
            let _ = self.with(|running, _| running.ponder(request));
        }
    }

    /// Tells the engine how the game ended: whether it won, or `None` for a draw.
    pub fn game_over(&mut self, won: Option<bool>) {
        let result = match won {
            Some(true) => GameOverResult::Win,
            Some(false) => GameOverResult::Lose,
            None => GameOverResult::Draw,
        };
        // The next game shows whether it hears that.
        let _ = self.with(|running, _| {
            if running.pondered.take().is_some() {
                running.say(&[Command::Stop])?;
            }
            running.say(&[Command::GameOver(Some(result))])
        });
    }
}

impl RunningEngine {
    fn spawn(launch: &EngineLaunch, waker: ProcessWaker) -> Result<Self, ProcessError> {
        let failed = |why: &dyn std::fmt::Display| ProcessError::Start {
            command: launch.command.join(" "),
            why: why.to_string(),
        };
        let (program, arguments) = launch
            .command
            .split_first()
            .ok_or_else(|| failed(&"no command"))?;
        let mut command = std::process::Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(folder) = &launch.folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(&"no pipes"));
        };
        let (sender, lines) = mpsc::channel();
        let listen = move || {
            read_replies(BufReader::new(stdout), |reply| {
                let is_heard = sender.send(reply).is_ok();
                waker.wake();
                is_heard
            });
            drop(sender);
            waker.wake();
        };
        let builder = std::thread::Builder::new().name("listener".into());
        builder.spawn(listen).map_err(|error| failed(&error))?;
        Ok(Self {
            child,
            stdin,
            lines,
            options: Vec::new(),
            name: None,
            pondered: None,
        })
    }

    /// Sends lines in one write.
    fn say(&mut self, commands: &[Command]) -> Result<(), ProcessError> {
        let text: String = commands
            .iter()
            .map(|command| format!("{command}\n"))
            .collect();
        let written = self.stdin.write_all(text.as_bytes());
        written
            .and_then(|()| self.stdin.flush())
            .map_err(|_| ProcessError::Crash)
    }

    /// The next line, if it comes in time.
    fn hear(&self, until: Instant) -> Result<(Instant, Reply), RecvTimeoutError> {
        let wait = until.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(wait)
    }

    /// Waits for a line; every other line is handed to `see` and renews the patience.
    fn wait_for(
        &mut self,
        wanted: &Reply,
        patience: Duration,
        mut see: impl FnMut(&mut Self, Reply),
    ) -> Result<(), ProcessError> {
        loop {
            match self.hear(Instant::now() + patience) {
                Ok((_, reply)) if reply == *wanted => return Ok(()),
                Ok((_, reply)) => see(self, reply),
                Err(RecvTimeoutError::Disconnected) => return Err(ProcessError::Crash),
                Err(RecvTimeoutError::Timeout) => {
                    let waited = format!("when {wanted} was due");
                    return Err(ProcessError::Silent(patience, waited));
                }
            }
        }
    }

    fn introduce(&mut self, launch: &EngineLaunch) -> Result<(), ProcessError> {
        self.say(&[Command::Usi])?;
        self.wait_for(
            &Reply::UsiOk,
            launch.patience,
            |running, reply| match reply {
                Reply::Name(name) => running.name = Some(name),
                Reply::Option(option) => running.options.push(option),
                _ => {}
            },
        )?;
        let mut commands = self.settings(&launch.suggestions, launch);
        commands.extend(launch.options.iter().map(set));
        self.say(&commands)
    }

    /// What sets the suggestions that the engine knows and the launch says nothing about.
    fn settings(&self, suggestions: &[(String, String)], launch: &EngineLaunch) -> Vec<Command> {
        let is = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
        let known = |name: &str| self.options.iter().any(|option| is(&option.name, name));
        let said = |name: &str| launch.options.iter().any(|(other, _)| is(name, other));
        let suggested = suggestions.iter();
        let suggested = suggested.filter(|(name, _)| known(name) && !said(name));
        suggested.map(set).collect()
    }

    /// A new game: what an engine does about it, it does before its clock runs.
    fn new_game(&mut self, launch: &EngineLaunch) -> Result<(), ProcessError> {
        self.say(&[Command::NewGame])?;
        self.make_ready(launch.patience)
    }

    fn make_ready(&mut self, patience: Duration) -> Result<(), ProcessError> {
        self.say(&[Command::IsReady])?;
        self.wait_for(&Reply::ReadyOk, patience, |_, _| {})
    }

    fn think(
        &mut self,
        request: &MoveRequest<'_>,
        patience: Duration,
    ) -> Result<MoveReply, ProcessError> {
        let asked = Instant::now();
        match self.pondered.take() {
            Some(moves) if moves == request.moves => {
                self.say(&[Command::PonderHit(Times::default())])?;
            }
            pondered => {
                if pondered.is_some() {
                    self.stop()?;
                }
                self.ask(request)?;
            }
        }
        let mut last = Info::default();
        loop {
            let until = match request.deadline {
                Some(deadline) => asked + deadline,
                None => Instant::now() + patience,
            };
            match self.hear(until) {
                Ok((at, Reply::BestMove(best))) => {
                    let time = at.saturating_duration_since(asked);
                    return match request.deadline {
                        Some(deadline) if time > deadline => Err(ProcessError::Late(time)),
                        _ => Ok(move_reply(best, time, &last)),
                    };
                }
                Ok((_, Reply::Info(info))) => keep(&mut last, *info),
                Ok((_, Reply::Text(text))) if text.starts_with("bestmove") => {
                    return Err(ProcessError::Nonsense(text.chars().take(80).collect()));
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(ProcessError::Crash),
                Err(RecvTimeoutError::Timeout) if request.deadline.is_some() => {
                    let stopped = self.stop();
                    let time = |at: Instant| at.saturating_duration_since(asked);
                    return Err(
                        stopped.map_or_else(|error| error, |at| ProcessError::Late(time(at)))
                    );
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(ProcessError::Silent(patience, request.go.to_string()));
                }
            }
        }
    }

    fn ask(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError> {
        // Lines that came before do not belong to this request.
        while self.lines.try_recv().is_ok() {}
        self.say(&request.commands())
    }

    fn ponder(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError> {
        self.ask(request)?;
        self.pondered = Some(request.moves.to_vec());
        Ok(())
    }

    /// Stops an engine that is too late, or ponders in vain, so that it can be asked again; when it
    /// answered.
    fn stop(&mut self) -> Result<Instant, ProcessError> {
        let until = Instant::now() + GRACE;
        self.say(&[Command::Stop])?;
        loop {
            match self.hear(until) {
                Ok((at, Reply::BestMove(_))) => return Ok(at),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(ProcessError::Crash),
                Err(RecvTimeoutError::Timeout) => {
                    let told = "when it was told to stop".into();
                    return Err(ProcessError::Silent(GRACE, told));
                }
            }
        }
    }
}

/// Reads what a process says, and when, until it ends or nobody wants to hear it any more.
fn read_replies(mut reader: impl BufRead, mut hear: impl FnMut((Instant, Reply)) -> bool) {
    let mut line = Vec::new();
    loop {
        match read_line(&mut reader, &mut line) {
            Ok(LineRead::Line) => {}
            // Whatever an engine shouts, its next line may be an answer.
            Ok(LineRead::TooLong) => continue,
            Ok(LineRead::End) | Err(_) => return,
        }
        let now = Instant::now();
        let reply = Reply::read(&String::from_utf8_lossy(&line));
        // A blank line is a sign of life too.
        let reply = reply.unwrap_or(Reply::Text(String::new()));
        if !hear((now, reply)) {
            return;
        }
    }
}

impl Drop for RunningEngine {
    fn drop(&mut self) {
        let _ = self.say(&[Command::Quit]);
        let until = Instant::now() + FAREWELL;
        // A process that ends says nothing more, and the listener is gone.
        while self.hear(until).is_ok() && Instant::now() < until {}
        // Whoever has ended does not mind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command that sets an option.
fn set((name, value): &(String, String)) -> Command {
    Command::SetOption {
        name: name.clone(),
        value: Some(value.clone()).filter(|value| !value.is_empty()),
    }
}

/// The command that sets up a position with its past.
pub fn position(start: &Position, moves: &[Move]) -> Command {
    let start = match *start == Position::start() {
        true => InitialPosition::Even,
        false => InitialPosition::Sfen(start.to_sfen()),
    };
    Command::Position {
        start,
        moves: moves.to_vec(),
    }
}

/// Keeps the newest of everything that `info` lines told about the best line.
pub fn keep(last: &mut Info, info: Info) {
    if info.multipv.is_some_and(|rank| rank > 1) || info.text.is_some() {
        return;
    }
    last.nodes = info.nodes.or(last.nodes);
    if let Some(score) = info.score {
        // A bound says less than the value before it, but more than nothing.
        if score.bound == Bound::Exact || last.score.is_none() {
            last.score = Some(score);
            last.pv = info.pv;
        }
        last.depth = info.depth.or(last.depth);
    }
}

fn move_reply(best: BestMove, time: Duration, last: &Info) -> MoveReply {
    MoveReply {
        ponder: match best {
            BestMove::Move { ponder, .. } => ponder,
            _ => None,
        },
        answer: match best {
            BestMove::Move { mv, .. } => Answer::Move(mv),
            BestMove::Resign => Answer::Resign,
            BestMove::Win => Answer::Declare,
        },
        time,
        value: last.score.map(|score| score.value()),
        depth: last.depth,
        nodes: last.nodes,
    }
}
