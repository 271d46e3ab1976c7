//! A thread at work: what it owns, and what it does between two nodes.

use super::repetition_filter::{REPETITION_PLIES, RepetitionFilter};
use super::root_move::RootMove;
use super::shared::SharedState;
use super::stack::StackFrame;
use super::thread_data::ThreadData;
use crate::control::SearchControl;
use crate::info::SearchListener;
use crate::ordering::move_picker::MoveArena;
use crate::ordering::{ContinuationKey, Continuations, PieceTo};
use crate::params::Params;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_shogi::{Color, Move, Position, Value};

/// No line is longer than this.
pub(super) const MAX_PLY: usize = 200;
/// Frames before the root, so that a node may look back.
const FRAMES_BEFORE_ROOT: usize = 7;
/// Every so many nodes a thread looks at the clock and tells how many it has searched.
const CHECK_INTERVAL: u64 = 512;
/// How long a search reports nothing but whole iterations.
pub(super) const SILENCE: Duration = Duration::from_secs(3);

/// A thread at work.
pub(super) struct SearchWorker<'a, E: Eval> {
    pub(super) shared: &'a SharedState<E>,
    pub(super) control: &'a SearchControl,
    pub(super) thread: &'a mut ThreadData,
    pub(super) listener: &'a mut dyn SearchListener,
    /// 0 for the main thread.
    pub(super) thread_id: usize,
    pub(super) pos: Position,
    /// What the evaluation keeps along the line of play.
    eval_stack: E::Stack,
    pub(super) move_arena: MoveArena,
    pub(super) repetition_filter: RepetitionFilter,
    stack: Vec<StackFrame>,
    /// The principal variation of every ply.
    pub(super) pv_table: Vec<Vec<Move>>,
    /// Logarithms for late-move reductions.
    pub(super) reductions: [i32; 640],
    /// The principal variation of the last iteration.
    pub(super) last_pv: Vec<Move>,
    root_turn: Color,
    pub(super) root_moves: Vec<RootMove>,
    /// Which of several best lines is being searched, from 0.
    pub(super) pv_index: usize,
    /// The root move it is at and its number, until that is reported.
    pub(super) pending_currmove: Option<(Move, usize)>,
    /// Since the search was asked for, before such a move is reported.
    pub(super) next_currmove_at: Duration,
    pub(super) root_depth: i32,
    /// The width of the window at the root.
    pub(super) root_delta: i32,
    pub(super) best_move_changes: f64,
    pub(super) nodes: u64,
    next_check: u64,
    pub(super) seldepth: usize,
    /// Below this ply no null move is tried while one is verified.
    pub(super) null_move_min_ply: usize,
    pub(super) stopped: bool,
}

impl<'a, E: Eval> SearchWorker<'a, E> {
    pub(super) fn new(
        shared: &'a SharedState<E>,
        control: &'a SearchControl,
        thread: &'a mut ThreadData,
        thread_id: usize,
        listener: &'a mut dyn SearchListener,
    ) -> Self {
        thread.histories.new_search(&shared.params);
        let slope = f64::from(shared.params.lmr_log) / 128.0;
        let threads = shared.node_counters.len() as f64;
        let slope = slope + threads.ln() / f64::from(shared.params.lmr_log_threads_divisor);
        let pos = &shared.request.position;
        Self {
            shared,
            control,
            thread,
            listener,
            thread_id,
            root_turn: pos.turn(),
            pos: pos.clone(),
            eval_stack: shared.eval.stack(),
            move_arena: MoveArena::with_capacity(4096),
            repetition_filter: RepetitionFilter::before(pos, REPETITION_PLIES),
            stack: vec![StackFrame::EMPTY; MAX_PLY + FRAMES_BEFORE_ROOT + 8],
            pv_table: vec![Vec::new(); MAX_PLY + 8],
            reductions: std::array::from_fn(|n| (slope * (n.max(1) as f64).ln()) as i32),
            last_pv: Vec::new(),
            root_moves: shared.root_moves.clone(),
            pv_index: 0,
            pending_currmove: None,
            next_currmove_at: SILENCE,
            root_depth: 0,
            root_delta: 0,
            best_move_changes: 0.0,
            nodes: 0,
            next_check: 1,
            seldepth: 0,
            null_move_min_ply: 0,
            stopped: false,
        }
    }

    #[inline(always)]
    pub(super) fn is_main(&self) -> bool {
        self.thread_id == 0
    }

