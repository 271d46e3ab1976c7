//! Whoever thinks for the client, without being waited for.

use crate::times::TimeRules;
use std::time::{Duration, Instant};
use tesuji_shogi::{DeclarationRule, Move, Position};
use tesuji_usi::player::{Player, PlayerError};
use tesuji_usi::process::{Process, keep, position};
use tesuji_usi::{BestMove, Command, Go, Info, Reply, Times};

/// What is known before a game.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// After how many moves it is drawn.
    pub move_limit: Option<u32>,
    /// By which rule a king enters.
    pub declaration: DeclarationRule,
    /// How one's own time is counted.
    pub times: TimeRules,
    /// What the way to the server costs, usually and at worst.
    pub delay: [Duration; 2],
    /// Whether there will be thinking on the other side's time.
    pub ponder: bool,
}

/// A position to think about.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Where the game began.
    pub start: &'a Position,
    /// The moves since then; when pondering, the last one is a guess.
    pub moves: &'a [Move],
    /// The clocks.
    pub times: Times,
}

/// An answer, and what was said on the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reflection {
    /// What to do.
    pub best: BestMove,
    /// The newest of everything that was said about the best line.
    pub info: Info,
}

/// Somebody who thinks while others wait for it or do not.
pub trait Brain: Send {
    /// Gets ready for a game.
    ///
    /// # Errors
    /// If it cannot play.
    fn begin(&mut self, conditions: &Conditions) -> Result<(), PlayerError>;

    /// Begins to think about a position; what it thought about before is forgotten.
    ///
    /// # Errors
    /// If it is gone.
    fn ask(&mut self, question: &Question<'_>) -> Result<(), PlayerError>;

    /// Begins to think about a position that may come.
    ///
    /// # Errors
    /// If it is gone.
    fn ponder(&mut self, question: &Question<'_>) -> Result<(), PlayerError>;

    /// The position it ponders about has come.
    ///
    /// # Errors
    /// If it is gone.
    fn hit(&mut self) -> Result<(), PlayerError>;

    /// It must answer now.
    ///
    /// # Errors
    /// If it is gone.
    fn hurry(&mut self) -> Result<(), PlayerError>;

    /// Its answer, if it comes in time.
    ///
    /// # Errors
    /// If it is gone, or answers nonsense.
    fn poll(&mut self, until: Instant) -> Result<Option<Reflection>, PlayerError>;

    /// The move it would play now.
    fn favourite(&self) -> Option<Move>;

    /// The game is over: won, lost, or neither.
    fn end(&mut self, won: Option<bool>);

    /// It is not trusted any more; it may begin anew.
    fn abandon(&mut self);
}

#[derive(Debug)]
enum State {
    Idle,
    Thinking,
    /// The answer may come too early.
    Pondering(Option<Reflection>),
    /// An answer that nobody wants is due; then comes the next question.
    Stopping(Option<Vec<Command>>),
    /// It answered while it pondered, and the guess was right.
    Ready(Reflection),
}

/// A USI engine as somebody who thinks.
pub struct Companion {
    process: Process,
    state: State,
    last: Info,
}

impl Companion {
    /// Nothing is started before the first game.
    pub fn new(process: Process) -> Self {
        Self {
            process,
            state: State::Idle,
            last: Info::default(),
        }
    }

    /// Starts the engine, to see whether it can be.
    ///
    /// # Errors
    /// If it cannot.
    pub fn start(&mut self) -> Result<(), PlayerError> {
        self.process.start()
    }

    fn commands(question: &Question<'_>, ponder: bool) -> Vec<Command> {
        let go = Go {
            ponder,
            times: question.times,
            ..Go::default()
        };
        vec![
            position(question.start, question.moves),
            Command::Go(Box::new(go)),
        ]
    }
}

impl Brain for Companion {
    fn begin(&mut self, conditions: &Conditions) -> Result<(), PlayerError> {
        self.state = State::Idle;
        self.process.start()?;
        let millis = |time: Duration| time.as_millis().to_string();
        let times = &conditions.times;
        let whole = !times.round_up && times.unit >= Duration::from_secs(1);
        let least = times.least.saturating_sub(conditions.delay[0]);
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
        // One that died between the games is started anew, and asked again.
        if self.process.suggest(&suggestions).is_err() {
            self.process.start()?;
            self.process.suggest(&suggestions)?;
        }
        self.process.begin()
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<(), PlayerError> {
        let commands = Self::commands(question, false);
        match self.state {
            State::Thinking | State::Pondering(None) => {
                self.state = State::Stopping(Some(commands));
                self.process.say(&[Command::Stop])
            }
            State::Stopping(_) => {
                self.state = State::Stopping(Some(commands));
                Ok(())
            }
            State::Idle | State::Pondering(Some(_)) | State::Ready(_) => {
                self.last = Info::default();
                self.state = State::Thinking;
                self.process.say(&commands)
            }
        }
    }

    fn ponder(&mut self, question: &Question<'_>) -> Result<(), PlayerError> {
        if !matches!(self.state, State::Idle) {
            return Ok(());
        }
        self.last = Info::default();
        self.state = State::Pondering(None);
        self.process.say(&Self::commands(question, true))
    }

    fn hit(&mut self) -> Result<(), PlayerError> {
        match std::mem::replace(&mut self.state, State::Thinking) {
            State::Pondering(Some(early)) => {
                self.state = State::Ready(early);
                Ok(())
            }
            _ => self.process.say(&[Command::PonderHit(Times::default())]),
        }
    }

    fn hurry(&mut self) -> Result<(), PlayerError> {
        match self.state {
            State::Thinking => self.process.say(&[Command::Stop]),
            _ => Ok(()),
        }
    }

    fn poll(&mut self, until: Instant) -> Result<Option<Reflection>, PlayerError> {
        loop {
            if let State::Ready(early) = &self.state {
                let early = early.clone();
                self.state = State::Idle;
                return Ok(Some(early));
            }
            let best = match self.process.hear(until)? {
                None => return Ok(None),
                Some(Reply::BestMove(best)) => best,
                Some(Reply::Info(info)) => {
                    if matches!(self.state, State::Thinking | State::Pondering(None)) {
                        keep(&mut self.last, *info);
                    }
                    continue;
                }
                Some(Reply::Text(text)) if text.starts_with("bestmove") => {
                    return Err(PlayerError::Nonsense(text.chars().take(80).collect()));
                }
                Some(_) => continue,
            };
            let info = std::mem::take(&mut self.last);
            let reflection = Reflection { best, info };
            match std::mem::replace(&mut self.state, State::Idle) {
                State::Thinking => return Ok(Some(reflection)),
                State::Pondering(_) => self.state = State::Pondering(Some(reflection)),
                State::Stopping(Some(commands)) => {
                    self.state = State::Thinking;
                    self.process.say(&commands)?;
                }
                _ => {}
            }
        }
    }

    fn favourite(&self) -> Option<Move> {
        self.last.pv.first().copied()
    }

    fn end(&mut self, won: Option<bool>) {
        if matches!(self.state, State::Thinking | State::Pondering(None)) {
            // Whether it hears that is shown by the next game.
            let _ = self.process.say(&[Command::Stop]);
        }
        self.state = State::Idle;
        self.process.end(won);
    }

    fn abandon(&mut self) {
        self.state = State::Idle;
        self.process.abandon();
    }
}
