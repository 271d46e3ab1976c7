//! A rung of the ladder as a player: deeper and deeper until its time is up.

use super::game_tree::{GameTree, PlayTable};
use crate::control::SearchControl;
use crate::deepen::{RootSearch, deepen};
use crate::info::SearchListener;
use crate::ladder::{
    BestTable, BoundsTable, NoTable, NodeTable, Rung, Tree, alpha_beta_with_memory,
};
use crate::leaf_eval::{LeafEval, LeafSource};
use crate::ordering::captures::{MoveOrder, sort_moves};
use crate::request::SearchRequest;
use crate::result::SearchResult;
use crate::search::Search;
use crate::search_board::SearchBoard;
use std::marker::PhantomData;
use tesuji_shogi::{Move, Value};

/// A table that a rung plays with.
pub trait PlayerTable: Send {
    /// A table of about so many bytes.
    fn with_bytes(bytes: usize) -> Self;
}

impl PlayerTable for NoTable {
    fn with_bytes(_: usize) -> Self {
        Self
    }
}

impl PlayerTable for BestTable<Move> {
    fn with_bytes(bytes: usize) -> Self {
        Self::new(bytes / size_of::<Option<Move>>())
    }
}

impl PlayerTable for BoundsTable<Move> {
    fn with_bytes(bytes: usize) -> Self {
        Self::new(bytes / Self::SLOT_BYTES)
    }
}

/// A rung of the ladder that plays: on any board, with any leaves, remembering what its table does.
pub struct LadderSearch<A, B, T> {
    rung: Rung,
    leaves: A,
    table: T,
    bytes: usize,
    quiescence: bool,
    board: PhantomData<fn() -> B>,
}

impl<A, B, T: PlayerTable> LadderSearch<A, B, T> {
    /// A rung with leaves and a table of about so many bytes.
    pub fn new(rung: Rung, leaves: A, quiescence: bool, bytes: usize) -> Self {
        Self {
            rung,
            leaves,
            table: T::with_bytes(bytes),
            bytes,
            quiescence,
            board: PhantomData,
        }
    }
}

impl<A, B, T> Search for LadderSearch<A, B, T>
where
    A: LeafSource<B>,
    B: SearchBoard,
    T: PlayerTable + for<'t, 'e> NodeTable<GameTree<'t, B, A::Leaf<'e>>>,
{
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        let leaf = self.leaves.leaf(&request.position);
        let tree = GameTree::<B, _>::new(leaf, self.rung.view(), self.quiescence, request, control);
        let mut moves = request.root_moves();
        sort_moves(&request.position, MoveOrder::Captures, &mut moves);
        let mut root = LadderRoot {
            tree,
            rung: self.rung,
            table: PlayTable(&mut self.table),
            guesses: Vec::new(),
        };
        deepen(&mut root, &moves, request, control, listener)
    }

    fn new_game(&mut self) {
        self.table = T::with_bytes(self.bytes);
    }
}

/// A tree with a rung on it.
struct LadderRoot<'a, 't, B, L, T> {
    tree: GameTree<'a, B, L>,
    rung: Rung,
    table: PlayTable<'t, T>,
    /// What the last iteration said of each of several best lines.
    guesses: Vec<Value>,
}

impl<'a, B, L, T> RootSearch for LadderRoot<'a, '_, B, L, T>
where
    B: SearchBoard,
    L: LeafEval<B>,
    T: NodeTable<GameTree<'a, B, L>>,
{
    fn search_root(
        &mut self,
        moves: &[Move],
        depth: u32,
        multipv: usize,
    ) -> Option<(Value, Vec<Move>)> {
        self.tree.set_root_moves(moves);
        self.tree.look(depth);
        self.guesses
            .resize(self.guesses.len().max(multipv), Value::ZERO);
        let guess = self.guesses[multipv - 1];
        let (tree, table) = (&mut self.tree, &mut self.table);
        let value = match self.rung {
            // Whoever plays deepens anyway: one step of it is the rung.
            Rung::Deepening => tree
                .ask(|tree| alpha_beta_with_memory(tree, -Value::INFINITE, Value::INFINITE, table)),
            rung => rung.climb(tree, guess, table),
        };
        if self.tree.is_stopped() {
            return None;
        }
        self.guesses[multipv - 1] = value;
        Some((value, self.tree.root_pv().to_vec()))
    }
    fn nodes(&self) -> u64 {
        self.tree.nodes()
    }
    fn seldepth(&self) -> u32 {
        self.tree.horizon()
    }
    fn hashfull(&self) -> u32 {
        0
    }
}
