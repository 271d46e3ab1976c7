//! One thread's belongings, and what it does between two nodes.

use super::boards::Boards;
use super::crew::Findings;
use super::params::Params;
use super::root::{RootMove, SILENCE};
use super::scores;
use crate::control::Control;
use crate::order::correction::Corrections;
use crate::order::history::{Histories, NOWHERE, Trail, landing, row_after};
use crate::order::picker::Arena;
use crate::question::{Limits, Report, Rules};
use crate::table::Table;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_mate::LeafSolver;
use tesuji_shogi::{Color, Move, Position, Value};

/// Lines are never followed further than this.
pub(super) const MOST_PLIES: usize = 200;
/// Frames before the root, so that a node may look back.
const BEFORE: usize = 7;
/// Every so many nodes a thread looks at the clock and tells how many it has visited.
const POLL: u64 = 512;

/// What a thread keeps from one search to the next.
pub(super) struct Mind {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    /// Made when it is first needed.
    pub(super) leaf: Option<LeafSolver>,
}

impl Mind {
    /// # Errors
    /// If the system has no room for it.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            histories: Histories::new()?,
            corrections: Corrections::new(),
            leaf: None,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.corrections = Corrections::new();
        self.leaf = None;
    }
}

/// What a node leaves for the nodes below it.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) mv: Option<Move>,
    /// Where `mv` lands, and the row of what follows it; `NOWHERE` for a pass.
    pub(super) landing: usize,
    pub(super) row: usize,
    pub(super) corrected: Value,
    pub(super) in_check: bool,
    pub(super) was_pv: bool,
    pub(super) hit: bool,
    pub(super) excluded: Option<Move>,
    /// Whether only moves of the line that the last iteration found led here.
    pub(super) expected: bool,
    /// By how many plies the node below is searched less.
    pub(super) reduction: i32,
    /// How often nodes below cut.
    pub(super) cutoffs: i32,
    /// What the past says about `mv`.
    pub(super) past: i32,
    pub(super) tried: i32,
}

impl Frame {
    const EMPTY: Self = Self {
        mv: None,
        landing: 0,
        row: NOWHERE,
        corrected: Value::ZERO,
        in_check: false,
        was_pv: false,
        hit: false,
        excluded: None,
        expected: false,
        reduction: 0,
        cutoffs: 0,
        past: 0,
        tried: 0,
    };
}

/// What all threads of a search share.
pub(super) struct Shared<'a, E> {
    pub(super) eval: &'a E,
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) limits: &'a Limits,
    pub(super) rules: Rules,
    pub(super) params: &'a Params,
    /// How many nodes each thread has visited, told now and then.
    pub(super) visited: &'a [Counter],
    /// The first thread is done, and so are all.
    pub(super) over: &'a AtomicBool,
    pub(super) findings: &'a Findings,
}

/// A counter that has its cache line for itself, and the neighbour that processors fetch with it.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Counter(pub(super) AtomicU64);

/// A thread at work.
pub(super) struct Worker<'a, E: Eval> {
    pub(super) shared: &'a Shared<'a, E>,
    pub(super) mind: &'a mut Mind,
    pub(super) report: &'a mut dyn Report,
    pub(super) id: usize,
    pub(super) pos: Position,
    pub(super) line: E::Stack,
    pub(super) arena: Arena,
    pub(super) boards: Boards,
    frames: Vec<Frame>,
    /// The principal variation of every ply.
    pub(super) variations: Vec<Vec<Move>>,
    pub(super) reductions: [i32; 640],
    /// The line that the last iteration found.
    pub(super) last_line: Vec<Move>,
    pub(super) root_turn: Color,
    pub(super) root_moves: Vec<RootMove>,
    /// Which of several best lines is being searched.
    pub(super) rank: usize,
    /// The move of the root it is at and its number, until somebody is told.
    pub(super) untold: Option<(Move, usize)>,
    /// Since the question was asked, before such a move is told.
    pub(super) next_telling: Duration,
    pub(super) root_depth: i32,
    pub(super) root_window: i32,
    pub(super) best_changes: f64,
    pub(super) nodes: u64,
    next_poll: u64,
    pub(super) reach: usize,
    /// Until which ply passing is forbidden while a pass is verified.
    pub(super) no_pass_until: usize,
    pub(super) stopped: bool,
}

