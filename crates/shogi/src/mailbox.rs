//! 81 squares and nothing else: short, slow, obviously right.
//!
//! Nothing here is shared with the fast board but the words both speak: squares, pieces, hands and
//! moves. Where the two boards agree, each vouches for the other. python-shogi and chess libraries
//! check theirs in the same way.

use crate::board::{Board, Change, Placed, Shift, Spot, fresh_key};
use crate::key::Key;
use crate::position::Position;
use crate::position::setup::{Setup, SetupError};
use crate::sink::Sink;
use crate::types::color::{ByColor, Color};
use crate::types::hand::Hand;
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::{BySquare, Square, SquareOffset};
use std::ops::ControlFlow::{self, Continue};

/// A board that is only an array: it finds moves by stepping over the squares, and tells the legal
/// ones by playing them.
///
/// ```
/// use tesuji_shogi::{Board, Mailbox, Setup};
/// //  9  8  7  6  5  4  3  2  1
/// //  ·  R  ·  ·  ·  ·  ·  s  k  a
/// //  ·  ·  ·  ·  ·  ·  ·  ·  ·  b
/// //  ·  ·  ·  ·  ·  ·  ·  G  ·  c    Black holds a pawn; on 1b it would be mate.
/// let setup = Setup::from_sfen("1R5sk/9/7G1/9/9/9/9/9/4K4 b P 1").unwrap();
/// let mut board = Mailbox::new(&setup).unwrap();
/// assert!(!board.legal_moves().contains("P*1b".parse().unwrap()));
/// assert!(board.legal_moves().contains("P*1c".parse().unwrap()));
/// board.play("2c1b".parse().unwrap());
/// assert!(board.in_check());
/// board.undo();
/// assert_eq!(board, Mailbox::new(&setup).unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mailbox {
    squares: BySquare<Option<Piece>>,
    hands: ByColor<Hand>,
    turn: Color,
    /// The squares and the hands before each move.
    past: Vec<(BySquare<Option<Piece>>, ByColor<Hand>)>,
}

/// A step of Black's pieces, so many files to the left and ranks down.
const fn by(files: i8, ranks: i8) -> SquareOffset {
    SquareOffset::new(files, ranks)
}

const AHEAD: &[SquareOffset] = &[by(0, -1)];
const AHEAD_DIAGONAL: &[SquareOffset] = &[by(1, -1), by(-1, -1)];
const STRAIGHT: &[SquareOffset] = &[by(0, -1), by(1, 0), by(-1, 0), by(0, 1)];
const DIAGONAL: &[SquareOffset] = &[by(1, -1), by(-1, -1), by(1, 1), by(-1, 1)];
const JUMPS: &[SquareOffset] = &[by(1, -2), by(-1, -2)];

/// In which directions a kind goes, and how many steps at most.
const fn ways(kind: PieceKind) -> [(&'static [SquareOffset], usize); 2] {
    use PieceKind::*;
    match kind {
        Pawn => [(AHEAD, 1), (&[], 0)],
        Lance => [(AHEAD, 8), (&[], 0)],
        Knight => [(JUMPS, 1), (&[], 0)],
        Silver => [(AHEAD, 1), (DIAGONAL, 1)],
        Gold | PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver => {
            [(STRAIGHT, 1), (AHEAD_DIAGONAL, 1)]
        }
        Bishop => [(DIAGONAL, 8), (&[], 0)],
        Rook => [(STRAIGHT, 8), (&[], 0)],
        Horse => [(DIAGONAL, 8), (STRAIGHT, 1)],
        Dragon => [(STRAIGHT, 8), (DIAGONAL, 1)],
        King => [(STRAIGHT, 1), (DIAGONAL, 1)],
    }
}

/// Whether a kind could never move again from a square.
const fn is_dead_end(kind: PieceKind, color: Color, square: Square) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => square.rank_for(color) == 1,
        PieceKind::Knight => square.rank_for(color) <= 2,
        _ => false,
    }
}

