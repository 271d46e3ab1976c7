//! A player that is a USI engine in a process of its own.

mod mate;

pub use mate::MateAnswer;

use crate::player::{Player, PlayerError, Thought, Turn};
use crate::{BestMove, Command, GameResult, Info, OptionLine, Reply, Start, Times};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tesuji_search::Answer;
use tesuji_shogi::{Bound, Move, Position};

/// How to start an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
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

/// How long an engine may take to leave before it is made to.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long a late engine may take to answer `stop`.
const GRACE: Duration = Duration::from_secs(5);

/// A USI engine.
pub struct Process {
    recipe: Recipe,
    running: Option<Running>,
}

/// A process that was started, and what it says.
struct Running {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<(Instant, Reply)>,
    options: Vec<OptionLine>,
    name: Option<String>,
    /// The moves that lead to the position it ponders about.
    pondered: Option<Vec<Move>>,
}

impl Process {
    /// Nothing is started before the first game.
    pub fn new(recipe: Recipe) -> Self {
        Self {
            recipe,
            running: None,
        }
    }

    /// What it calls itself, once it was started.
    pub fn name(&self) -> Option<&str> {
        self.running.as_ref()?.name.as_deref()
    }

    /// Starts it unless it runs, and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started or does not answer.
    pub fn start(&mut self) -> Result<(), PlayerError> {
        if self.running.is_none() {
            let mut running = Running::spawn(&self.recipe)?;
            running.introduce(&self.recipe)?;
            running.make_ready(self.recipe.patience)?;
            self.running = Some(running);
        }
        Ok(())
    }

    /// Says something and does not wait for an answer.
    ///
    /// # Errors
    /// If nobody listens.
    pub fn say(&mut self, commands: &[Command]) -> Result<(), PlayerError> {
        self.with(|running, _| running.say(commands))
    }

