//! How many pieces of each colour attack each square, kept move by move.
//!
//! Attacks end at the first piece they meet; x-rays (影の利き) are not counted. A move takes a
//! piece off one square and puts one on another. Between the two there is a board on which neither
//! stands: from there, going back and going on are sums over the same few rays, and differ only in
//! sign.
//!
//! Tables of attacks (利き) were at the heart of shogi programs before bitboards; OpenShogiLib (2003)
//! has them as a part that can be exchanged.

#[cfg(test)]
mod tests;

use crate::attacks::{self, lines, sliders};
use crate::bitboard::Bitboard;
use crate::board::{Board, Change, Follower, Shift};
use crate::types::color::{ByColor, Color};
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::{BySquare, Direction, Square};

/// The number of attacks on each square, by colour; a follower of any board.
///
/// ```
/// use tesuji_shogi::effects::AttackCounts;
/// use tesuji_shogi::{Board, Color, Position, Tracked};
/// let mut tracked = Tracked::new(Position::start(), AttackCounts::default());
/// let square = "3c".parse().unwrap();
/// assert_eq!(tracked.follower().count(Color::Black, square), 0);
/// tracked.play("7g7f".parse().unwrap()); // opens the way of the bishop
/// assert_eq!(tracked.follower().count(Color::Black, square), 1);
/// tracked.undo();
/// assert_eq!(tracked.follower(), &AttackCounts::of(tracked.board()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackCounts {
    counts: ByColor<BySquare<u8>>,
    occupied: Bitboard,
    sliders: Bitboard,
}

impl Default for AttackCounts {
    /// The counts of the empty board.
    fn default() -> Self {
        Self {
            counts: ByColor([BySquare([0; 81]); 2]),
            occupied: Bitboard::EMPTY,
            sliders: Bitboard::EMPTY,
        }
    }
}

impl AttackCounts {
    /// The counts of a board.
    pub fn of(board: &impl Board) -> Self {
        let mut counts = Self::default();
        counts.start(board);
        counts
    }

    /// How many pieces of a colour attack a square.
    #[inline]
    pub fn count(&self, color: Color, square: Square) -> u32 {
        u32::from(self.counts[color][square])
    }

    /// The counts of one colour for all squares.
    #[inline]
    pub fn all(&self, color: Color) -> &BySquare<u8> {
        &self.counts[color]
    }

    /// Goes over one move, onwards or back. `at` answers for the board on which the moved piece is
    /// nowhere and the taken one still in its place.
    fn carry(&mut self, change: &Change, at: impl Fn(Square) -> Option<Piece>, sign: Sign) {
        let Some(Shift { from, to }) = change.moved else {
            return;
        };
        let Some(end) = to.spot.square() else {
            return;
        };
        let start = from.spot.square();
        let taken = change.taken.map(|shift| shift.from.piece);
        let [lifted, landed] = [start, Some(end)].map(|s| s.map_or(Bitboard::EMPTY, Bitboard::of));
        self.put(None, lifted);
        self.put(taken, landed);
        if let Some(start) = start {
            self.add_piece(from.piece, start, sign.negated());
            self.add_rays_beyond(start, &at, sign);
        }
        match taken {
            Some(taken) => self.add_piece(taken, end, sign.negated()),
            None => self.add_rays_beyond(end, &at, sign.negated()),
        }
        self.add_piece(to.piece, end, sign);
        match sign {
            Sign::Plus => self.put(Some(to.piece), landed),
            Sign::Minus => self.put(Some(from.piece), lifted),
        }
    }

    /// Says what stands on a square, given as the set of it; an empty set is nowhere.
    fn put(&mut self, piece: Option<Piece>, square: Bitboard) {
        let only_if = |yes: bool| if yes { square } else { Bitboard::EMPTY };
        let is_slider = piece.is_some_and(|piece| is_slider(piece.kind()));
        self.occupied = self.occupied.without(square) | only_if(piece.is_some());
        self.sliders = self.sliders.without(square) | only_if(is_slider);
    }

    /// Adds the attacks of a piece.
    fn add_piece(&mut self, piece: Piece, square: Square, sign: Sign) {
        let reach = attacks::of(piece.kind(), piece.color(), square, self.occupied);
        self.add(piece.color(), reach, sign);
    }

    /// Adds what the sliders that look at a square attack beyond it as long as it is empty.
    fn add_rays_beyond(
        &mut self,
        square: Square,
        at: impl Fn(Square) -> Option<Piece>,
        sign: Sign,
    ) {
        let reach = sliders::rook(square, self.occupied) | sliders::bishop(square, self.occupied);
        (reach & self.sliders).each(|origin| {
            let (Some(piece), Some(direction)) = (at(origin), lines::direction(origin, square))
            else {
                return;
            };
            if slides(piece, direction) {
                self.add(piece.color(), reach & lines::ray(square, direction), sign);
            }
        });
    }

    fn add(&mut self, color: Color, set: Bitboard, sign: Sign) {
        let counts = &mut self.counts[color];
        set.each(|square| counts[square] = counts[square].wrapping_add_signed(sign as i8));
    }
}

/// Whether something is added or taken away, whether a move is followed or retraced.
#[derive(Clone, Copy)]
#[repr(i8)]
enum Sign {
    Plus = 1,
    Minus = -1,
}

impl Sign {
    const fn negated(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
        }
    }
}

/// Whether a kind attacks any distance in some direction.
const fn is_slider(kind: PieceKind) -> bool {
    use PieceKind::*;
    matches!(kind, Lance | Bishop | Rook | Horse | Dragon)
}

/// Whether a piece attacks any distance in a direction.
fn slides(piece: Piece, direction: Direction) -> bool {
    let is_straight = (direction as u8).is_multiple_of(2);
    match piece.kind() {
        PieceKind::Rook | PieceKind::Dragon => is_straight,
        PieceKind::Bishop | PieceKind::Horse => !is_straight,
        PieceKind::Lance => match piece.color() {
            Color::Black => direction == Direction::North,
            Color::White => direction == Direction::South,
        },
        _ => false,
    }
}

impl Follower for AttackCounts {
    fn start(&mut self, board: &impl Board) {
        *self = Self::default();
        Square::all().for_each(|square| self.put(board.at(square), Bitboard::of(square)));
        self.occupied.each(|square| {
            if let Some(piece) = board.at(square) {
                self.add_piece(piece, square, Sign::Plus);
            }
        });
    }

    fn follow(&mut self, board: &impl Board, change: &Change) {
        let end = change.moved.and_then(|shift| shift.to.spot.square());
        let taken = change.taken.map(|shift| shift.from.piece);
        let at = |square| {
            if Some(square) == end {
                taken
            } else {
                board.at(square)
            }
        };
        self.carry(change, at, Sign::Plus);
    }

    fn retrace(&mut self, board: &impl Board, change: &Change) {
        // The square of the moved piece is empty in between, so nobody asks for it.
        self.carry(change, |square| board.at(square), Sign::Minus);
    }
}