impl Mailbox {
    /// A board with the pieces of a setup, or what is wrong with them.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        setup.build().map(|pos| Self::from(&pos))
    }

    /// Calls `f` with every square that the piece on a square attacks, those with a piece of its
    /// own side included.
    ///
    /// ```
    /// use tesuji_shogi::{Color, Mailbox, Position};
    /// let board = Mailbox::from(&Position::start());
    /// let mut attacked = Vec::new();
    /// board.attacks("8h".parse().unwrap(), |square| attacked.push(square.to_string()));
    /// assert_eq!(attacked, ["9g", "7g", "9i", "7i"]);
    /// assert!(board.is_attacked(Color::Black, "7f".parse().unwrap()));
    /// ```
    pub fn attacks(&self, from: Square, mut f: impl FnMut(Square)) {
        let Some(piece) = self.squares[from] else {
            return;
        };
        for (steps, most) in ways(piece.kind()) {
            for &step in steps {
                let step = step.for_color(piece.color());
                let mut next = from + step;
                for _ in 0..most {
                    let Some(to) = next else { break };
                    f(to);
                    next = (to + step).filter(|_| self.squares[to].is_none());
                }
            }
        }
    }

    /// Whether a side attacks a square.
    pub fn is_attacked(&self, by: Color, square: Square) -> bool {
        let mut found = false;
        for from in self.squares_of(by) {
            self.attacks(from, |to| found |= to == square);
        }
        found
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.is_king_attacked(self.turn)
    }

    /// Whether the king of a side is attacked; never if it is absent.
    fn is_king_attacked(&self, color: Color) -> bool {
        let king = Some(Piece::new(color, PieceKind::King));
        let at = Square::all().find(|&square| self.squares[square] == king);
        at.is_some_and(|square| self.is_attacked(color.foe(), square))
    }

    fn squares_of(&self, color: Color) -> impl Iterator<Item = Square> + '_ {
        let is_own = move |piece: Piece| piece.color() == color;
        Square::all().filter(move |&square| self.squares[square].is_some_and(is_own))
    }

    /// Every move that is right for its piece, whatever becomes of the own king.
    fn pseudo_legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.squares_of(self.turn) {
            self.attacks(from, |to| self.board_moves(from, to, &mut moves));
        }
        for (kind, _) in self.hands[self.turn].iter() {
            let squares = Square::all().filter(|&to| self.can_drop(kind, to));
            moves.extend(squares.map(|to| Move::drop(kind, to)));
        }
        moves
    }

    /// The moves of the piece on a square to a square that it attacks: with promotion, without.
    fn board_moves(&self, from: Square, to: Square, moves: &mut Vec<Move>) {
        let Some(piece) = self.squares[from] else {
            return;
        };
        let color = piece.color();
        if self.squares[to].is_some_and(|taken| taken.color() == color) {
            return;
        }
        if !is_dead_end(piece.kind(), color, to) {
            moves.push(Move::board(from, to));
        }
        if piece.can_promote() && (from.rank_for(color) <= 3 || to.rank_for(color) <= 3) {
            moves.push(Move::promotion(from, to));
        }
    }

    fn can_drop(&self, kind: PieceKind, to: Square) -> bool {
        let pawn = Some(Piece::new(self.turn, PieceKind::Pawn));
        let is_own_pawn = |square: Square| self.squares[square] == pawn;
        let is_second_pawn =
            || Square::all().any(|other| other.file() == to.file() && is_own_pawn(other));
        self.squares[to].is_none()
            && !is_dead_end(kind, self.turn, to)
            && !(kind == PieceKind::Pawn && is_second_pawn())
    }

    /// Whether a pseudo-legal move leaves the own king safe and is no pawn-drop mate. It is played
    /// and taken back.
    fn is_sound(&mut self, mv: Move) -> bool {
        let color = self.turn;
        self.after(mv, |next, _| {
            if next.is_king_attacked(color) {
                return false;
            }
            // A pawn that mates stands beside the king, so no drop answers it: the question whether
            // there is an answer never asks itself again.
            let is_pawn_drop = mv.dropped() == Some(PieceKind::Pawn);
            !is_pawn_drop || !next.in_check() || next.has_legal_move()
        })
    }
}

impl Board for Mailbox {
    fn turn(&self) -> Color {
        self.turn
    }
    fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square]
    }
    fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }
    fn key(&self) -> Key {
        fresh_key(self)
    }
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let past = Vec::new();
        let mut board = Self { past, ..*self };
        for mv in self.pseudo_legal() {
            if board.is_sound(mv) {
                sink.one(mv)?;
            }
        }
        Continue(())
    }
    fn play(&mut self, mv: Move) -> Change {
        self.past.push((self.squares, self.hands));
        let (color, to) = (self.turn, mv.to());
        self.turn = color.foe();
        let hand = &mut self.hands[color];
        let taken = self.squares[to].map(|piece| {
            let kind = piece.base();
            *hand = hand.with(kind, hand.count(kind) + 1);
            let held = placed(Piece::new(color, kind), Spot::hand(hand.count(kind)));
            let from = placed(piece, Spot::board(to));
            Shift { from, to: held }
        });
        let from = match mv.dropped() {
            Some(kind) => {
                let count = hand.count(kind);
                *hand = hand.with(kind, count - 1);
                placed(Piece::new(color, kind), Spot::hand(count))
            }
            None => {
                let piece = self.squares[mv.origin()].take();
                let piece = piece.expect("a piece stands where the move starts");
                placed(piece, Spot::board(mv.origin()))
            }
        };
        let promoted = from.piece.promoted().filter(|_| mv.is_promotion());
        let piece = promoted.unwrap_or(from.piece);
        self.squares[to] = Some(piece);
        let to = placed(piece, Spot::board(to));
        let moved = Some(Shift { from, to });
        Change { moved, taken }
    }
    fn undo(&mut self) {
        (self.squares, self.hands) = self.past.pop().expect("a move was played");
        self.turn = self.turn.foe();
    }
    fn pass(&mut self) {
        self.past.push((self.squares, self.hands));
        self.turn = self.turn.foe();
    }
}

fn placed(piece: Piece, spot: Spot) -> Placed {
    Placed { piece, spot }
}

/// The same pieces, hands and turn, without the moves that led to them.
impl From<&Position> for Mailbox {
    fn from(pos: &Position) -> Self {
        let setup = pos.setup();
        Self {
            squares: setup.board,
            hands: setup.hands,
            turn: setup.turn,
            past: Vec::new(),
        }
    }
}
