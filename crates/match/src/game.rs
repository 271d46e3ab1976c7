//! One game between two players, from its start to its result.

use crate::adjudicate::{Adjudicated, Adjudication};
use crate::limit::ThinkingLimit;
use crate::player::Player;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tesuji_game::{GameClock, GameOver, Referee, Termination};
use tesuji_search::Answer;
use tesuji_shogi::{ByColor, Cause, Color, Move, Position, RuleSet, Value};
use tesuji_usi::Go;
use tesuji_usi::process::{MoveReply, MoveRequest, ProcessError};

/// What a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSettings {
    /// The rules of the game.
    pub rules: RuleSet,
    /// What bounds the thinking of each side.
    pub limits: ByColor<ThinkingLimit>,
    /// How much later than its clock allows an answer may come.
    pub margin: Duration,
    /// When a game ends early.
    pub adjudication: Adjudication,
    /// Whether players ponder.
    pub ponder: bool,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameEnd {
    /// The king was mated.
    Mate,
    /// There was no legal move and no check.
    NoMove,
    /// A player resigned.
    Resign,
    /// The fourth occurrence of a position.
    Repetition,
    /// A repetition by checks alone; the checking side loses.
    PerpetualCheck,
    /// A king entered and its owner declared.
    Declaration,
    /// A player declared though the rules do not allow it.
    WrongDeclaration,
    /// A king ran to the other side.
    Try,
    /// The move limit was reached.
    MoveLimit,
    /// A move against the rules.
    IllegalMove,
    /// An answer that is no move.
    Nonsense,
    /// The flag fell.
    Time,
    /// A player's process ended.
    Crash,
    /// A player did not answer.
    Silence,
    /// Won by agreement of both players' evaluations.
    AdjudicatedWin,
    /// Drawn by agreement of both players' evaluations.
    AdjudicatedDraw,
}

impl From<Cause> for GameEnd {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Mate => Self::Mate,
            Cause::NoMove => Self::NoMove,
            Cause::Repetition => Self::Repetition,
            Cause::PerpetualCheck => Self::PerpetualCheck,
            Cause::MoveLimit => Self::MoveLimit,
            Cause::Declaration => Self::Declaration,
            Cause::WrongDeclaration => Self::WrongDeclaration,
            Cause::Try => Self::Try,
        }
    }
}

/// A move, and what its player reported about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// How long it took.
    pub time: Duration,
    /// What the position is worth to the player.
    pub value: Option<Value>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// At how many positions.
    pub nodes: Option<u64>,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Every move.
    pub moves: Vec<PlayedMove>,
    /// Who won.
    pub winner: Option<Color>,
    /// Why it ended.
    pub end: GameEnd,
    /// More about it, where there is more to say.
    pub remark: Option<String>,
    /// How long it took, players' time and all.
    pub wall: Duration,
}

impl From<GameOver> for GameEnd {
    fn from(over: GameOver) -> Self {
        match over.termination {
            Termination::Rules(cause) => cause.into(),
            Termination::Resignation => Self::Resign,
            Termination::Time => Self::Time,
            Termination::IllegalMove(_) => Self::IllegalMove,
            Termination::IllegalAction => Self::Nonsense,
            Termination::Agreement if over.winner.is_some() => Self::AdjudicatedWin,
            Termination::Agreement => Self::AdjudicatedDraw,
        }
    }
}

/// How a game ended.
struct GameOutcome {
    winner: Option<Color>,
    end: GameEnd,
    remark: Option<String>,
}

impl GameOutcome {
    fn new(over: GameOver, remark: Option<String>) -> Self {
        Self {
            winner: over.winner,
            end: over.into(),
            remark,
        }
    }
}

/// Lets two players play a game from a position.
///
/// # Errors
/// If a player cannot even be started: that is no game.
pub fn play(
    players: ByColor<&mut dyn Player>,
    start: &Position,
    settings: &GameSettings,
) -> Result<PlayedGame, ProcessError> {
    let [black, white] = players.0;
    black.new_game()?;
    white.new_game()?;
    let controls = settings.limits.0.map(ThinkingLimit::control);
    let clock = GameClock::new(ByColor(controls)).with_margin(settings.margin);
    let mut game = RunningGame {
        players: ByColor([black, white]),
        start,
        referee: Referee::new(start.clone(), settings.rules, clock),
        moves: Vec::new(),
        played: Vec::new(),
        settings,
    };
    let began = Instant::now();
    let ending = loop {
        if let Some(ending) = game.step() {
            break ending;
        }
    };
    let wall = began.elapsed();
    for color in Color::ALL {
        let won = ending.winner.map(|winner| winner == color);
        game.players[color].game_over(won);
    }
    Ok(PlayedGame {
        moves: game.played,
        winner: ending.winner,
        end: ending.end,
        remark: ending.remark,
        wall,
    })
}

