//! Real positions as trees: any board, with any evaluation at the leaves.

use super::tree::Tree;
use tesuji_eval::Eval;
use tesuji_shogi::{Board, ByColor, BySquare, Change, Color, Move, Placed, Position};
use tesuji_shogi::{Setup, Square, Value};

/// Evaluates the leaves of a board.
pub trait LeafEval<B: Board> {
    /// Follows a move.
    fn follow(&mut self, change: Change);
    /// Follows a move back.
    fn retrace(&mut self);
    /// The value for the side to move.
    fn value(&mut self, board: &B) -> Value;
}

/// An evaluation of positions that follows the moves: the usual way, for the usual board.
pub struct IncrementalLeafEval<'e, E: Eval> {
    eval: &'e E,
    stack: E::Stack,
}

impl<'e, E: Eval> IncrementalLeafEval<'e, E> {
    /// Begins with the position it is first asked about.
    pub fn new(eval: &'e E) -> Self {
        Self {
            eval,
            stack: eval.stack(),
        }
    }
}

impl<E: Eval> LeafEval<Position> for IncrementalLeafEval<'_, E> {
    fn follow(&mut self, change: Change) {
        E::push(&mut self.stack, change);
    }
    fn retrace(&mut self) {
        E::pop(&mut self.stack);
    }
    fn value(&mut self, pos: &Position) -> Value {
        self.eval.value(&mut self.stack, pos)
    }
}

/// An evaluation of positions for any board: every leaf is set up anew as a [`Position`] and
/// evaluated from nothing. Evaluators can be asked of positions only, so that this is what another
/// board has to pay.
pub struct FreshLeafEval<F> {
    eval: F,
}

impl<F: FnMut(&Position) -> Value> FreshLeafEval<F> {
    /// Asks `eval` for the value for the side to move.
    pub fn new(eval: F) -> Self {
        Self { eval }
    }
}

impl<B: Board, F: FnMut(&Position) -> Value> LeafEval<B> for FreshLeafEval<F> {
    fn follow(&mut self, _: Change) {}
    fn retrace(&mut self) {}
    fn value(&mut self, board: &B) -> Value {
        let mut squares = BySquare([None; 81]);
        for square in Square::all() {
            squares[square] = board.at(square);
        }
        let setup = Setup {
            board: squares,
            hands: ByColor(Color::ALL.map(|color| board.hand(color))),
            turn: board.turn(),
            ply: 1,
        };
        let pos = setup.build().expect("legal moves lead to sound positions");
        (self.eval)(&pos)
    }
}

/// Piece values on any board, kept move by move: needs nothing but the changes.
#[derive(Clone, Debug)]
pub struct MaterialLeafEval {
    /// What Black has more than White, before each move and now.
    sums: Vec<i32>,
}

impl MaterialLeafEval {
    /// Counts the pieces of a board.
    pub fn new(board: &impl Board) -> Self {
        let on_board = Square::all().filter_map(|square| board.at(square));
        let placed: i32 = on_board
            .filter(|piece| !piece.is_king())
            .map(|piece| signed(piece.color(), piece.kind().worth().points()))
            .sum();
        let held = |color: Color| -> i32 {
            let each = board.hand(color).iter();
            let worth = each.map(|(kind, n)| n as i32 * kind.worth().points()).sum();
            signed(color, worth)
        };
        Self {
            sums: vec![placed + held(Color::Black) + held(Color::White)],
        }
    }

    fn top(&self) -> i32 {
        *self
            .sums
            .last()
            .expect("the sum of the first position is never taken away")
    }
}

fn signed(color: Color, points: i32) -> i32 {
    match color {
        Color::Black => points,
        Color::White => -points,
    }
}

impl<B: Board> LeafEval<B> for MaterialLeafEval {
    fn follow(&mut self, change: Change) {
        let worth = |placed: Placed| match placed.piece.is_king() {
            true => 0,
            false => signed(placed.piece.color(), placed.piece.kind().worth().points()),
        };
        let shifts = [change.moved, change.taken].into_iter().flatten();
        let gain: i32 = shifts
            .map(|shift| worth(shift.to) - worth(shift.from))
            .sum();
        self.sums.push(self.top() + gain);
    }
    fn retrace(&mut self) {
        self.sums.pop();
    }
    fn value(&mut self, board: &B) -> Value {
        Value::new(signed(board.turn(), self.top()))
    }
}

/// In which order moves are tried (captures by MVV-LVA: most valuable victim, least valuable
/// attacker).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveOrder {
    /// As the generator gives them.
    Generated,
    /// Captures first, the greatest victim before the others, and of two takers the cheaper one.
    #[default]
    Captures,
}

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

    /// What makes a capture worth trying early; 0 for the rest. The least comes first.
    fn rank(&self, mv: Move) -> i32 {
        let Some(victim) = self.board.at(mv.to()) else {
            return 0;
        };
        let taker = mv.from().and_then(|from| self.board.at(from));
        // No taker is worth more than a king, so that the victim decides first.
        let cheapness = taker.map_or(0, |piece| piece.kind().worth().points());
        cheapness - 16_000 * (1 + victim.kind().worth().points() / 50)
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
        if self.order == MoveOrder::Captures {
            moves.sort_by_cached_key(|&mv| self.rank(mv)); // Stable.
        }
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
