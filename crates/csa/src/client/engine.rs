//! The engine that plays for the client. It thinks while the client listens to the server.

use std::time::{Duration, Instant};
use tesuji_game::TimeControl;
use tesuji_shogi::{DeclarationRule, Move};
use tesuji_usi::process::{EngineProcess, MoveRequest, ProcessError, keep};
use tesuji_usi::{BestMove, Command, Info, Reply, Times};

/// What the engine is told before a game.
#[derive(Clone, Copy, Debug)]
pub struct GameConditions {
    /// After how many moves it is drawn.
    pub move_limit: Option<u32>,
    /// By which rule a king enters.
    pub declaration: DeclarationRule,
    /// How the engine's time is counted.
    pub control: TimeControl,
    /// How long a line takes to the server and back, usually and at worst.
    pub delay: [Duration; 2],
    /// Whether the engine will ponder.
    pub ponder: bool,
}

/// A `bestmove`, and the `info` that led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineAnswer {
    /// What to do.
    pub best: BestMove,
    /// The newest of everything that was said about the best line.
    pub info: Info,
}

/// An engine that is asked and polled; no call waits for a search.
pub trait ClientEngine: Send {
    /// Gets ready for a game.
    ///
    /// # Errors
    /// If it cannot play.
    fn new_game(&mut self, conditions: &GameConditions) -> Result<(), ProcessError>;

