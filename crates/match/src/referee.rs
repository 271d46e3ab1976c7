//! One game from its start to its result.

use crate::adjudicate::{Adjudication, Verdict};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tesuji_game::{GameClock, TimeControl};
use tesuji_search::Answer;
use tesuji_shogi::rules::{declared, outcome};
use tesuji_shogi::{ByColor, Cause, Color, Move, Position, RuleSet, Value};
use tesuji_usi::Go;
use tesuji_usi::player::{Player, PlayerError, Turn};

/// What the referee goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Regulations {
    /// The rules of the game.
    pub rules: RuleSet,
    /// How long each side may think.
    pub controls: ByColor<TimeControl>,
    /// How much later than its clock allows an answer may come.
    pub margin: Duration,
    /// When a game ends early.
    pub adjudication: Adjudication,
    /// Whether players think on each other's time.
    pub ponder: bool,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The king was mated.
    Mate,
    /// There was no legal move and no check.
    NoMove,
    /// A player gave up.
    Resign,
    /// The fourth occurrence of a position.
    Repetition,
    /// A repetition by checks alone; the checking side loses.
    PerpetualCheck,
    /// A king entered and its owner declared.
    Declaration,
    /// Somebody declared who may not.
    WrongDeclaration,
    /// A king ran to the other side.
    Try,
    /// Too many moves.
    MoveLimit,
    /// A move against the rules.
    IllegalMove,
    /// An answer that is no move.
    Nonsense,
    /// Too much time.
    Time,
    /// A player that ended.
    Crash,
    /// A player that says nothing.
    Silence,
    /// Won by agreement of both players' evaluations.
    AdjudicatedWin,
    /// Drawn by agreement of both players' evaluations.
    AdjudicatedDraw,
}

impl From<Cause> for End {
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

/// One move, and what its player said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
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

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Every move.
    pub moves: Vec<Played>,
    /// Who won.
    pub winner: Option<Color>,
    /// Why it ended.
    pub end: End,
    /// More about it, where there is more to say.
    pub remark: Option<String>,
    /// How long it took, players' time and all.
    pub wall: Duration,
}

/// A result before the moves are added to it.
struct Ending {
    winner: Option<Color>,
    end: End,
    remark: Option<String>,
}

impl Ending {
    fn loss(loser: Color, end: End, remark: Option<String>) -> Self {
        Self {
            winner: Some(loser.foe()),
            end,
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
    regulations: &Regulations,
) -> Result<Game, PlayerError> {
    let [black, white] = players.0;
    black.begin()?;
    white.begin()?;
    let mut table = Table {
        players: ByColor([black, white]),
        start,
        pos: start.clone(),
        clock: GameClock::new(regulations.controls, regulations.margin),
        moves: Vec::new(),
        played: Vec::new(),
        regulations,
    };
    let began = Instant::now();
    let ending = loop {
        if let Some(ending) = table.step() {
            break ending;
        }
    };
    let wall = began.elapsed();
    for color in Color::ALL {
        let won = ending.winner.map(|winner| winner == color);
        table.players[color].end(won);
    }
    Ok(Game {
        moves: table.played,
        winner: ending.winner,
        end: ending.end,
        remark: ending.remark,
        wall,
    })
}

/// A game that is going on.
struct Table<'a> {
    players: ByColor<&'a mut dyn Player>,
    start: &'a Position,
    pos: Position,
    clock: GameClock,
    moves: Vec<Move>,
    played: Vec<Played>,
    regulations: &'a Regulations,
}

impl Table<'_> {
    /// One move; the ending if it was the last.
    fn step(&mut self) -> Option<Ending> {
        if let Some(ending) = self.judge() {
            return Some(ending);
        }
        let turn = self.pos.turn();
        let go = Go::from_clock(&self.clock, turn);
        let thought = self.players[turn].think(&Turn {
            start: self.start,
            moves: &self.moves,
            go: &go,
            deadline: self.clock.deadline(turn),
        });
        let thought = match thought {
            Ok(thought) => thought,
            Err(error) => return Some(failed(turn, &error)),
        };
        if !self.clock.spend(turn, thought.time) {
            let remark = format!("{} ms after {go}", thought.time.as_millis());
            return Some(Ending::loss(turn, End::Time, Some(remark)));
        }
        let mv = match thought.answer {
            Answer::Move(mv) => mv,
            Answer::Resign => return Some(Ending::loss(turn, End::Resign, None)),
            Answer::Declare => {
                let outcome = declared(&self.pos, &self.regulations.rules);
                return Some(Ending {
                    winner: outcome.winner,
                    end: outcome.cause.into(),
                    remark: None,
                });
            }
        };
        if self.pos.try_play(mv).is_err() {
            let why = tesuji_shogi::rules::foul(&self.pos, mv);
            let why = why.map_or(String::new(), |foul| format!(": {foul}"));
            return Some(Ending::loss(
                turn,
                End::IllegalMove,
                Some(format!("{mv}{why}")),
            ));
        }
        self.moves.push(mv);
        self.played.push(Played {
            mv,
            time: thought.time,
            value: thought.value,
            depth: thought.depth,
            nodes: thought.nodes,
        });
        if self.regulations.ponder {
            self.ponder(turn, thought.ponder);
        }
        None
    }

    /// Lets the side that has moved think about the reply it expects.
    fn ponder(&mut self, color: Color, guess: Option<Move>) {
        let Some(guess) = guess.filter(|&guess| self.pos.is_legal(guess)) else {
            return;
        };
        let moves: Vec<Move> = self.moves.iter().copied().chain([guess]).collect();
        let go = Go {
            ponder: true,
            ..Go::from_clock(&self.clock, color)
        };
        self.players[color].ponder(&Turn {
            start: self.start,
            moves: &moves,
            go: &go,
            deadline: None,
        });
    }

    /// Whether the game is over before the next move.
    fn judge(&self) -> Option<Ending> {
        if let Some(outcome) = outcome(&self.pos, &self.regulations.rules) {
            return Some(Ending {
                winner: outcome.winner,
                end: outcome.cause.into(),
                remark: None,
            });
        }
        let values: Vec<_> = self.played.iter().map(|played| played.value).collect();
        let (last, ply) = (self.pos.turn().foe(), self.pos.ply() - 1);
        let verdict = self.regulations.adjudication.judge(&values, last, ply)?;
        Some(match verdict {
            Verdict::Win(color) => Ending {
                winner: Some(color),
                end: End::AdjudicatedWin,
                remark: None,
            },
            Verdict::Draw => Ending {
                winner: None,
                end: End::AdjudicatedDraw,
                remark: None,
            },
        })
    }
}

fn failed(turn: Color, error: &PlayerError) -> Ending {
    let end = match error {
        PlayerError::Start { .. } | PlayerError::Crash => End::Crash,
        PlayerError::Late(_) => End::Time,
        PlayerError::Silent(..) => End::Silence,
        PlayerError::Nonsense(_) => End::Nonsense,
    };
    Ending::loss(turn, end, Some(error.to_string()))
}

#[cfg(test)]
mod tests;
