//! The special generators of every board, and what moves are asked about.
//!
//! The generators are those of OpenShogiLib (2003): moves to a square, moves that put an attack on
//! one, moves that save a piece, checks, captures, evasions. What is not written for a board is
//! found in its legal moves, by playing each of them: right for every board, and slow.

use crate::attacks::lines;
use crate::bitboard::Bitboard;
use crate::board::{Board, Follower, Tracked};
use crate::mailbox::Mailbox;
use crate::movegen::scan::ScanBoard;
use crate::movegen::{self, Filtered, Sink};
use crate::position::Position;
use crate::tactics::{mate1, mate1_scan, see, see_scan};
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::{Direction, Square, SquareOffset};
use crate::types::value::Value;
use std::ops::ControlFlow::{self, Continue};

/// A board that can be asked for some of its moves, and about single ones. Everything has an answer
/// that holds for any board; a board overrides what it knows how to do faster.
///
/// ```
/// use tesuji_shogi::movegen::scan::ScanBoard;
/// use tesuji_shogi::{Count, Generators, Mailbox, Position};
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// fn checks(board: &impl Generators) -> usize {
///     let mut count = Count::default();
///     let _ = board.checks(&mut count);
///     count.0
/// }
/// assert_eq!(checks(&pos), checks(&Mailbox::from(&pos)));
/// assert_eq!(checks(&pos), checks(&ScanBoard::from(&pos)));
/// ```
pub trait Generators: Board {
    /// The pieces of a colour that attack a square.
    fn attackers_of(&self, by: Color, target: Square) -> Bitboard {
        attackers_by_looking(self, by, target)
    }

    /// Where a king stands; composed problems may have none.
    fn king_square(&self, color: Color) -> Option<Square> {
        let king = Some(Piece::new(color, PieceKind::King));
        Square::all().find(|&square| self.at(square) == king)
    }

    /// Whether a colour attacks a square.
    fn is_square_attacked(&self, by: Color, square: Square) -> bool {
        self.attackers_of(by, square).any()
    }

    /// Whether the side to move is in check.
    fn is_in_check(&self) -> bool {
        let turn = self.turn();
        let king = self.king_square(turn);
        king.is_some_and(|king| self.is_square_attacked(turn.foe(), king))
    }

    /// What a move and the captures that follow on its square gain.
    fn exchange(&self, mv: Move) -> Value {
        see_scan::exchange(self, mv)
    }

    /// Whether [`Generators::exchange`] is at least so much.
    fn exchange_is_at_least(&self, mv: Move, threshold: Value) -> bool {
        self.exchange(mv) >= threshold
    }

    /// A move that mates at once, if there is one.
    fn mate_in_one(&mut self) -> Option<Move> {
        mate1_scan::mate_in_one(&ScanBoard::from(&*self))
    }

    /// Whether a legal move is never better than its promotion: of a pawn, a bishop or a rook, or of
    /// a lance that would stay on its second rank.
    fn is_always_worse(&self, mv: Move) -> bool {
        is_always_worse(self, mv)
    }

    /// Hands every legal move to the sink but those that are never better than their promotion.
    fn legal_without_worse(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let test = |mv: Move| !is_always_worse(self, mv);
        self.legal(&mut Filtered { sink, test })
    }

    /// Hands every legal move that takes something to the sink.
    fn captures(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let test = |mv: Move| self.at(mv.to()).is_some();
        self.legal(&mut Filtered { sink, test })
    }

    /// Hands every legal move to a square to the sink.
    fn to(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        let test = |mv: Move| mv.to() == square;
        self.legal(&mut Filtered { sink, test })
    }

    /// Hands every legal move that gives check to the sink.
    fn checks(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let mut board = self.clone();
        let test = |mv: Move| board.after(mv, |board, _| board.is_in_check());
        self.legal(&mut Filtered { sink, test })
    }

    /// Hands every answer to a check to the sink; nothing if there is no check.
    fn evasions(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        match self.is_in_check() {
            true => self.legal(sink),
            false => Continue(()),
        }
    }

