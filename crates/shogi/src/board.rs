//! What every board can do, what a move does to the pieces, and who follows it.

pub mod mailbox;

use crate::movegen::Sink;
use crate::position::key::Key;
use crate::types::color::Color;
use crate::types::hand::Hand;
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

    /// Plays, lets `f` look, takes back. The pair cannot be torn apart.
    #[inline(always)]
    fn after<R>(&mut self, mv: Move, f: impl FnOnce(&mut Self, Change) -> R) -> R {
        let change = self.play(mv);
        let out = f(self, change);
        self.undo();
        out
    }

    /// Every legal move, as a list.
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.legal(&mut list);
        list
    }
}

/// What a move does to the pieces: at most two of them stand elsewhere. A pass is the empty change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The piece that moved or was dropped.
    pub moved: Option<Shift>,
    /// The piece that was taken: from its square into the hand of the taker.
    pub taken: Option<Shift>,
}

impl Change {
    /// What taking the move back does to the pieces.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            moved: self.moved.map(Shift::reversed),
            taken: self.taken.map(Shift::reversed),
        }
    }
}

/// A piece that stood here and stands there now, promoted or taken over on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shift {
    /// Before the move.
    pub from: Placed,
    /// After the move.
    pub to: Placed,
}

impl Shift {
    /// The way back.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            from: self.to,
            to: self.from,
        }
    }
}

/// A piece and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// On the board or in hand.
    pub spot: Spot,
}

/// A square, or the n-th of its kind in hand, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Spot(u8);

impl Spot {
    /// On the board.
    #[inline(always)]
    pub const fn board(square: Square) -> Self {
        Self(square.index() as u8)
    }

    /// The n-th piece of its kind in hand, counted from 1.
    #[inline(always)]
    pub const fn hand(nth: u32) -> Self {
        Self(80 + nth as u8)
    }

    /// The square, if it is on the board.
    #[inline(always)]
    pub const fn square(self) -> Option<Square> {
        Square::new(self.0 as usize)
    }

    /// The n of the n-th in hand, counted from 1; `None` on the board.
    #[inline(always)]
    pub const fn nth(self) -> Option<u32> {
        if self.0 > 80 {
            Some(self.0 as u32 - 80)
        } else {
            None
        }
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
}
