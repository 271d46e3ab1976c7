//! One thread at work: what it owns, when it has to stop, and the root.

use super::ordering::MoveMemory;
use super::switches::ClassicSwitches;
use super::table::SharedTable;
use crate::control::SearchControl;
use crate::deepen::RootSearch;
use crate::leaf_eval::LeafEval;
use crate::ordering::captures::sort_by_rank;
use crate::request::{Rules, SearchRequest};
use crate::search_board::SearchBoard;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tesuji_shogi::{Color, Move, Value};

/// Deeper than any line gets.
pub(super) const MAX_PLY: usize = 120;
/// The clock is looked at, and the nodes of all threads are added up, once in so many nodes.
const CHECK_INTERVAL: u64 = 64;

/// What all threads of one search share.
pub(super) struct SharedClassicSearch<'a, T> {
    pub(super) table: &'a T,
    pub(super) control: &'a SearchControl,
    /// Set when the main thread is done.
    pub(super) is_done: AtomicBool,
    /// Nodes of the helpers.
    pub(super) helper_nodes: AtomicU64,
}

/// What a thread owns while it searches.
pub(super) struct ClassicWorker<'a, B, L, T> {
    pub(super) board: B,
    pub(super) leaf: L,
    pub(super) shared: &'a SharedClassicSearch<'a, T>,
    pub(super) memory: &'a mut MoveMemory,
    pub(super) switches: ClassicSwitches,
    pub(super) quiescence: bool,
    pub(super) rules: Rules,
    pub(super) us: Color,
    pub(super) pv_table: Vec<Vec<Move>>,
    pub(super) nodes: u64,
    node_limit: u64,
    pub(super) seldepth: u32,
    /// The depth of the iteration: lines of checks end at twice as much.
    pub(super) iteration: u32,
    /// Whether it is a helper, whom nobody waits for.
    is_helper: bool,
}

impl<'a, B: SearchBoard, L: LeafEval<B>, T: SharedTable> ClassicWorker<'a, B, L, T> {
    pub(super) fn new(
        leaf: L,
        shared: &'a SharedClassicSearch<'a, T>,
        memory: &'a mut MoveMemory,
        (switches, quiescence): (ClassicSwitches, bool),
        request: &SearchRequest,
        is_helper: bool,
    ) -> Self {
        let limit = request.limits.nodes.filter(|_| !is_helper);
        Self {
            board: B::of(&request.position),
            leaf,
            shared,
            memory,
            switches,
            quiescence,
            rules: request.rules,
            us: request.position.turn(),
            pv_table: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            node_limit: limit.unwrap_or(u64::MAX),
            seldepth: 0,
            iteration: 0,
            is_helper,
        }
    }

    /// Counts a node; `None` if the search must end.
    pub(super) fn count_node(&mut self) -> Option<()> {
        let SharedClassicSearch {
            control,
            is_done,
            helper_nodes,
            ..
        } = self.shared;
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            let must_end = match self.is_helper {
                true => {
                    helper_nodes.fetch_add(CHECK_INTERVAL, Relaxed);
                    is_done.load(Relaxed)
                }
                false => control.is_out_of_time(),
            };
            if must_end {
                return None;
            }
        }
        if control.is_stopped() || self.nodes >= self.node_limit {
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// Plays a move, lets `search` say what is there, and takes it back.
    pub(super) fn after(
        &mut self,
        mv: Move,
        search: impl FnOnce(&mut Self) -> Option<Value>,
    ) -> Option<Value> {
        let change = self.board.play(mv);
        self.leaf.follow(change);
        let value = search(self);
        self.leaf.retrace();
        self.board.undo();
        value
    }

    /// The line of a ply is this move and the line below it.
    pub(super) fn set_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.pv_table.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }
}

impl<B: SearchBoard, L: LeafEval<B>, T: SharedTable> RootSearch for ClassicWorker<'_, B, L, T> {
    fn search_root(&mut self, moves: &[Move], depth: u32, _: usize) -> Option<(Value, Vec<Move>)> {
        self.iteration = depth;
        self.count_node()?;
        let best = self.shared.table.probe(self.board.key(), 0).mv;
        let mut ordered = moves.to_vec();
        sort_by_rank(&mut ordered, |mv| {
            -self.memory.score(&self.board, 0, mv, best)
        });
        let (low, high) = (-Value::INFINITE, Value::INFINITE);
        let value = self.search_moves(&ordered, (low, high), depth as i32, 0, None)?;
        Some((value, self.pv_table[0].clone()))
    }
    fn nodes(&self) -> u64 {
        self.nodes + self.shared.helper_nodes.load(Relaxed)
    }
    fn seldepth(&self) -> u32 {
        self.seldepth
    }
    fn hashfull(&self) -> u32 {
        self.shared.table.hashfull()
    }
}
