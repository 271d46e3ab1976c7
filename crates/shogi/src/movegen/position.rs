//! `Position` as a [`Board`]: what it takes the generators for.

use super::{has_legal_move, is_legal, legal};
use crate::board::{Board, Change};
use crate::key::Key;
use crate::position::Position;
use crate::sink::Sink;
use crate::types::color::Color;
use crate::types::hand::Hand;
use crate::types::moves::{Move, MoveList};
use crate::types::piece::Piece;
use crate::types::square::Square;
use std::ops::ControlFlow;

impl Position {
    /// Whether a move is legal here; any 16 bits that have the form of a move may be asked about.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        is_legal(self, mv)
    }
}

impl Board for Position {
    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn()
    }
    #[inline(always)]
    fn at(&self, square: Square) -> Option<Piece> {
        self.at(square)
    }
    #[inline(always)]
    fn hand(&self, color: Color) -> Hand {
        self.now().hands.of(color)
    }
    #[inline(always)]
    fn key(&self) -> Key {
        self.key()
    }
    #[inline(always)]
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        legal(self, sink)
    }
    #[inline(always)]
    fn play(&mut self, mv: Move) -> Change {
        self.play(mv)
    }
    #[inline(always)]
    fn undo(&mut self) {
        self.undo();
    }
    fn pass(&mut self) {
        self.pass();
    }
    #[inline(always)]
    fn after<R>(&mut self, mv: Move, f: impl FnOnce(&mut Self, Change) -> R) -> R {
        self.after(mv, f)
    }
    #[inline(always)]
    fn has_legal_move(&self) -> bool {
        has_legal_move(self)
    }
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = legal(self, &mut list);
        list
    }
}
