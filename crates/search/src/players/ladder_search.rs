//! A rung of the ladder as a player: deeper and deeper until its time is up.

use super::game_tree::{GameTree, PlayTable};
use super::parts::TableName;
use crate::control::SearchControl;
use crate::deepen::{RootSearch, deepen};
use crate::info::SearchListener;
use crate::ladder::{AnyTable, BestTable, BoundsTable, Rung, Tree, alpha_beta_with_memory};
use crate::leaf_eval::{LeafEval, LeafSource};
use crate::ordering::captures::{MoveOrder, sort_moves};
use crate::request::SearchRequest;
use crate::result::SearchResult;
use crate::search::Search;
use crate::search_board::SearchBoard;
use std::marker::PhantomData;
use tesuji_shogi::{Move, Value};

/// A table of about so many bytes.
fn table_of(name: TableName, bytes: usize) -> AnyTable<Move> {
    match name {
        TableName::None => AnyTable::Nothing,
        TableName::BestMove => AnyTable::Best(BestTable::new(bytes / size_of::<Option<Move>>())),
        TableName::Bounds => {
            let slots = bytes / BoundsTable::<Move>::SLOT_BYTES;
            AnyTable::Bounds(BoundsTable::new(slots))
        }
    }
}

/// A rung of the ladder that plays: on any board, with any leaves, remembering what its table does.
pub struct LadderSearch<A, B> {
    rung: Rung,
    leaves: A,
    table: AnyTable<Move>,
    /// Of which kind the table is, and how large.
    memory: (TableName, usize),
    quiescence: bool,
    board: PhantomData<fn() -> B>,
}

impl<A, B> LadderSearch<A, B> {
    /// A rung with leaves and a table of about so many bytes.
    pub fn new(rung: Rung, leaves: A, quiescence: bool, memory: (TableName, usize)) -> Self {
        Self {
            rung,
            leaves,
            table: table_of(memory.0, memory.1),
            memory,
            quiescence,
            board: PhantomData,
        }
    }
}

impl<A: LeafSource<B>, B: SearchBoard> Search for LadderSearch<A, B> {
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
        self.table = table_of(self.memory.0, self.memory.1);
    }
}

/// A tree with a rung on it.
struct LadderRoot<'a, 't, B, L> {
    tree: GameTree<'a, B, L>,
    rung: Rung,
    table: PlayTable<'t>,
    /// What the last iteration said of each of several best lines.
    guesses: Vec<Value>,
}

impl<B: SearchBoard, L: LeafEval<B>> RootSearch for LadderRoot<'_, '_, B, L> {
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
