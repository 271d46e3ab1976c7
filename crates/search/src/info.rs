//! What a search reports while it runs, and who listens.

use std::time::Duration;
use tesuji_shogi::{Bound, Move, Value};

/// A principal variation and how it was found: one `info` line of USI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The iteration.
    pub depth: u32,
    /// The longest line looked at (selective depth).
    pub seldepth: u32,
    /// Which of several best lines it is, from 1.
    pub multipv: usize,
    /// What it is worth.
    pub value: Bounded,
    /// How many nodes were searched by all threads.
    pub nodes: u64,
    /// Since the search was asked for.
    pub time: Duration,
    /// How many thousandths of the transposition table are in use.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// A value, and what it says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// For the side to move at the root.
    pub value: Value,
    /// Whether it is the value or a bound of it.
    pub bound: Bound,
}

/// Hears what a search reports.
pub trait SearchListener {
    /// Hears of a principal variation.
    fn info(&mut self, info: &SearchInfo);

    /// Hears which root move is being searched in an iteration, and its number, from 1. Told now
    /// and then, and only by searches that take long.
    fn currmove(&mut self, _depth: u32, _mv: Move, _number: usize) {}

    /// Whether nobody listens: then a search need not gather what it would report.
    fn is_deaf(&self) -> bool {
        false
    }
}

/// Ignores every report.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoListener;

impl SearchListener for NoListener {
    fn info(&mut self, _: &SearchInfo) {}

    fn is_deaf(&self) -> bool {
        true
    }
}