    /// Hands every legal move to the sink after which the moved piece attacks `target`, or another
    /// one does that did not before.
    fn attacking(&self, target: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        let (own, mut board) = (self.turn(), self.clone());
        let before = self.attackers_of(own, target);
        let test = |mv: Move| {
            let old = before.without(Bitboard::of(mv.to()));
            board.after(mv, |board, _| {
                board.attackers_of(own, target).without(old).any()
            })
        };
        self.legal(&mut Filtered { sink, test })
    }

    /// Hands every legal move to the sink after which the piece of the side to move that stood on
    /// `square` is not attacked any more. Nothing if it is not attacked now.
    fn escapes(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        let foe = self.turn().foe();
        let is_own = self.at(square).is_some_and(|piece| piece.color() != foe);
        if !is_own || !self.is_square_attacked(foe, square) {
            return Continue(());
        }
        let mut board = self.clone();
        let test = |mv: Move| {
            let stands = if mv.from() == Some(square) {
                mv.to()
            } else {
                square
            };
            board.after(mv, |board, _| !board.is_square_attacked(foe, stands))
        };
        self.legal(&mut Filtered { sink, test })
    }
}

/// The attackers of a square on any board, found by looking outward from it.
fn attackers_by_looking(board: &impl Board, by: Color, target: Square) -> Bitboard {
    let mut attackers = Bitboard::EMPTY;
    for direction in Direction::ALL {
        let ray = std::iter::successors(target.step(direction), |at| at.step(direction));
        let mut pieces = (1..)
            .zip(ray)
            .filter_map(|(far, at)| Some((far, at, board.at(at)?)));
        if let Some((distance, at, piece)) = pieces.next()
            && piece.color() == by
            && reaches(piece, direction.reversed(), distance > 1)
        {
            attackers |= Bitboard::of(at);
        }
    }
    let knight = Some(Piece::new(by, PieceKind::Knight));
    for jump in [SquareOffset::new(1, -2), SquareOffset::new(-1, -2)] {
        // A knight that jumps here stands where the jump came from.
        let from = target + -jump.for_color(by);
        if let Some(from) = from.filter(|&from| board.at(from) == knight) {
            attackers |= Bitboard::of(from);
        }
    }
    attackers
}

/// Whether a piece moves in a direction: by one step, or by many.
fn reaches(piece: Piece, direction: Direction, many: bool) -> bool {
    use PieceKind::*;
    let (files, ranks) = direction.delta();
    let is_diagonal = files != 0 && ranks != 0;
    // From here on forward is up, whoever moves.
    let ranks = match piece.color() {
        Color::Black => ranks,
        Color::White => -ranks,
    };
    match piece.kind() {
        Bishop => is_diagonal,
        Rook => !is_diagonal,
        Horse => is_diagonal || !many,
        Dragon => !is_diagonal || !many,
        Lance => (files, ranks) == (0, -1),
        _ if many => false,
        King => true,
        Pawn => (files, ranks) == (0, -1),
        Knight => false,
        Silver => is_diagonal || ranks == -1,
        _ => !is_diagonal || ranks == -1,
    }
}

fn is_always_worse(board: &impl Board, mv: Move) -> bool {
    let Some(from) = mv.from().filter(|_| !mv.is_promotion()) else {
        return false;
    };
    let turn = board.turn();
    let (start, end) = (from.rank_for(turn), mv.to().rank_for(turn));
    match board.at(from).map(Piece::kind) {
        Some(PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook) => start <= 3 || end <= 3,
        Some(PieceKind::Lance) => end == 2,
        _ => false,
    }
}

/// By its sets of squares.
impl Generators for Position {
    fn attackers_of(&self, by: Color, target: Square) -> Bitboard {
        self.attackers(by, target, self.occupied())
    }
    fn king_square(&self, color: Color) -> Option<Square> {
        self.king(color)
    }
    fn is_square_attacked(&self, by: Color, square: Square) -> bool {
        self.is_attacked(by, square)
    }
    fn is_in_check(&self) -> bool {
        self.in_check()
    }
    fn exchange(&self, mv: Move) -> Value {
        see::exchange(self, mv)
    }
    fn exchange_is_at_least(&self, mv: Move, threshold: Value) -> bool {
        see::is_at_least(self, mv, threshold)
    }
    fn mate_in_one(&mut self) -> Option<Move> {
        mate1::mate_in_one(self)
    }
    fn legal_without_worse(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        movegen::legal_without_worse(self, sink)
    }
    fn captures(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        movegen::captures(self, sink)
    }
    fn to(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        movegen::to(self, square, sink)
    }
    fn checks(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        movegen::checks(self, sink)
    }
    fn attacking(&self, target: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        movegen::attacking(self, target, sink)
    }
    fn escapes(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        movegen::escapes(self, square, sink)
    }
}

