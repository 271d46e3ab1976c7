//! The special generators of the plain array: captures, moves to a square, and what a move attacks.

use super::board::ScanBoard;
use super::buffer::ShortBuffer;
use super::generate::{drops_on, free, legal, without_pins};
use super::look::{ScanCheckInfo, Sight};
use super::pieces::{KingMoves, moves_onto, pinned_moves_to};
use super::placement::{Placement, is_own};
use crate::board::Board;
use crate::movegen::generate;
use crate::side::{Black, Side, White};
use crate::sink::{Filtered, Sink};
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Continue};

impl ScanBoard {
    /// Whether a colour attacks a square.
    #[inline]
    pub(crate) fn sees_attack(&self, by: Color, square: Square) -> bool {
        sees_attack(self.placement(), by, square)
    }

    /// Whether the side to move attacks a square after one of its moves.
    #[inline]
    pub(crate) fn attacks_after(&self, mv: Move, square: Square) -> bool {
        let mut then = *self.placement();
        then.play(self.turn(), mv);
        sees_attack(&then, self.turn(), square)
    }

    /// Whether the foe attacks a square after a move of the side to move.
    #[inline]
    pub(crate) fn is_threatened_after(&self, mv: Move, square: Square) -> bool {
        let mut then = *self.placement();
        then.play(self.turn(), mv);
        sees_attack(&then, self.turn().foe(), square)
    }

    /// Hands every legal move that takes something to the sink. Drops are not even looked for.
    pub(crate) fn board_captures(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let board = self;
        generate!(captures_on(board: ScanBoard), sink)
    }

    /// Hands every legal move to a square to the sink.
    pub(crate) fn moves_to(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        let board = self;
        generate!(to_on(board: ScanBoard, square: Square), sink)
    }
}

#[inline]
fn sees_attack(now: &Placement, by: Color, square: Square) -> bool {
    let sight = match by {
        Color::Black => Sight::from::<Black>(square.index(), &now.squares),
        Color::White => Sight::from::<White>(square.index(), &now.squares),
    };
    sight.is_covered()
}

/// What threatens the king of `S`; nothing if there is none.
fn danger_of<S: Side>(now: &Placement) -> ScanCheckInfo {
    now.king(S::COLOR).map_or(ScanCheckInfo::NONE, |king| {
        ScanCheckInfo::of::<S>(king.index(), &now.squares)
    })
}

fn captures_on<S: Side>(board: &ScanBoard, sink: &mut impl Sink) -> ControlFlow<()> {
    let now = board.placement();
    let test = |mv: Move| now.squares[mv.to()].is_some();
    let danger = danger_of::<S>(now);
    match danger.checks() {
        0 => free::<S, false>(now, danger, &mut Filtered { sink, test }),
        _ => legal::<S>(now, &mut Filtered { sink, test }),
    }
}

fn to_on<S: Side>(board: &ScanBoard, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
    let now = board.placement();
    let (danger, to) = (danger_of::<S>(now), square.index());
    if is_own::<S>(now.squares[square]) {
        return Continue(());
    }
    let test = |mv: Move| mv.to() == square;
    if danger.checks() > 0 {
        return legal::<S>(now, &mut Filtered { sink, test });
    }
    let mut moves = ShortBuffer::new();
    let (marked, mut squares);
    squares = &now.squares;
    if let Some(king) = now.king(S::COLOR).map(Square::index) {
        let mut steps = ShortBuffer::new();
        let count = KingMoves::<S>::MOVES[king](&now.squares, 0, 8, &mut steps);
        Filtered { sink, test }.batch(steps.batch(count))?;
        if danger.has_pins() {
            marked = without_pins::<S>(now.squares, king, danger);
            squares = &marked;
            for pin in danger.pins::<S>(king, &now.squares) {
                pinned_moves_to::<S>(&now.squares, pin, square, sink)?;
            }
        }
    }
    let sight = Sight::from::<S>(to, squares);
    let mut count = moves_onto::<S, _, _>(squares, to, sight, &mut moves, 0);
    if now.squares[square].is_none() {
        count = drops_on::<S>(now, to, &mut moves, count);
    }
    sink.batch(moves.batch(count))
}
