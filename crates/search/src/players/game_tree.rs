//! A game as a tree of the ladder: any board, with the rules of a whole game and an end to thinking.
//!
//! A rung knows nothing of clocks. When its time is up the tree has no more branches: whatever the
//! rung still asks for is answered at once, it comes back to the root, and its answer is thrown away.

use crate::control::SearchControl;
use crate::ladder::{AnyTable, Bounds, MoveOrder, NodeTable, PointOfView, Tree};
use crate::leaf_eval::LeafEval;
use crate::ordering::captures::sort_moves;
use crate::quiet::{QUIESCENCE_PLIES, quiescence};
use crate::request::{Rules, SearchRequest};
use crate::rule_value::rule_value;
use crate::search_board::SearchBoard;
use tesuji_shogi::{Color, Move, MoveList, Value};

/// The clock is looked at once in so many nodes.
const CHECK_INTERVAL: u64 = 64;

/// A board as a tree, as a player needs it.
pub(super) struct GameTree<'a, B, L> {
    board: B,
    leaf: L,
    view: PointOfView,
    quiescence: bool,
    rules: Rules,
    us: Color,
    root_moves: Vec<Move>,
    ply: u32,
    horizon: u32,
    control: &'a SearchControl,
    node_limit: u64,
    nodes: u64,
    is_stopped: bool,
    /// What is known of the nodes on the way to this one, and of those below it that were last left.
    frames: Vec<TreeFrame>,
    /// The best line of the root, from the last window that was exceeded.
    root_pv: Vec<Move>,
}

/// One node on the way.
#[derive(Clone, Default)]
struct TreeFrame {
    /// Its window's lower end.
    alpha: Value,
    /// The branch gone down last.
    branch: Option<Move>,
    /// The best value so far, for whoever chooses there, and the line to it.
    best: Option<Value>,
    pv: Vec<Move>,
}

impl<'a, B: SearchBoard, L: LeafEval<B>> GameTree<'a, B, L> {
    /// The tree below the position of a request; values will be for whoever `view` says.
    pub(super) fn new(
        leaf: L,
        view: PointOfView,
        quiescence: bool,
        request: &SearchRequest,
        control: &'a SearchControl,
    ) -> Self {
        Self {
            board: B::of(&request.position),
            leaf,
            view,
            quiescence,
            rules: request.rules,
            us: request.position.turn(),
            root_moves: Vec::new(),
            ply: 0,
            horizon: 1,
            control,
            node_limit: request.limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            is_stopped: false,
            frames: vec![TreeFrame::default()],
            root_pv: Vec::new(),
        }
    }

    /// Considers these moves at the root and no others.
    pub(super) fn set_root_moves(&mut self, moves: &[Move]) {
        self.root_moves = moves.to_vec();
        self.root_pv.clear();
    }

    /// Whether the search was ended before it was done: then its answer means nothing.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn root_pv(&self) -> &[Move] {
        &self.root_pv
    }

    fn count_node(&mut self) {
        let is_checked = self.nodes.is_multiple_of(CHECK_INTERVAL);
        self.is_stopped |= self.control.is_stopped()
            || self.nodes >= self.node_limit
            || is_checked && self.control.is_out_of_time();
        if !self.is_stopped {
            self.nodes += 1;
        }
    }

    /// What the rules say of the node; nothing at the root, where somebody has to move.
    fn ruling(&self) -> Option<Value> {
        match self.ply {
            0 => None,
            ply => rule_value(&self.board, &self.rules, self.us, ply),
        }
    }

    /// What a node at the horizon is worth to the side to move.
    fn leaf_value(&mut self) -> Value {
        if !self.quiescence {
            return self.leaf.value(&self.board);
        }
        let (board, leaf, mut nodes) = (&mut self.board, &mut self.leaf, 0);
        let open = (-Value::INFINITE, Value::INFINITE);
        let value = quiescence(board, leaf, open, (self.ply, QUIESCENCE_PLIES), &mut nodes);
        // The node itself is counted already.
        self.nodes += nodes - 1;
        value
    }

    /// A branch has been searched: is it the best of its node?
    fn compare(&mut self, value: Value) {
        let (above, below) = self.frames.split_at_mut(self.ply as usize);
        let Some(frame) = above.last_mut() else {
            return;
        };
        let value = match self.view {
            PointOfView::Own => -value,
            PointOfView::Max => crate::ladder::Chooser::at(self.ply - 1).own(value),
        };
        let is_again = frame.branch.is_some() && frame.pv.first().copied() == frame.branch;
        if let Some(branch) = frame.branch
            && (is_again || frame.best.is_none_or(|best| best < value))
        {
            frame.best = Some(value);
            frame.pv.clear();
            frame.pv.push(branch);
            frame.pv.extend_from_slice(&below[0].pv);
        }
    }

    /// The root has been searched. Below its window nothing is known about which branch is best.
    fn conclude(&mut self) {
        let root = &self.frames[0];
        if root.best.is_some_and(|best| root.alpha < best) || self.root_pv.is_empty() {
            self.root_pv.clone_from(&root.pv);
        }
    }
}