/// Short, slow, obviously right: everything by playing the legal moves, on the board's own attacks.
impl Generators for Mailbox {
    fn attackers_of(&self, by: Color, target: Square) -> Bitboard {
        let mut attackers = Bitboard::EMPTY;
        for from in Square::all() {
            if self.at(from).is_some_and(|piece| piece.color() == by) {
                self.attacks(from, |to| {
                    if to == target {
                        attackers |= Bitboard::of(from);
                    }
                });
            }
        }
        attackers
    }
    fn is_in_check(&self) -> bool {
        self.in_check()
    }
}

/// By looking outward from the squares that matter.
impl Generators for ScanBoard {
    fn king_square(&self, color: Color) -> Option<Square> {
        self.king(color)
    }
    fn is_square_attacked(&self, by: Color, square: Square) -> bool {
        self.sees_attack(by, square)
    }
    fn is_in_check(&self) -> bool {
        let turn = self.turn();
        self.king(turn)
            .is_some_and(|king| self.sees_attack(turn.foe(), king))
    }
    fn mate_in_one(&mut self) -> Option<Move> {
        mate1_scan::mate_in_one(self)
    }
    fn captures(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board_captures(sink)
    }
    fn to(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        self.moves_to(square, sink)
    }
    fn checks(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let Some(king) = self.king(self.turn().foe()) else {
            return Continue(());
        };
        // Only who stands on a line with the king, or a jump away from it, can give check there or
        // open the line of another piece.
        let near = lines_and_jumps(king);
        let test = |mv: Move| {
            let leaves = mv.from().is_some_and(|from| near.has(from));
            (leaves || near.has(mv.to())) && self.attacks_after(mv, king)
        };
        self.legal(&mut Filtered { sink, test })
    }
    fn escapes(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        let foe = self.turn().foe();
        let is_own = self.at(square).is_some_and(|piece| piece.color() != foe);
        if !is_own || !self.sees_attack(foe, square) {
            return Continue(());
        }
        let test = |mv: Move| {
            let stands = if mv.from() == Some(square) {
                mv.to()
            } else {
                square
            };
            !self.is_threatened_after(mv, stands)
        };
        self.legal(&mut Filtered { sink, test })
    }
}

/// The squares on the eight lines through a square, and those a knight's jump of either side away.
fn lines_and_jumps(square: Square) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for direction in Direction::ALL {
        set |= lines::ray(square, direction);
    }
    for (files, ranks) in [(1, -2), (-1, -2), (1, 2), (-1, 2)] {
        if let Some(at) = square.shifted(files, ranks) {
            set |= Bitboard::of(at);
        }
    }
    set
}

/// The board answers; who follows it has nothing to say.
impl<B: Generators, F: Follower> Generators for Tracked<B, F> {
    fn attackers_of(&self, by: Color, target: Square) -> Bitboard {
        self.board().attackers_of(by, target)
    }
    fn king_square(&self, color: Color) -> Option<Square> {
        self.board().king_square(color)
    }
    fn is_square_attacked(&self, by: Color, square: Square) -> bool {
        self.board().is_square_attacked(by, square)
    }
    fn is_in_check(&self) -> bool {
        self.board().is_in_check()
    }
    fn exchange(&self, mv: Move) -> Value {
        self.board().exchange(mv)
    }
    fn exchange_is_at_least(&self, mv: Move, threshold: Value) -> bool {
        self.board().exchange_is_at_least(mv, threshold)
    }
    fn mate_in_one(&mut self) -> Option<Move> {
        self.board().clone().mate_in_one()
    }
    fn legal_without_worse(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board().legal_without_worse(sink)
    }
    fn captures(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board().captures(sink)
    }
    fn to(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board().to(square, sink)
    }
    fn checks(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board().checks(sink)
    }
    fn evasions(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board().evasions(sink)
    }
    fn attacking(&self, target: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board().attacking(target, sink)
    }
    fn escapes(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board().escapes(square, sink)
    }
}