impl<'a, E: Eval> Worker<'a, E> {
    pub(super) fn new(
        shared: &'a Shared<'a, E>,
        mind: &'a mut Mind,
        id: usize,
        pos: &Position,
        root_moves: Vec<RootMove>,
        report: &'a mut dyn Report,
    ) -> Self {
        mind.histories.new_root();
        let slope = f64::from(shared.params.reduction_log) / 128.0;
        let threads = shared.visited.len() as f64;
        let slope = slope + threads.ln() / 2.0;
        Self {
            shared,
            mind,
            report,
            id,
            root_turn: pos.turn(),
            pos: pos.clone(),
            line: shared.eval.stack(),
            arena: Arena::with_capacity(4096),
            boards: Boards::before(pos, super::stage::MEMORY),
            frames: vec![Frame::EMPTY; MOST_PLIES + BEFORE + 8],
            variations: vec![Vec::new(); MOST_PLIES + 8],
            reductions: std::array::from_fn(|n| (slope * (n.max(1) as f64).ln()) as i32),
            last_line: Vec::new(),
            root_moves,
            rank: 0,
            untold: None,
            next_telling: SILENCE,
            root_depth: 0,
            root_window: 0,
            best_changes: 0.0,
            nodes: 0,
            next_poll: 1,
            reach: 0,
            no_pass_until: 0,
            stopped: false,
        }
    }

    #[inline(always)]
    pub(super) fn params(&self) -> &'a Params {
        self.shared.params
    }

    #[inline(always)]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE]
    }

    /// The frame so many plies before a node; empty frames lie before the root.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE - back]
    }

    /// The rows of the last six plies, nearest first.
    #[inline(always)]
    pub(super) fn trail(&self, ply: usize) -> Trail {
        std::array::from_fn(|back| self.frames[ply + BEFORE - 1 - back].row)
    }

    /// Plays a move at a node.
    #[inline]
    pub(super) fn play(&mut self, mv: Move, ply: usize) {
        let place = landing(self.pos.moved_piece_after(mv), mv.to());
        let row = row_after(place, self.pos.in_check(), self.pos.is_capture(mv));
        let frame = self.frame(ply);
        (frame.mv, frame.landing, frame.row) = (Some(mv), place, row);
        self.boards.add(&self.pos);
        let table = self.shared.table;
        let change = self.pos.play_with_prefetch(mv, |key| table.prefetch(key));
        E::push(&mut self.line, change);
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Passes at a node.
    pub(super) fn pass_turn(&mut self, ply: usize) {
        let frame = self.frame(ply);
        (frame.mv, frame.row) = (None, NOWHERE);
        self.boards.add(&self.pos);
        self.pos.pass();
        self.shared.table.prefetch(self.pos.key());
        E::push(&mut self.line, tesuji_shogi::Change::default());
        self.nodes += 1;
    }

    #[inline(always)]
    pub(super) fn take_back(&mut self) {
        self.pos.undo();
        self.boards.remove(&self.pos);
        E::pop(&mut self.line);
    }

    /// What the evaluation says about the position on the board.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Value {
        scores::tamed(self.shared.eval.value(&mut self.line, &self.pos))
    }

    /// What a draw is worth to the side to move. A point up or down keeps the search from taking all
    /// ways to a draw for equal.
    #[inline]
    pub(super) fn draw(&self) -> Value {
        let worth = self.shared.rules.draw[self.root_turn];
        let worth = if self.pos.turn() == self.root_turn {
            worth
        } else {
            -worth
        };
        worth + Value::new((self.nodes & 2) as i32 - 1)
    }

    /// Looks at everything that may end the search.
    #[cold]
    fn poll(&mut self) {
        let counter = &self.shared.visited[self.id].0;
        counter.store(self.nodes, Relaxed);
        self.next_poll = self.nodes + POLL;
        if let Some(most) = self.shared.limits.nodes {
            let others = if self.shared.visited.len() > 1 {
                self.all_nodes() - self.nodes
            } else {
                0
            };
            let left = most.saturating_sub(self.nodes + others);
            self.stopped |= left == 0;
            self.next_poll = self.next_poll.min(self.nodes + left.max(1));
        }
        let is_over = self.id != 0 && self.shared.over.load(Relaxed);
        self.stopped |= is_over || self.shared.control.is_stopped();
        // The first iteration is always finished: without it there is no move to answer with.
        if self.id == 0 && self.root_depth > 1 && self.shared.control.is_out_of_time() {
            self.shared.control.stop();
            self.stopped = true;
        }
        if self.id == 0 && !self.stopped && self.untold.is_some() {
            self.tell_move();
        }
    }

    /// The nodes of all threads, as far as they have told.
    pub(super) fn all_nodes(&self) -> u64 {
        let told = |counter: &Counter| counter.0.load(Relaxed);
        let own = &self.shared.visited[self.id];
        self.shared.visited.iter().map(told).sum::<u64>() - told(own) + self.nodes
    }
}