/// A running game.
struct RunningGame<'a> {
    players: ByColor<&'a mut dyn Player>,
    start: &'a Position,
    referee: Referee,
    moves: Vec<Move>,
    played: Vec<PlayedMove>,
    settings: &'a GameSettings,
}

impl RunningGame<'_> {
    /// Lets the side to move play; returns how the game ended if it did.
    fn step(&mut self) -> Option<GameOutcome> {
        if let Some(over) = self.referee.verdict().or_else(|| self.adjudicate()) {
            return Some(GameOutcome::new(over, None));
        }
        let turn = self.referee.turn();
        let go = ThinkingLimit::go(&self.settings.limits, self.referee.clock(), turn);
        let reply = self.players[turn].think(&MoveRequest {
            start: self.start,
            moves: &self.moves,
            go: &go,
            deadline: self.referee.clock().flag(turn),
        });
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => return Some(failed(turn, &error)),
        };
        let over = match reply.answer {
            Answer::Move(mv) => self.referee.play(mv, reply.time),
            Answer::Resign => Some(self.referee.resign(reply.time)),
            Answer::Declare => Some(self.referee.declare(reply.time)),
        };
        let remark = match (over.map(|over| over.termination), reply.answer) {
            (Some(Termination::Time), _) => {
                Some(format!("{} ms after {go}", reply.time.as_millis()))
            }
            (Some(Termination::IllegalMove(Some(foul))), Answer::Move(mv)) => {
                Some(format!("{mv}: {foul}"))
            }
            _ => None,
        };
        // A move that is late or illegal was not played.
        let stands = over.is_none_or(|over| over.move_stands());
        match reply.answer {
            Answer::Move(mv) if stands => {
                self.keep(mv, turn, &reply);
                None
            }
            _ => over.map(|over| GameOutcome::new(over, remark)),
        }
    }

    /// Writes a move down, and lets its player ponder.
    fn keep(&mut self, mv: Move, turn: Color, reply: &MoveReply) {
        self.moves.push(mv);
        self.played.push(PlayedMove {
            mv,
            time: reply.time,
            value: reply.value,
            depth: reply.depth,
            nodes: reply.nodes,
        });
        if self.settings.ponder {
            self.ponder(turn, reply.ponder);
        }
    }

    /// Lets the side that has moved ponder the reply it expects.
    fn ponder(&mut self, color: Color, guess: Option<Move>) {
        let Some(guess) = guess.filter(|&guess| self.referee.position().is_legal(guess)) else {
            return;
        };
        let moves: Vec<Move> = self.moves.iter().copied().chain([guess]).collect();
        let go = Go {
            ponder: true,
            ..ThinkingLimit::go(&self.settings.limits, self.referee.clock(), color)
        };
        self.players[color].ponder(&MoveRequest {
            start: self.start,
            moves: &moves,
            go: &go,
            deadline: None,
        });
    }

    /// Whether what the players say ends the game before the next move.
    fn adjudicate(&mut self) -> Option<GameOver> {
        let values: Vec<_> = self.played.iter().map(|played| played.value).collect();
        let pos = self.referee.position();
        let (last, ply) = (pos.turn().foe(), pos.ply() - 1);
        let winner = match self.settings.adjudication.adjudicate(&values, last, ply)? {
            Adjudicated::Win(color) => Some(color),
            Adjudicated::Draw => None,
        };
        Some(self.referee.end(GameOver {
            winner,
            termination: Termination::Agreement,
        }))
    }
}

fn failed(turn: Color, error: &ProcessError) -> GameOutcome {
    let end = match error {
        ProcessError::Start { .. } | ProcessError::Crash => GameEnd::Crash,
        ProcessError::Late(_) => GameEnd::Time,
        ProcessError::Silent(..) => GameEnd::Silence,
        ProcessError::Nonsense(_) => GameEnd::Nonsense,
    };
    GameOutcome {
        winner: Some(turn.foe()),
        end,
        remark: Some(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
