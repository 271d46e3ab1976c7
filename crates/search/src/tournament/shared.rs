//! What all threads of one search share.

use super::eval_scale::EvalScale;
use super::results::ThreadResults;
use super::root_move::RootMove;
use crate::params::Params;
use crate::request::SearchRequest;
use crate::tt::TranspositionTable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// One search, as each of its threads sees it.
pub(super) struct SharedState<E> {
    pub(super) eval: Arc<E>,
    pub(super) tt: Arc<TranspositionTable>,
    pub(super) request: SearchRequest,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) params: Params,
    /// Between the values of the evaluation and those of the search.
    pub(super) scale: EvalScale,
    /// How many nodes each thread has searched, told now and then.
    pub(super) node_counters: Vec<NodeCounter>,
    /// The main thread is done, and so are all.
    pub(super) is_over: AtomicBool,
    /// What the helper threads have found.
    pub(super) results: ThreadResults,
}

impl<E> SharedState<E> {
    /// The nodes of all threads, as far as they have told.
    pub(super) fn total_nodes(&self) -> u64 {
        self.node_counters.iter().map(NodeCounter::get).sum()
    }
}

/// A counter that has its cache line for itself, and the neighbour that processors fetch with it.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct NodeCounter(AtomicU64);

impl NodeCounter {
    pub(super) fn set(&self, nodes: u64) {
        self.0.store(nodes, Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
