//! A board of one's own: an array of squares that keeps copies of itself to go back to.

use std::ops::ControlFlow::{self, Continue};
use tesuji_shogi::board::fresh_key;
use tesuji_shogi::{
    Any, Bitboard, Board, Change, Color, Generators, Hand, Key, Move, Piece, PieceKind, Placed,
    Position, Shift, Sink, Spot, Square, attacks,
};

/// What stands where, who holds what, and every position before.
#[derive(Clone)]
pub struct OwnBoard {
    now: State,
    past: Vec<State>,
}

#[derive(Clone, Copy)]
struct State {
    squares: [Option<Piece>; 81],
    hands: [Hand; 2],
    turn: Color,
}

impl From<&Position> for OwnBoard {
    fn from(pos: &Position) -> Self {
        let mut squares = [None; 81];
        for square in Square::all() {
            squares[square.index()] = pos.at(square);
        }
        let hands = Color::ALL.map(|color| pos.hand(color));
        let turn = pos.turn();
        let now = State { squares, hands, turn };
        Self { now, past: Vec::new() }
    }
}

impl State {
    fn occupied(&self) -> Bitboard {
        let is_taken = |square: &Square| self.squares[square.index()].is_some();
        let squares = Square::all().filter(is_taken);
        squares.fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }

    fn is_attacked(&self, by: Color, target: Square) -> bool {
        let occupied = self.occupied();
        Square::all().any(|from| {
            self.squares[from.index()].is_some_and(|piece| {
                piece.color() == by && attacks::of(piece.kind(), by, from, occupied).has(target)
            })
        })
    }

    fn in_check(&self, color: Color) -> bool {
        let king = Some(Piece::new(color, PieceKind::King));
        let at = Square::all().find(|square| self.squares[square.index()] == king);
        at.is_some_and(|at| self.is_attacked(color.foe(), at))
    }

    fn play(&mut self, mv: Move) -> Change {
        let (turn, to) = (self.turn, mv.to());
        let hand = &mut self.hands[usize::from(turn == Color::White)];
        let placed = |piece, spot| Placed { piece, spot };
        let taken = self.squares[to.index()].map(|piece| {
            let kind = piece.base();
            *hand = hand.with(kind, hand.count(kind) + 1);
            let held = placed(Piece::new(turn, kind), Spot::hand(hand.count(kind)));
            Shift { from: placed(piece, Spot::board(to)), to: held }
        });
        let from = match (mv.dropped(), mv.from()) {
            (Some(kind), _) => {
                let count = hand.count(kind);
                *hand = hand.with(kind, count - 1);
                placed(Piece::new(turn, kind), Spot::hand(count))
            }
            (None, from) => {
                let from = from.expect("a move that is no drop comes from a square");
                let piece = self.squares[from.index()].take();
                placed(piece.expect("a piece stands where the move starts"), Spot::board(from))
            }
        };
        let promoted = from.piece.promoted().filter(|_| mv.is_promotion());
        let piece = promoted.unwrap_or(from.piece);
        self.squares[to.index()] = Some(piece);
        self.turn = turn.foe();
        let to = placed(piece, Spot::board(to));
        Change { moved: Some(Shift { from, to }), taken }
    }

    /// Every move that is right for its piece, whatever becomes of the own king.
    fn candidates(&self) -> Vec<Move> {
        let (turn, occupied, mut moves) = (self.turn, self.occupied(), Vec::new());
        for from in Square::all() {
            let Some(piece) = self.squares[from.index()].filter(|p| p.color() == turn) else {
                continue;
            };
            for to in attacks::of(piece.kind(), turn, from, occupied).iter() {
                if self.squares[to.index()].is_some_and(|other| other.color() == turn) {
                    continue;
                }
                if may_stay(piece.kind(), turn, to) {
                    moves.push(Move::board(from, to));
                }
                if piece.can_promote() && (from.rank_for(turn) <= 3 || to.rank_for(turn) <= 3) {
                    moves.push(Move::promotion(from, to));
                }
            }
        }
        for (kind, _) in self.hands[usize::from(turn == Color::White)].iter() {
            let free = Square::all().filter(|to| self.squares[to.index()].is_none());
            let allowed = free.filter(|&to| may_stay(kind, turn, to) && !self.is_second_pawn(kind, to));
            moves.extend(allowed.map(|to| Move::drop(kind, to)));
        }
        moves
    }

    fn is_second_pawn(&self, kind: PieceKind, to: Square) -> bool {
        let pawn = Some(Piece::new(self.turn, PieceKind::Pawn));
        let mut file = Square::all().filter(|square| square.file() == to.file());
        kind == PieceKind::Pawn && file.any(|square| self.squares[square.index()] == pawn)
    }
}

/// Whether a kind could ever move again from a square.
fn may_stay(kind: PieceKind, color: Color, square: Square) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => square.rank_for(color) > 1,
        PieceKind::Knight => square.rank_for(color) > 2,
        _ => true,
    }
}

impl Board for OwnBoard {
    fn turn(&self) -> Color {
        self.now.turn
    }
    fn at(&self, square: Square) -> Option<Piece> {
        self.now.squares[square.index()]
    }
    fn hand(&self, color: Color) -> Hand {
        self.now.hands[usize::from(color == Color::White)]
    }
    fn key(&self) -> Key {
        fresh_key(self)
    }
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        for mv in self.now.candidates() {
            let mut then = self.now;
            then.play(mv);
            let is_pawn_drop = mv.dropped() == Some(PieceKind::Pawn);
            let mates = || {
                let next = Self { now: then, past: Vec::new() };
                then.in_check(then.turn) && next.legal(&mut Any::default()).is_continue()
            };
            if !then.in_check(self.now.turn) && !(is_pawn_drop && mates()) {
                sink.one(mv)?;
            }
        }
        Continue(())
    }
    fn play(&mut self, mv: Move) -> Change {
        self.past.push(self.now);
        self.now.play(mv)
    }
    fn undo(&mut self) {
        self.now = self.past.pop().expect("a move was played");
    }
    fn pass(&mut self) {
        self.past.push(self.now);
        self.now.turn = self.now.turn.foe();
    }
}

/// All special generators come with the trait.
impl Generators for OwnBoard {}
