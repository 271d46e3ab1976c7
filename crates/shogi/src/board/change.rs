//! What a move does to the pieces.

use super::Board;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::Square;

/// What a move does to the pieces: at most two of them stand elsewhere. A pass is the empty change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The piece that moved or was dropped.
    pub moved: Option<Shift>,
    /// The piece that was taken: from its square into the hand of the taker.
    pub taken: Option<Shift>,
}

impl Change {
    /// The change that a move makes to any board on which it is legal.
    #[inline]
    pub(crate) fn of(board: &impl Board, mv: Move) -> Self {
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
            return Self {
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
        Self { moved, taken }
    }

    /// The move that made the change; `None` for a pass.
    ///
    /// ```
    /// use tesuji_shogi::{Change, Position};
    /// let mut pos = Position::start();
    /// let mv = "7g7f".parse().unwrap();
    /// assert_eq!(pos.play(mv).played(), Some(mv));
    /// assert_eq!(Change::default().played(), None);
    /// ```
    pub fn played(&self) -> Option<Move> {
        let Shift { from, to } = self.moved?;
        let end = to.spot.square()?;
        Some(match from.spot.square() {
            None => Move::drop(from.piece.kind(), end),
            Some(start) if from.piece == to.piece => Move::board(start, end),
            Some(start) => Move::promotion(start, end),
        })
    }

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

    /// The spot for a number: squares are 0 to 80, the n-th piece in hand is 80 + n.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The number of the spot.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
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
