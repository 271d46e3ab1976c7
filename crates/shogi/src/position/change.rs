//! What a move does to the pieces.

use super::Position;
use crate::board::{Board, Change, Placed, Shift, Spot};
use crate::types::moves::Move;
use crate::types::piece::Piece;

/// The change that a move makes to any board on which it is legal.
#[inline]
pub(crate) fn of(board: &impl Board, mv: Move) -> Change {
    let (turn, to) = (board.turn(), mv.to());
    if let Some(kind) = mv.dropped() {
        let piece = Piece::new(turn, kind);
        let from = Placed {
            piece,
            spot: Spot::hand(board.hand(turn).count(kind)),
        };
        let to = Placed {
            piece,
            spot: Spot::board(to),
        };
        return Change {
            moved: Some(Shift { from, to }),
            taken: None,
        };
    }
    let taken = board.at(to).map(|piece| {
        let held = Piece::new(turn, piece.base());
        let nth = board.hand(turn).count(held.kind()) + 1;
        Shift {
            from: Placed {
                piece,
                spot: Spot::board(to),
            },
            to: Placed {
                piece: held,
                spot: Spot::hand(nth),
            },
        }
    });
    let moved = board.at(mv.origin()).map(|piece| Shift {
        from: Placed {
            piece,
            spot: Spot::board(mv.origin()),
        },
        to: Placed {
            piece: piece.with_promotion(mv.is_promotion()),
            spot: Spot::board(to),
        },
    });
    Change { moved, taken }
}

impl Position {
    /// The change that the last move made; empty if it was a pass or there was none.
    pub fn last_change(&self) -> Change {
        let mut before = self.clone();
        match self.last_move() {
            Some(mv) => {
                before.undo();
                of(&before, mv)
            }
            None => Change::default(),
        }
    }
}
