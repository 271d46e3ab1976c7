//! What the plain board says about a position and about each of its moves.

use tesuji_shogi::Mailbox;
use tesuji_shogi::{Board, Color, Direction, Move, PieceKind, Square};

/// A set of squares, one bit each, for the oracle alone.
pub(crate) type Squares = u128;

pub(crate) fn has(set: Squares, square: Square) -> bool {
    set >> square.index() & 1 != 0
}

pub(crate) fn set_of(squares: impl Iterator<Item = Square>) -> Squares {
    squares.fold(0, |set, square| set | 1 << square.index())
}

/// What is attacked from each square.
pub(crate) struct Attacks([Squares; 81]);

impl Attacks {
    pub(crate) fn of(board: &Mailbox) -> Self {
        let mut sets = [0; 81];
        for square in Square::all() {
            let set = &mut sets[square.index()];
            board.attacks(square, |to| *set |= 1 << to.index());
        }
        Self(sets)
    }

    pub(crate) fn from(&self, square: Square) -> Squares {
        self.0[square.index()]
    }

    /// The pieces of a side that attack a square.
    pub(crate) fn onto(&self, board: &Mailbox, by: Color, target: Square) -> Squares {
        set_of(squares_of(board, by).filter(|&square| has(self.from(square), target)))
    }
}

fn squares_of(board: &Mailbox, color: Color) -> impl Iterator<Item = Square> + '_ {
    Square::all().filter(move |&square| board.at(square).is_some_and(|p| p.color() == color))
}

pub(crate) fn king_of(board: &Mailbox, color: Color) -> Option<Square> {
    squares_of(board, color).find(|&s| board.at(s).is_some_and(|p| p.kind() == PieceKind::King))
}

/// A legal move, and what it does.
pub(crate) struct MoveEffects {
    pub(crate) mv: Move,
    pub(crate) takes: bool,
    pub(crate) checks: bool,
    /// A non-promotion that the promotion is at least as good as.
    pub(crate) worse: bool,
    /// What the moved piece attacks now, and what a piece behind it did not attack before.
    pub(crate) onto: Squares,
    /// What the foe attacks now.
    pub(crate) attacked: Squares,
}

/// Says what legal moves do, by playing them; they come sorted.
pub(crate) fn effects(board: &mut Mailbox, before: &Attacks, legal: &[Move]) -> Vec<MoveEffects> {
    let own = board.turn();
    let effects = |&mv: &Move| {
        let takes = board.at(mv.to()).is_some();
        let worse = is_worse(board, legal, mv);
        board.after(mv, |next, _| {
            let after = Attacks::of(next);
            let others = squares_of(next, own).filter(|&square| square != mv.to());
            let newly = |square| after.from(square) & !before.from(square);
            MoveEffects {
                mv,
                takes,
                worse,
                checks: next.in_check(),
                onto: others.fold(after.from(mv.to()), |set, square| set | newly(square)),
                attacked: squares_of(next, !own).fold(0, |set, square| set | after.from(square)),
            }
        })
    };
    legal.iter().map(effects).collect()
}

fn is_worse(board: &Mailbox, legal: &[Move], mv: Move) -> bool {
    let Some(from) = mv.from().filter(|_| !mv.is_promotion()) else {
        return false;
    };
    let promotion = Move::promotion(from, mv.to());
    legal.binary_search(&promotion).is_ok()
        && match board.at(from).map(|piece| piece.kind()) {
            Some(PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook) => true,
            Some(PieceKind::Lance) => mv.to().rank_for(board.turn()) == 2,
            _ => false,
        }
}

/// The pieces of the side to move that stand alone between their king and a slider of the foe.
pub(crate) fn pinned(board: &Mailbox) -> Squares {
    let Some(king) = king_of(board, board.turn()) else {
        return 0;
    };
    let shield = |direction: Direction| {
        let line = std::iter::successors(king.step(direction), |at| at.step(direction));
        let mut pieces = line.filter_map(|at| board.at(at).map(|piece| (at, piece)));
        let (shield, first) = pieces.next()?;
        let (_, second) = pieces.next()?;
        let (files, ranks) = direction.delta();
        let is_straight = files == 0 || ranks == 0;
        let aims = match second.kind() {
            PieceKind::Rook | PieceKind::Dragon => is_straight,
            PieceKind::Bishop | PieceKind::Horse => !is_straight,
            PieceKind::Lance if second.color() == Color::Black => direction == Direction::South,
            PieceKind::Lance => direction == Direction::North,
            _ => false,
        };
        let is_pin = first.color() == board.turn() && second.color() != board.turn() && aims;
        is_pin.then_some(shield)
    };
    set_of(Direction::ALL.into_iter().filter_map(shield))
}
