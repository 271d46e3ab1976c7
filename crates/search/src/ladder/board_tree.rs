//! Real positions as trees: any board, with any evaluation at the leaves.

use super::tree::Tree;
use crate::leaf_eval::LeafEval;
use crate::ordering::captures::{MoveOrder, sort_moves};
use tesuji_shogi::{Board, Move, Value};

/// A board as a tree. Whoever moves at the root is Max. A side without moves has lost; mates are
/// seen only above the horizon, and repetition not at all.
pub struct BoardTree<B, A> {
    board: B,
    leaf_eval: A,
    order: MoveOrder,
    ply: u32,
    horizon: u32,
}

impl<B: Board, A: LeafEval<B>> BoardTree<B, A> {
    /// The tree below a board, so many moves deep.
    pub fn new(board: B, leaf_eval: A, order: MoveOrder, horizon: u32) -> Self {
        Self {
            board,
            leaf_eval,
            order,
            ply: 0,
            horizon,
        }
    }
}

impl<B: Board, A: LeafEval<B>> Tree for BoardTree<B, A> {
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
        if self.ply >= self.horizon {
            return Vec::new();
        }
        let mut moves: Vec<Move> = self.board.legal_moves().iter().collect();
        sort_moves(&self.board, self.order, &mut moves);
        moves
    }
    fn value(&mut self) -> Value {
        let own = if self.ply < self.horizon {
            Value::mated_in(self.ply as i32)
        } else {
            self.leaf_eval.value(&self.board)
        };
        self.turn().own(own)
    }
    fn down(&mut self, mv: Move) {
        let change = self.board.play(mv);
        self.leaf_eval.follow(change);
        self.ply += 1;
    }
    fn up(&mut self) {
        self.board.undo();
        self.leaf_eval.retrace();
        self.ply -= 1;
    }
}
