//! What every board can do, and who follows it move by move.

mod change;

pub use change::{Change, Placed, Shift, Spot};

use crate::key::{BoardKey, Key};
use crate::sink::{Any, Sink};
use crate::types::color::{ByColor, Color};
use crate::types::hand::{Hand, Hands};
use crate::types::moves::{Move, MoveList};
use crate::types::piece::Piece;
use crate::types::square::Square;
use std::ops::ControlFlow;

/// What every board can do.
pub trait Board: Clone {
    /// Who moves next.
    fn turn(&self) -> Color;
    /// The piece on a square.
    fn at(&self, square: Square) -> Option<Piece>;
    /// What a side holds.
    fn hand(&self, color: Color) -> Hand;
    /// A number for board, hands and turn: equal positions have equal keys.
    fn key(&self) -> Key;
    /// Hands every legal move to the sink, each exactly once.
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()>;
    /// Plays a legal move and says what it did to the pieces.
    fn play(&mut self, mv: Move) -> Change;
    /// Takes the last move back.
    ///
    /// # Panics
    /// If no move was played.
    fn undo(&mut self);
    /// Lets the opponent move instead (a null move); [`Board::undo`] takes it back. Only for a side
    /// that is not in check.
    fn pass(&mut self);

    /// Plays, lets `f` look, takes back. The pair cannot be torn apart.
    #[inline(always)]
    fn after<R>(&mut self, mv: Move, f: impl FnOnce(&mut Self, Change) -> R) -> R {
        let change = self.play(mv);
        let out = f(self, change);
        self.undo();
        out
    }

    /// Whether there is any legal move.
    fn has_legal_move(&self) -> bool {
        self.legal(&mut Any::default()).is_break()
    }

    /// Every legal move, as a list.
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.legal(&mut list);
        list
    }
}

/// Kept up to date with a board, move by move.
pub trait Follower: Clone {
    /// Begins anew from a board.
    fn start(&mut self, board: &impl Board);
    /// Follows a move; `board` is the position after it.
    fn follow(&mut self, board: &impl Board, change: &Change);
    /// Follows a move back; `board` is the position before the move, restored.
    fn retrace(&mut self, board: &impl Board, change: &Change);
}

/// A board with a follower: itself a board.
#[derive(Clone, Debug)]
pub struct Tracked<B, F> {
    board: B,
    follower: F,
    changes: Vec<Change>,
}

impl<B: Board, F: Follower> Tracked<B, F> {
    /// Starts the follower on a board.
    pub fn new(board: B, mut follower: F) -> Self {
        follower.start(&board);
        Self {
            board,
            follower,
            changes: Vec::new(),
        }
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The follower, up to date.
    pub fn follower(&self) -> &F {
        &self.follower
    }
}

impl<B: Board, F: Follower> Board for Tracked<B, F> {
    fn turn(&self) -> Color {
        self.board.turn()
    }
    fn at(&self, square: Square) -> Option<Piece> {
        self.board.at(square)
    }
    fn hand(&self, color: Color) -> Hand {
        self.board.hand(color)
    }
    fn key(&self) -> Key {
        self.board.key()
    }
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board.legal(sink)
    }
    fn has_legal_move(&self) -> bool {
        self.board.has_legal_move()
    }
    fn legal_moves(&self) -> MoveList {
        self.board.legal_moves()
    }
    fn play(&mut self, mv: Move) -> Change {
        let change = self.board.play(mv);
        self.follower.follow(&self.board, &change);
        self.changes.push(change);
        change
    }
    fn undo(&mut self) {
        let change = self.changes.pop().expect("a move was played");
        self.board.undo();
        self.follower.retrace(&self.board, &change);
    }
    fn pass(&mut self) {
        self.board.pass();
        self.follower.follow(&self.board, &Change::default());
        self.changes.push(Change::default());
    }
}

/// The key of any board, computed from nothing: what the kept keys must equal.
pub fn fresh_key(board: &impl Board) -> Key {
    let hands = ByColor(Color::ALL.map(|color| board.hand(color)));
    board_key(board).key(Hands::new(hands))
}

/// The part of the key of any board that its hands do not change, computed from nothing.
pub(crate) fn board_key(board: &impl Board) -> BoardKey {
    let mut sum = match board.turn() {
        Color::Black => BoardKey::EMPTY,
        Color::White => BoardKey::TURN,
    };
    for square in Square::all() {
        sum = sum.toggle(BoardKey::piece(board.at(square), square));
    }
    sum
}
