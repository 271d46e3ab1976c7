//! What a search asks at its leaves: an evaluation that follows the moves, on any board.
//!
//! Evaluators are asked about positions. On the board `Position` they follow its moves; another board
//! keeps a position beside it, or counts pieces from the changes alone.

use tesuji_eval::Eval;
use tesuji_shogi::{Board, ByColor, BySquare, Change, Color, Placed, Position};
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

/// An evaluation of positions for any board: a position is played beside it, which costs a move and
/// its taking back, a few nanoseconds each.
pub struct ShadowLeafEval<'e, E: Eval> {
    pos: Position,
    inner: IncrementalLeafEval<'e, E>,
}

impl<'e, E: Eval> ShadowLeafEval<'e, E> {
    /// Begins with this position, which is that of the board.
    pub fn new(eval: &'e E, pos: &Position) -> Self {
        Self {
            pos: pos.clone(),
            inner: IncrementalLeafEval::new(eval),
        }
    }
}

impl<E: Eval, B: Board> LeafEval<B> for ShadowLeafEval<'_, E> {
    fn follow(&mut self, change: Change) {
        match change.played() {
            Some(mv) => drop(self.pos.play(mv)),
            None => self.pos.pass(),
        }
        self.inner.follow(change);
    }
    fn retrace(&mut self) {
        self.pos.undo();
        self.inner.retrace();
    }
    fn value(&mut self, board: &B) -> Value {
        debug_assert_eq!(
            self.pos.key(),
            board.key(),
            "the position followed every move"
        );
        self.inner.value(&self.pos)
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

/// Where the searches on a board get their leaf evaluation from: made once for every thread.
pub trait LeafSource<B: Board>: Send + Sync {
    /// What evaluates the leaves.
    type Leaf<'e>: LeafEval<B>
    where
        Self: 'e;
    /// An evaluation whose path begins with this position.
    fn leaf<'e>(&'e self, root: &Position) -> Self::Leaf<'e>;
}

/// Leaves by an evaluator: it follows the board, or a position beside it.
#[derive(Clone, Debug)]
pub struct EvaluatedLeaves<E>(pub E);

impl<E: Eval + Send> LeafSource<Position> for EvaluatedLeaves<E> {
    type Leaf<'e>
        = IncrementalLeafEval<'e, E>
    where
        E: 'e;
    fn leaf<'e>(&'e self, _: &Position) -> IncrementalLeafEval<'e, E> {
        IncrementalLeafEval::new(&self.0)
    }
}

/// Leaves of a board that is not [`Position`]: by an evaluator, or by piece values, which are kept from
/// the changes alone. Which of them is known only when the program runs: a branch of the machine for
/// every leaf, so that a search is compiled once for both.
#[derive(Clone, Debug)]
pub enum BesideLeaves<E> {
    /// Piece values.
    Counted,
    /// An evaluator, for which a position is played beside the board.
    Evaluated(E),
}

/// What [`BesideLeaves`] evaluates with.
pub enum BesideLeafEval<'e, E: Eval> {
    /// Piece values.
    Counted(MaterialLeafEval),
    /// An evaluator and its position.
    Evaluated(ShadowLeafEval<'e, E>),
}

impl<E: Eval + Send, B: Board> LeafSource<B> for BesideLeaves<E> {
    type Leaf<'e>
        = BesideLeafEval<'e, E>
    where
        E: 'e;
    fn leaf<'e>(&'e self, root: &Position) -> BesideLeafEval<'e, E> {
        match self {
            Self::Counted => BesideLeafEval::Counted(MaterialLeafEval::new(root)),
            Self::Evaluated(eval) => BesideLeafEval::Evaluated(ShadowLeafEval::new(eval, root)),
        }
    }
}

impl<E: Eval, B: Board> LeafEval<B> for BesideLeafEval<'_, E> {
    fn follow(&mut self, change: Change) {
        match self {
            Self::Counted(leaf) => LeafEval::<B>::follow(leaf, change),
            Self::Evaluated(leaf) => LeafEval::<B>::follow(leaf, change),
        }
    }
    fn retrace(&mut self) {
        match self {
            Self::Counted(leaf) => LeafEval::<B>::retrace(leaf),
            Self::Evaluated(leaf) => LeafEval::<B>::retrace(leaf),
        }
    }
    fn value(&mut self, board: &B) -> Value {
        match self {
            Self::Counted(leaf) => leaf.value(board),
            Self::Evaluated(leaf) => leaf.value(board),
        }
    }
}
