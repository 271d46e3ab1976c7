//! The plain board.

use super::generate::legal;
use super::placement::{NOWHERE, Placement};
use crate::board::{Board, Change, board_key};
use crate::key::{BoardKey, Key};
use crate::movegen::generate;
use crate::side::Side;
use crate::sink::{Any, Sink};
use crate::types::color::{ByColor, Color};
use crate::types::hand::{Hand, Hands};
use crate::types::moves::{Move, MoveList};
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::{BySquare, Square};
use std::ops::ControlFlow;

/// A board that keeps what stands where, and little else: 81 squares, 14 counts in hand, the squares
/// of the kings, the turn, the hash key, and what undo needs. So a whole search can run on it.
///
/// ```
/// use tesuji_shogi::{Board, Position, movegen::scan::ScanBoard};
/// let festival = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
/// let mut board = ScanBoard::from(&Position::from_sfen(festival).unwrap());
/// assert_eq!(board.legal_moves().len(), 207);
/// let before = board.clone();
/// board.play("G*5h".parse().unwrap());
/// assert_ne!(board, before);
/// board.undo();
/// assert_eq!(board, before);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScanBoard {
    now: Placement,
    turn: Color,
    /// Of the squares and the turn.
    key: BoardKey,
    past: Vec<PastMove>,
}

/// What undo needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PastMove {
    /// `None` for a pass.
    mv: Option<Move>,
    taken: Option<Piece>,
    /// The key before the move.
    key: BoardKey,
}

impl ScanBoard {
    /// Where a king stands; composed problems may have none.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.now.king(color)
    }

    /// The pieces without the turn and the past.
    #[inline(always)]
    pub(crate) fn placement(&self) -> &Placement {
        &self.now
    }
}

/// The pieces and the turn of another board; its past is left behind.
impl<B: Board> From<&B> for ScanBoard {
    fn from(board: &B) -> Self {
        let mut now = Placement {
            squares: BySquare([None; 81]),
            hands: ByColor(Color::ALL.map(|color| board.hand(color))),
            kings: ByColor([NOWHERE; 2]),
        };
        for square in Square::all() {
            let piece = board.at(square);
            now.squares[square] = piece;
            if let Some(king) = piece.filter(|piece| piece.kind() == PieceKind::King) {
                now.kings[king.color()] = square.index() as u8;
            }
        }
        Self {
            now,
            turn: board.turn(),
            key: board_key(board),
            past: Vec::new(),
        }
    }
}

#[inline(always)]
fn legal_on<S: Side>(board: &ScanBoard, sink: &mut impl Sink) -> ControlFlow<()> {
    legal::<S>(&board.now, sink)
}

/// What a move of a colour toggles in the key.
#[inline(always)]
fn toggled(now: &Placement, color: Color, mv: Move) -> BoardKey {
    let to = mv.to();
    let turn = BoardKey::TURN;
    if let Some(kind) = mv.dropped() {
        return turn.toggle(BoardKey::piece(Some(Piece::new(color, kind)), to));
    }
    let piece = now.squares[mv.origin()];
    let placed = piece.map(|piece| piece.with_promotion(mv.is_promotion()));
    turn.toggle(BoardKey::piece(piece, mv.origin()))
        .toggle(BoardKey::piece(placed, to))
        .toggle(BoardKey::piece(now.squares[to], to))
}

impl Board for ScanBoard {
    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }
    #[inline(always)]
    fn at(&self, square: Square) -> Option<Piece> {
        self.now.squares[square]
    }
    #[inline(always)]
    fn hand(&self, color: Color) -> Hand {
        self.now.hands[color]
    }
    #[inline(always)]
    fn key(&self) -> Key {
        self.key.key(Hands::new(self.now.hands))
    }
    #[inline]
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let board = self;
        generate!(legal_on(board: ScanBoard), sink)
    }
    /// Compiled once: the unrolled generator is very large.
    fn has_legal_move(&self) -> bool {
        self.legal(&mut Any::default()).is_break()
    }
    #[inline]
    fn play(&mut self, mv: Move) -> Change {
        let change = Change::of(self, mv);
        self.past.push(PastMove {
            mv: Some(mv),
            taken: self.now.squares[mv.to()],
            key: self.key,
        });
        self.key = self.key.toggle(toggled(&self.now, self.turn, mv));
        self.now.play(self.turn, mv);
        self.turn = self.turn.foe();
        change
    }
    #[inline]
    fn undo(&mut self) {
        let PastMove { mv, taken, key } = self.past.pop().expect("a move was played");
        self.turn = self.turn.foe();
        self.key = key;
        if let Some(mv) = mv {
            self.now.take_back(self.turn, mv, taken);
        }
    }
    fn pass(&mut self) {
        self.past.push(PastMove {
            mv: None,
            taken: None,
            key: self.key,
        });
        self.key = self.key.toggle(BoardKey::TURN);
        self.turn = self.turn.foe();
    }
    /// What was taken stays at hand: nothing is pushed and popped.
    #[inline]
    fn after<R>(&mut self, mv: Move, f: impl FnOnce(&mut Self, Change) -> R) -> R {
        let (color, key, taken) = (self.turn, self.key, self.now.squares[mv.to()]);
        let change = Change::of(self, mv);
        self.key = key.toggle(toggled(&self.now, color, mv));
        self.now.play(color, mv);
        self.turn = color.foe();
        let out = f(self, change);
        (self.turn, self.key) = (color, key);
        self.now.take_back(color, mv, taken);
        out
    }
    /// Compiled once: the unrolled generator is very large.
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.legal(&mut list);
        list
    }
}
