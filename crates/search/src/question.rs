//! What every search is asked, and what it answers.

use crate::control::Control;
use std::time::Duration;
use tesuji_shogi::{Bound, ByColor, DeclarationRule, Move, Position, Value};

/// Every search answers the same question.
pub trait Search: Send {
    /// Thinks until a limit is reached or the control says stop, then answers. Never prints: what
    /// it sees on the way goes to the report.
    fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn Report,
    ) -> Best;

    /// Forgets everything that belongs to the game before.
    fn new_game(&mut self) {}
}

/// A position to think about, with its past, and what the organiser of the game decided.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position, with the moves that led to it: repetition looks at them.
    pub position: Position,
    /// The only moves to consider; empty for all.
    pub moves: Vec<Move>,
    /// The rules beyond the board.
    pub rules: Rules,
}

impl Root {
    /// A position under the usual rules.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            moves: Vec::new(),
            rules: Rules::default(),
        }
    }
}

/// What the organiser of a game and its player decide beyond the moves of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// By which rule a side may declare.
    pub declaration: DeclarationRule,
    /// After how many moves a game is drawn.
    pub move_limit: Option<u32>,
    /// What a draw is worth to the side that is to move at the root, by its colour.
    pub draw: ByColor<Value>,
    /// Whether moves that are always worse than their promotion (a pawn, a bishop or a rook that
    /// stays as it is) are considered too.
    pub all_moves: bool,
}

/// When to stop, beside the clock that [`Control`] keeps. What is `None` does not limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// After so many iterations.
    pub depth: Option<u32>,
    /// After so many positions, exactly, if one thread searches.
    pub nodes: Option<u64>,
    /// When a mate in at most so many plies is found.
    pub mate: Option<u32>,
    /// Not before it is told to stop, even if there is nothing more to find out.
    pub infinite: bool,
    /// How many best lines are wanted; 0 means one.
    pub lines: usize,
    /// How strong to play, from 0 (a beginner) to 20 (everything one has).
    pub strength: Option<u32>,
}

/// What a search answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// What to do.
    pub answer: Answer,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub value: Value,
    /// How many iterations were completed.
    pub depth: u32,
    /// How many positions were visited.
    pub nodes: u64,
    /// The best line, beginning with the move played.
    pub line: Vec<Move>,
}

/// What a player does when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Plays a move.
    Move(Move),
    /// Gives up: there is no legal move.
    Resign,
    /// Declares that its king has entered.
    Declare,
}

/// What a search sees on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub reach: u32,
    /// Which of several best lines it is, from 1.
    pub rank: usize,
    /// What it is worth.
    pub value: Bounded,
    /// How many positions were visited by all threads.
    pub nodes: u64,
    /// Since the question was asked.
    pub time: Duration,
    /// How many thousandths of the table are in use.
    pub fill: u32,
    /// The line.
    pub line: Vec<Move>,
}

/// A value, and what it says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// For the side to move at the root.
    pub value: Value,
    /// Whether it is the value or a bound of it.
    pub bound: Bound,
}

/// Who is told what a search sees.
pub trait Report {
    /// A line with its value.
    fn info(&mut self, info: &Info);

    /// The move of the root it is at in an iteration, and its number, from 1. Told now and then, and
    /// only by searches that take long.
    fn trying(&mut self, _depth: u32, _mv: Move, _number: usize) {}
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Report for Quiet {
    fn info(&mut self, _: &Info) {}
}