    /// The next line, if one comes in time.
    ///
    /// # Errors
    /// If nobody speaks.
    pub fn hear(&mut self, until: Instant) -> Result<Option<Reply>, PlayerError> {
        self.with(|running, _| match running.hear(until) {
            Ok((_, reply)) => Ok(Some(reply)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(PlayerError::Crash),
        })
    }

    /// Sets options that the engine has and that nothing else was said about.
    ///
    /// # Errors
    /// If nobody listens.
    pub fn suggest(&mut self, suggestions: &[(String, String)]) -> Result<(), PlayerError> {
        self.with(|running, recipe| {
            let commands = running.settings(suggestions, recipe);
            running.say(&commands)
        })
    }

    /// Gives the process up without waiting for it to leave.
    pub fn abandon(&mut self) {
        let running = self.running.take();
        std::thread::spawn(move || drop(running));
    }

    /// Does something with the process; one that failed is not trusted any more.
    fn with<T>(
        &mut self,
        work: impl FnOnce(&mut Running, &Recipe) -> Result<T, PlayerError>,
    ) -> Result<T, PlayerError> {
        let running = self.running.as_mut().ok_or(PlayerError::Crash)?;
        let outcome = work(running, &self.recipe);
        let is_sound = matches!(outcome, Ok(_) | Err(PlayerError::Late(_)));
        if !is_sound {
            self.running = None;
        }
        outcome
    }
}

impl Player for Process {
    fn begin(&mut self) -> Result<(), PlayerError> {
        // One that died between the games deserves a second chance.
        if self.running.is_some() && self.with(Running::begin).is_ok() {
            return Ok(());
        }
        self.running = None;
        self.start()?;
        self.with(Running::begin)
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, PlayerError> {
        self.with(|running, recipe| running.think(turn, recipe.patience))
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        let is_off = |(name, value): &(String, String)| {
            name.eq_ignore_ascii_case("USI_Ponder") && value == "false"
        };
        if !self.recipe.options.iter().any(is_off) {
            // Whether it hears that is shown by the next question.
            let _ = self.with(|running, _| running.ponder(turn));
        }
    }

    fn end(&mut self, won: Option<bool>) {
        let result = match won {
            Some(true) => GameResult::Win,
            Some(false) => GameResult::Lose,
            None => GameResult::Draw,
        };
        // Whether it hears that is shown by the next game.
        let _ = self.with(|running, _| {
            if running.pondered.take().is_some() {
                running.say(&[Command::Stop])?;
            }
            running.say(&[Command::GameOver(Some(result))])
        });
    }
}

impl Running {
    fn spawn(recipe: &Recipe) -> Result<Self, PlayerError> {
        let failed = |why: &dyn std::fmt::Display| PlayerError::Start {
            command: recipe.command.join(" "),
            why: why.to_string(),
        };
        let (program, arguments) = recipe
            .command
            .split_first()
            .ok_or_else(|| failed(&"no command"))?;
        let mut command = std::process::Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(folder) = &recipe.folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(&"no pipes"));
        };
        let (sender, lines) = mpsc::channel();
        let listen = move || {
            let mut reader = BufReader::new(stdout);
            let mut line = Vec::new();
            while matches!(reader.read_until(b'\n', &mut line), Ok(length) if length > 0) {
                let now = Instant::now();
                let reply = Reply::read(&String::from_utf8_lossy(&line));
                // A blank line is a sign of life too.
                let reply = reply.unwrap_or(Reply::Text(String::new()));
                if sender.send((now, reply)).is_err() {
                    return;
                }
                line.clear();
            }
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
    fn say(&mut self, commands: &[Command]) -> Result<(), PlayerError> {
        let text: String = commands
            .iter()
            .map(|command| format!("{command}\n"))
            .collect();
        let written = self.stdin.write_all(text.as_bytes());
        written
            .and_then(|()| self.stdin.flush())
            .map_err(|_| PlayerError::Crash)
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
    ) -> Result<(), PlayerError> {
        loop {
            match self.hear(Instant::now() + patience) {
                Ok((_, reply)) if reply == *wanted => return Ok(()),
                Ok((_, reply)) => see(self, reply),
                Err(RecvTimeoutError::Disconnected) => return Err(PlayerError::Crash),
                Err(RecvTimeoutError::Timeout) => {
                    let waited = format!("when {wanted} was due");
                    return Err(PlayerError::Silent(patience, waited));
                }
            }
        }
    }

    fn introduce(&mut self, recipe: &Recipe) -> Result<(), PlayerError> {
        self.say(&[Command::Usi])?;
        self.wait_for(
            &Reply::UsiOk,
            recipe.patience,
            |running, reply| match reply {
                Reply::Name(name) => running.name = Some(name),
                Reply::Option(option) => running.options.push(option),
                _ => {}
            },
        )?;
        let mut commands = self.settings(&recipe.suggestions, recipe);
        commands.extend(recipe.options.iter().map(set));
        self.say(&commands)
    }

    /// What sets the suggestions that the engine knows and the recipe says nothing about.
    fn settings(&self, suggestions: &[(String, String)], recipe: &Recipe) -> Vec<Command> {
        let is = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
        let known = |name: &str| self.options.iter().any(|option| is(&option.name, name));
        let said = |name: &str| recipe.options.iter().any(|(other, _)| is(name, other));
        let suggested = suggestions.iter();
        let suggested = suggested.filter(|(name, _)| known(name) && !said(name));
        suggested.map(set).collect()
    }

    /// A new game: what an engine does about it, it does before its clock runs.
    fn begin(&mut self, recipe: &Recipe) -> Result<(), PlayerError> {
        self.say(&[Command::NewGame])?;
        self.make_ready(recipe.patience)
    }

    fn make_ready(&mut self, patience: Duration) -> Result<(), PlayerError> {
        self.say(&[Command::IsReady])?;
        self.wait_for(&Reply::ReadyOk, patience, |_, _| {})
    }

    fn think(&mut self, turn: &Turn<'_>, patience: Duration) -> Result<Thought, PlayerError> {
        let asked = Instant::now();
        match self.pondered.take() {
            Some(moves) if moves == turn.moves => {
                self.say(&[Command::PonderHit(Times::default())])?;
            }
            pondered => {
                if pondered.is_some() {
                    self.stop()?;
                }
                self.ask(turn)?;
            }
        }
        let mut last = Info::default();
        loop {
            let until = match turn.deadline {
                Some(deadline) => asked + deadline,
                None => Instant::now() + patience,
            };
            match self.hear(until) {
                Ok((at, Reply::BestMove(best))) => {
                    let time = at.saturating_duration_since(asked);
                    return match turn.deadline {
                        Some(deadline) if time > deadline => Err(PlayerError::Late(time)),
                        _ => Ok(thought(best, time, &last)),
                    };
                }
                Ok((_, Reply::Info(info))) => keep(&mut last, *info),
                Ok((_, Reply::Text(text))) if text.starts_with("bestmove") => {
                    return Err(PlayerError::Nonsense(text.chars().take(80).collect()));
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(PlayerError::Crash),
                Err(RecvTimeoutError::Timeout) if turn.deadline.is_some() => {
                    let stopped = self.stop();
                    let time = |at: Instant| at.saturating_duration_since(asked);
                    return Err(
                        stopped.map_or_else(|error| error, |at| PlayerError::Late(time(at)))
                    );
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(PlayerError::Silent(patience, turn.go.to_string()));
                }
            }
        }
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), PlayerError> {
        // Nothing that was said before belongs to this question.
        while self.lines.try_recv().is_ok() {}
        let position = position(turn.start, turn.moves);
        self.say(&[position, Command::Go(Box::new(turn.go.clone()))])
    }

    fn ponder(&mut self, turn: &Turn<'_>) -> Result<(), PlayerError> {
        self.ask(turn)?;
        self.pondered = Some(turn.moves.to_vec());
        Ok(())
    }

    /// Stops an engine that is too late, or ponders in vain, so that it can be asked again; when it
    /// answered.
    fn stop(&mut self) -> Result<Instant, PlayerError> {
        let until = Instant::now() + GRACE;
        self.say(&[Command::Stop])?;
        loop {
            match self.hear(until) {
                Ok((at, Reply::BestMove(_))) => return Ok(at),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(PlayerError::Crash),
                Err(RecvTimeoutError::Timeout) => {
                    let told = "when it was told to stop".into();
                    return Err(PlayerError::Silent(GRACE, told));
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.say(&[Command::Quit]);
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                _ => return,
            }
        }
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
        true => Start::Even,
        false => Start::Sfen(start.to_sfen()),
    };
    Command::Position {
        start,
        moves: moves.to_vec(),
    }
}

/// Keeps the newest of everything that was told about the best line.
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

fn thought(best: BestMove, time: Duration, last: &Info) -> Thought {
    Thought {
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
