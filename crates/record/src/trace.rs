//! Whole games for learning: the moves with a value each, and how it ended: HCPE3 (dlshogi) and
//! "pack".
//!
//! Unlike [`Game`] a trace has no variations, names or times, but the visits a search made. Values
//! are seen from the side to move.

mod hcpe3;
mod pack;
#[cfg(test)]
mod tests;

use crate::ending::{Ending, GameResult};
use crate::evaluation::Evaluation;
use crate::game::{Game, GameCursor, Refusal};
use crate::samples::{Sample, SampleError, SampleProblem};
use std::io::Read;
use tesuji_shogi::{Color, Move, Position, Value};

/// A game for learning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTrace {
    /// Where it starts.
    pub start: Position,
    /// The moves.
    pub plies: Vec<TracePly>,
    /// Who won.
    pub result: GameResult,
    /// Why: flags in HCPE3 (4 repetition, 8 declaration, 16 move limit), a number in pack.
    pub reason: u8,
    /// Who played besides the generator (HCPE3): 0 nobody, 1 Black, 2 White.
    pub opponent: u8,
}

/// A move of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracePly {
    /// The move played.
    pub mv: Move,
    /// What the side to move thought of its position.
    pub value: Value,
    /// How often a search visited which move; empty if the position is not to be learnt from.
    pub visits: Vec<(Move, u16)>,
}

/// HCPE3: the game was drawn or lost by repetition.
pub const REPETITION: u8 = 4;
/// HCPE3: the game was won by declaration.
pub const DECLARATION: u8 = 8;
/// HCPE3: the game reached the move limit.
pub const MOVE_LIMIT: u8 = 16;

/// A binary format for traces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TraceFormat {
    /// HuffmanCodedPosAndEval3.
    Hcpe3,
    /// Moves and values between two marks.
    Pack,
}

impl TraceFormat {
    /// A short name, which is also the usual extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hcpe3 => "hcpe3",
            Self::Pack => "pack",
        }
    }

    /// The bytes of a trace.
    pub fn write(self, trace: &GameTrace) -> Result<Vec<u8>, SampleProblem> {
        match self {
            Self::Hcpe3 => hcpe3::write(trace),
            Self::Pack => pack::write(trace),
        }
    }

    /// What the format keeps of a trace.
    pub fn keeps(self, trace: &GameTrace) -> GameTrace {
        let mut kept = trace.clone();
        match self {
            Self::Hcpe3 => {
                let mut setup = kept.start.setup();
                setup.ply = 1;
                kept.start = setup.build().unwrap_or(kept.start);
                kept.reason &= REPETITION | DECLARATION | MOVE_LIMIT;
            }
            Self::Pack => {
                kept.opponent = 0;
                kept.plies.iter_mut().for_each(|ply| ply.visits.clear());
            }
        }
        kept
    }

    /// The traces of a stream.
    pub const fn traces<R: Read>(self, reader: R) -> Traces<R> {
        Traces {
            reader,
            format: self,
            record: 0,
            is_done: false,
        }
    }
}

/// The traces of a stream, one after the other. After a bad one nothing follows.
#[derive(Debug)]
pub struct Traces<R> {
    reader: R,
    format: TraceFormat,
    record: u64,
    is_done: bool,
}

impl<R: Read> Iterator for Traces<R> {
    type Item = Result<GameTrace, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        self.record += 1;
        let record = self.record;
        let next = match self.format {
            TraceFormat::Hcpe3 => hcpe3::read(&mut self.reader),
            TraceFormat::Pack => pack::read(&mut self.reader),
        };
        self.is_done = !matches!(next, Ok(Some(_)));
        next.map_err(|problem| SampleError { record, problem })
            .transpose()
    }
}

impl GameTrace {
    /// The trace of a game's main line; a move without an evaluation is worth 0. `None` if the game
    /// has no result.
    ///
    /// ```
    /// use tesuji_record::{Ending, Game, trace::GameTrace};
    /// let mut game = Game::default();
    /// game.push("7g7f".parse().unwrap()).unwrap();
    /// assert!(GameTrace::of_game(&game).is_none());
    /// game.end(Ending::Resignation);
    /// assert_eq!(GameTrace::of_game(&game).unwrap().plies.len(), 1);
    /// ```
    pub fn of_game(game: &Game) -> Option<Self> {
        let result = game.result()?;
        let reason = match game.ending()? {
            Ending::Repetition => REPETITION,
            Ending::Declaration => DECLARATION,
            Ending::MoveLimit => MOVE_LIMIT,
            _ => 0,
        };
        let mut turn = game.start().turn();
        let mut plies = Vec::new();
        for id in game.main_line() {
            if let Some(mv) = game[id].mv() {
                let for_black = game[id]
                    .evaluation
                    .as_ref()
                    .map_or(Value::ZERO, |e| e.value);
                plies.push(TracePly {
                    mv,
                    value: seen_by(turn, for_black),
                    visits: Vec::new(),
                });
                turn = turn.foe();
            }
        }
        Some(Self {
            start: game.start().clone(),
            plies,
            result,
            reason,
            opponent: 0,
        })
    }

    /// The game of a trace: its moves, values as evaluations, and an ending with the same result.
    pub fn to_game(&self) -> Result<Game, Refusal> {
        let mut cursor = GameCursor::new(Game::new(self.start.clone()));
        for ply in &self.plies {
            let turn = cursor.position().turn();
            cursor.play(ply.mv)?;
            cursor.node().evaluation = Some(Evaluation::of(seen_by(turn, ply.value)));
        }
        let ending = self.ending(cursor.position().turn());
        cursor.end(ending);
        Ok(cursor.finish())
    }

    fn ending(&self, turn: Color) -> Ending {
        match self.result {
            GameResult::Draw if self.reason & REPETITION != 0 => Ending::Repetition,
            GameResult::Draw if self.reason & MOVE_LIMIT != 0 => Ending::MoveLimit,
            GameResult::Draw => Ending::Draw,
            GameResult::Win(winner) if winner == turn && self.reason & DECLARATION != 0 => {
                Ending::Declaration
            }
            GameResult::Win(winner) if winner != turn => Ending::Resignation,
            // Whoever has just moved has lost, as by perpetual check.
            GameResult::Win(winner) => Ending::Foul {
                by: winner.foe(),
                made: None,
            },
        }
    }

    /// Every position with its move, value and result.
    pub fn samples(&self) -> Vec<Sample> {
        let mut pos = self.start.clone();
        let mut samples = Vec::new();
        for ply in &self.plies {
            samples.push(Sample {
                position: pos.setup().build().unwrap_or_else(|_| pos.clone()),
                value: ply.value,
                mv: Some(ply.mv),
                result: Some(self.result),
                flags: 0,
            });
            if pos.try_play(ply.mv).is_err() {
                break;
            }
        }
        samples
    }
}

/// A value for Black as the side to move sees it, or the other way round.
fn seen_by(turn: Color, value: Value) -> Value {
    match turn {
        Color::Black => value,
        Color::White => Value::new(value.points().saturating_neg()),
    }
}