    /// Begins to think about a position; what it thought about before is forgotten. Whoever asks watches
    /// the clock.
    ///
    /// # Errors
    /// If it is gone.
    fn go(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError>;

    /// Begins to think about a position that may come: the last move is a guess, and `go` says so.
    ///
    /// # Errors
    /// If it is gone.
    fn ponder(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError>;

    /// The pondered move was played.
    ///
    /// # Errors
    /// If it is gone.
    fn ponderhit(&mut self) -> Result<(), ProcessError>;

    /// The engine must answer now.
    ///
    /// # Errors
    /// If it is gone.
    fn stop(&mut self) -> Result<(), ProcessError>;

    /// Its answer, if it has come.
    ///
    /// # Errors
    /// If it is gone, or answers nonsense.
    fn poll(&mut self) -> Result<Option<EngineAnswer>, ProcessError>;

    /// Calls `wake` from now on whenever an answer may have come.
    fn wake_with(&mut self, wake: Box<dyn Fn() + Send>);

    /// The first move of the best line so far.
    fn best_so_far(&self) -> Option<Move>;

    /// The game is over: won, lost, or neither.
    fn game_over(&mut self, won: Option<bool>);

    /// Gives up an engine that cannot be trusted any more; a new game starts it anew.
    fn abandon(&mut self);
}

#[derive(Debug)]
enum EngineState {
    Idle,
    Thinking,
    /// It ponders; its answer may already have come.
    Pondering(Option<EngineAnswer>),
    /// It was stopped; its answer is thrown away, then the next request is sent.
    Stopping(Option<[Command; 2]>),
    /// It answered while it pondered, and the pondered move was played.
    Ready(EngineAnswer),
}

/// A USI engine in a process of its own.
pub struct UsiClientEngine {
    process: EngineProcess,
    state: EngineState,
    last: Info,
}

impl UsiClientEngine {
    /// Nothing is started before the first game.
    pub fn new(process: EngineProcess) -> Self {
        Self {
            process,
            state: EngineState::Idle,
            last: Info::default(),
        }
    }

    /// Starts the engine, to see whether it can be.
    ///
    /// # Errors
    /// If it cannot.
    pub fn start(&mut self) -> Result<(), ProcessError> {
        self.process.start()
    }
}

impl ClientEngine for UsiClientEngine {
    fn new_game(&mut self, conditions: &GameConditions) -> Result<(), ProcessError> {
        self.state = EngineState::Idle;
        self.process.start()?;
        let millis = |time: Duration| time.as_millis().to_string();
        let control = &conditions.control;
        let whole = !control.round_up && control.unit >= Duration::from_secs(1);
        let least = control.least.saturating_sub(conditions.delay[0]);
        let suggestions = [
            (
                "MaxMovesToDraw",
                conditions.move_limit.unwrap_or(0).to_string(),
            ),
            ("EnteringKingRule", conditions.declaration.to_string()),
            ("USI_Ponder", conditions.ponder.to_string()),
            ("NetworkDelay", millis(conditions.delay[0])),
            ("NetworkDelay2", millis(conditions.delay[1])),
            ("MinimumThinkingTime", millis(least)),
            ("RoundUpToFullSecond", whole.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value));
        // An engine that died between the games is started anew.
        if self.process.suggest(&suggestions).is_err() {
            self.process.start()?;
            self.process.suggest(&suggestions)?;
        }
        self.process.new_game()
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError> {
        let commands = request.commands();
        match self.state {
            EngineState::Thinking | EngineState::Pondering(None) => {
                self.state = EngineState::Stopping(Some(commands));
                self.process.say(&[Command::Stop])
            }
            EngineState::Stopping(_) => {
                self.state = EngineState::Stopping(Some(commands));
                Ok(())
            }
            EngineState::Idle | EngineState::Pondering(Some(_)) | EngineState::Ready(_) => {
                self.last = Info::default();
                self.state = EngineState::Thinking;
                self.process.say(&commands)
            }
        }
    }

    fn ponder(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError> {
        if !matches!(self.state, EngineState::Idle) {
            return Ok(());
        }
        self.last = Info::default();
        self.state = EngineState::Pondering(None);
        self.process.say(&request.commands())
    }

    fn ponderhit(&mut self) -> Result<(), ProcessError> {
        match std::mem::replace(&mut self.state, EngineState::Thinking) {
            EngineState::Pondering(Some(early)) => {
                self.state = EngineState::Ready(early);
                Ok(())
            }
            _ => self.process.say(&[Command::PonderHit(Times::default())]),
        }
    }

    fn stop(&mut self) -> Result<(), ProcessError> {
        match self.state {
            EngineState::Thinking => self.process.say(&[Command::Stop]),
            _ => Ok(()),
        }
    }

    fn wake_with(&mut self, wake: Box<dyn Fn() + Send>) {
        self.process.wake_with(wake);
    }

    fn poll(&mut self) -> Result<Option<EngineAnswer>, ProcessError> {
        loop {
            if let EngineState::Ready(early) = &self.state {
                let early = early.clone();
                self.state = EngineState::Idle;
                return Ok(Some(early));
            }
            let best = match self.process.hear(Instant::now())? {
                None => return Ok(None),
                Some(Reply::BestMove(best)) => best,
                Some(Reply::Info(info)) => {
                    if matches!(
                        self.state,
                        EngineState::Thinking | EngineState::Pondering(None)
                    ) {
                        keep(&mut self.last, *info);
                    }
                    continue;
                }
                Some(Reply::Text(text)) if text.starts_with("bestmove") => {
                    return Err(ProcessError::Nonsense(text.chars().take(80).collect()));
                }
                Some(_) => continue,
            };
            let info = std::mem::take(&mut self.last);
            let answer = EngineAnswer { best, info };
            match std::mem::replace(&mut self.state, EngineState::Idle) {
                EngineState::Thinking => return Ok(Some(answer)),
                EngineState::Pondering(_) => self.state = EngineState::Pondering(Some(answer)),
                EngineState::Stopping(Some(commands)) => {
                    self.state = EngineState::Thinking;
                    self.process.say(&commands)?;
                }
                _ => {}
            }
        }
    }

    fn best_so_far(&self) -> Option<Move> {
        self.last.pv.first().copied()
    }

    fn game_over(&mut self, won: Option<bool>) {
        if matches!(
            self.state,
            EngineState::Thinking | EngineState::Pondering(None)
        ) {
            // The next game shows whether it hears that.
            let _ = self.process.say(&[Command::Stop]);
        }
        self.state = EngineState::Idle;
        self.process.game_over(won);
    }

    fn abandon(&mut self) {
        self.state = EngineState::Idle;
        self.process.abandon();
    }
}