impl<B: SearchBoard, L: LeafEval<B>> Tree for GameTree<'_, B, L> {
    type Branch = Move;

    fn ply(&self) -> u32 {
        self.ply
    }
    fn horizon(&self) -> u32 {
        self.horizon
    }
    fn look(&mut self, horizon: u32) {
        self.horizon = horizon;
    }
    fn key(&self) -> u64 {
        self.board.key().0
    }
    fn branches(&mut self) -> Vec<Move> {
        if self.is_stopped || self.ply >= self.horizon || self.ruling().is_some() {
            return Vec::new();
        }
        if self.ply == 0 {
            return self.root_moves.clone();
        }
        let mut list = MoveList::new();
        let _ = match self.rules.all_legal_moves {
            true => self.board.legal(&mut list),
            false => self.board.legal_without_worse(&mut list),
        };
        let mut moves: Vec<Move> = list.iter().collect();
        sort_moves(&self.board, MoveOrder::Captures, &mut moves);
        moves
    }
    fn value(&mut self) -> Value {
        if self.is_stopped {
            return Value::ZERO;
        }
        let own = match self.ruling() {
            Some(value) => value,
            None if self.ply < self.horizon => Value::mated_in(self.ply as i32),
            None => self.leaf_value(),
        };
        self.turn().own(own)
    }
    fn down(&mut self, mv: Move) {
        self.frames[self.ply as usize].branch = Some(mv);
        let change = self.board.play(mv);
        self.leaf.follow(change);
        self.ply += 1;
        if self.frames.len() <= self.ply as usize {
            self.frames.push(TreeFrame::default());
        }
    }
    fn up(&mut self) {
        self.board.undo();
        self.leaf.retrace();
        self.ply -= 1;
    }
    fn enter(&mut self, alpha: Value, _: Value) {
        self.count_node();
        let frame = &mut self.frames[self.ply as usize];
        (frame.alpha, frame.best, frame.branch) = (alpha, None, None);
        frame.pv.clear();
    }
    fn ask(&mut self, search: impl FnOnce(&mut Self) -> Value) -> Value {
        let value = search(self);
        if !self.is_stopped {
            match self.ply {
                0 => self.conclude(),
                _ => self.compare(value),
            }
        }
        value
    }
}

/// A table of the ladder that learns nothing from a search that was stopped, and leaves the root
/// alone: there not all moves need be considered.
pub(super) struct PlayTable<'t>(pub(super) &'t mut AnyTable<Move>);

impl<'a, B: SearchBoard, L: LeafEval<B>> NodeTable<GameTree<'a, B, L>> for PlayTable<'_> {
    fn bounds(&self, tree: &GameTree<'a, B, L>) -> Bounds {
        match tree.ply {
            0 => Bounds::OPEN,
            _ => self.0.bounds(tree),
        }
    }
    fn best(&self, tree: &GameTree<'a, B, L>) -> Option<Move> {
        self.0.best(tree)
    }
    fn learn(&mut self, tree: &GameTree<'a, B, L>, found: Bounds, best: Move) {
        if !tree.is_stopped() {
            self.0.learn(tree, found, best);
        }
    }
}