    #[inline(always)]
    pub(super) fn params(&self) -> &'a Params {
        &self.shared.params
    }

    #[inline(always)]
    pub(super) fn frame(&mut self, ply: usize) -> &mut StackFrame {
        &mut self.stack[ply + FRAMES_BEFORE_ROOT]
    }

    /// The frame so many plies before a node; empty frames lie before the root.
    #[inline(always)]
    pub(super) fn frame_before(&self, ply: usize, back: usize) -> &StackFrame {
        &self.stack[ply + FRAMES_BEFORE_ROOT - back]
    }

    /// The continuation histories of the last six plies, nearest first.
    #[inline(always)]
    pub(super) fn continuations(&self, ply: usize) -> Continuations {
        std::array::from_fn(|back| self.stack[ply + FRAMES_BEFORE_ROOT - 1 - back].continuation)
    }

    /// Plays a move at a node.
    #[inline]
    pub(super) fn do_move(&mut self, mv: Move, ply: usize) {
        let piece_to = PieceTo::new(self.pos.moved_piece_after(mv), mv.to());
        let continuation =
            ContinuationKey::new(piece_to, self.pos.in_check(), self.pos.is_capture(mv));
        let frame = self.frame(ply);
        (frame.current_move, frame.piece_to) = (Some(mv), piece_to);
        frame.continuation = continuation;
        self.repetition_filter.add(&self.pos);
        let tt = &self.shared.tt;
        let change = self.pos.play_with_prefetch(mv, |key| tt.prefetch(key));
        E::push(&mut self.eval_stack, change);
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
    }

    /// Plays a null move at a node.
    pub(super) fn do_null_move(&mut self, ply: usize) {
        let frame = self.frame(ply);
        (frame.current_move, frame.continuation) = (None, ContinuationKey::NONE);
        self.repetition_filter.add(&self.pos);
        self.pos.pass();
        self.shared.tt.prefetch(self.pos.key());
        E::push(&mut self.eval_stack, tesuji_shogi::Change::default());
        self.nodes += 1;
    }

    #[inline(always)]
    pub(super) fn undo_move(&mut self) {
        self.pos.undo();
        self.repetition_filter.remove(&self.pos);
        E::pop(&mut self.eval_stack);
    }

    /// The raw evaluation of the position on the board.
    #[inline]
    pub(super) fn evaluate_position(&mut self) -> Value {
        let value = self.shared.eval.value(&mut self.eval_stack, &self.pos);
        self.shared.scale.to_search(value)
    }

    /// What a draw is worth to the side to move. A point up or down keeps the search from taking all
    /// ways to a draw for equal.
    #[inline]
    pub(super) fn draw_value(&self) -> Value {
        let worth = self
            .shared
            .scale
            .to_search(self.shared.request.rules.draw_value[self.root_turn]);
        let worth = if self.pos.turn() == self.root_turn {
            worth
        } else {
            -worth
        };
        worth + Value::new((self.nodes & 2) as i32 - 1)
    }

    /// The principal variation of a node: its move, and that of the node below.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.pv_table.split_at_mut(ply + 1);
        let pv = &mut above[ply];
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0]);
    }

    /// Looks at everything that may end the search.
    #[cold]
    fn check_limits(&mut self) {
        self.shared.node_counters[self.thread_id].set(self.nodes);
        self.next_check = self.nodes + CHECK_INTERVAL;
        if let Some(limit) = self.shared.request.limits.nodes {
            let left = limit.saturating_sub(self.shared.total_nodes());
            self.stopped |= left == 0;
            self.next_check = self.next_check.min(self.nodes + left.max(1));
        }
        if !self.is_main() {
            self.stopped |= self.shared.is_over.load(Relaxed) || self.control.is_stopped();
            return;
        }
        // The first iteration is always finished: without it there is no move to answer with.
        let is_needed = self.root_depth <= 1 && self.pv_index == 0;
        self.stopped |= !is_needed && self.control.is_stopped();
        if self.root_depth > 1 && self.control.is_out_of_time() {
            self.control.stop();
            self.stopped = true;
        }
        if !self.stopped && self.pending_currmove.is_some() {
            self.report_currmove();
        }
    }

    /// The nodes of all threads, as far as the others have told.
    pub(super) fn total_nodes(&self) -> u64 {
        let told = self.shared.node_counters[self.thread_id].get();
        self.shared.total_nodes() - told + self.nodes
    }
}
