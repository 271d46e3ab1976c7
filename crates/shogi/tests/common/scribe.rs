//! A follower that knows the board only from the changes it was told.

use tesuji_shogi::{
    Board, ByColor, BySquare, Change, Color, Follower, Hand, Piece, Placed, Square,
};

/// The pieces as the changes told them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scribe {
    squares: BySquare<Option<Piece>>,
    hands: ByColor<Hand>,
}

impl Scribe {
    /// Reads a board from nothing.
    pub(crate) fn of(board: &impl Board) -> Self {
        let mut scribe = Self {
            squares: BySquare([None; 81]),
            hands: ByColor::default(),
        };
        scribe.start(board);
        scribe
    }

    fn remove(&mut self, placed: Placed) {
        match placed.spot.square() {
            Some(square) => {
                assert_eq!(self.squares[square], Some(placed.piece));
                self.squares[square] = None;
            }
            None => {
                let hand = &mut self.hands[placed.piece.color()];
                let count = hand.count(placed.piece.kind());
                assert_eq!(
                    placed.spot.nth(),
                    Some(count),
                    "the last of its kind leaves"
                );
                *hand = hand.with(placed.piece.kind(), count - 1);
            }
        }
    }

    fn add(&mut self, placed: Placed) {
        match placed.spot.square() {
            Some(square) => {
                assert_eq!(self.squares[square], None);
                self.squares[square] = Some(placed.piece);
            }
            None => {
                let hand = &mut self.hands[placed.piece.color()];
                let count = hand.count(placed.piece.kind()) + 1;
                assert_eq!(
                    placed.spot.nth(),
                    Some(count),
                    "a new one is the last of its kind"
                );
                *hand = hand.with(placed.piece.kind(), count);
            }
        }
    }
}

impl Follower for Scribe {
    fn start(&mut self, board: &impl Board) {
        for square in Square::all() {
            self.squares[square] = board.at(square);
        }
        self.hands = ByColor(Color::ALL.map(|color| board.hand(color)));
    }

    fn follow(&mut self, _: &impl Board, change: &Change) {
        for shift in [change.taken, change.moved].into_iter().flatten() {
            self.remove(shift.from);
            self.add(shift.to);
        }
    }

    fn retrace(&mut self, _: &impl Board, change: &Change) {
        for shift in [change.moved, change.taken].into_iter().flatten() {
            self.remove(shift.to);
            self.add(shift.from);
        }
    }
}
