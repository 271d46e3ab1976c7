//! Sums over the pieces of a position, updated move by move: one way for all pair tables.
//!
//! A move takes a few BonaPieces out of a list and puts a few in. What a piece adds is its own
//! weight and one weight for each piece that is in the list already; taking it out subtracts the
//! same. So an update and a refresh are made of the same two steps (differential calculation, as in
//! Bonanza and Apery).

use super::bona_piece_list::BonaPieceList;
use super::eval_sum::EvalSum;
use super::piece_values::PieceValues;
use crate::bona_piece;
use crate::evaluator::Evaluator;
use tesuji_shogi::{
    ByColor, Change, Color, Piece, PieceKind, Placed, Position, Shift, Square, Value,
};

/// Who looks, and where the kings stand on the board, if there are any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingView {
    /// Who looks.
    pub pov: Color,
    /// Where its own king stands.
    pub own: Option<Square>,
    /// Where the king of the opponent stands.
    pub foe: Option<Square>,
}

impl KingView {
    /// Numbers of both kings as the side sees them, if both are there.
    #[inline(always)]
    pub(super) fn kings(self) -> Option<(usize, usize)> {
        let seen = |king| bona_piece::seen(self.pov, king);
        Some((seen(self.own?), seen(self.foe?)))
    }

    /// The number of its own king as the side sees it.
    #[inline(always)]
    pub(super) fn king(self) -> Option<usize> {
        self.own.map(|king| bona_piece::seen(self.pov, king))
    }
}

/// Which kings a table looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingsSeen {
    /// None: no king move needs a refresh.
    None,
    /// The own king: its moves need a refresh.
    Own,
    /// Both: a move of the opponent's king changes the single weights, but no pair.
    Both,
}

/// Tables that give a weight for each piece and for each pair of pieces. Whoever says these weights
/// is an [`Evaluator`].
pub trait PairTables: Sync {
    /// Which kings the weights depend on.
    const KINGS: KingsSeen;
    /// Whether the pieces of a kind in hand have one number that says how many they are, also if
    /// there are none, and not one number each.
    const COUNTED: bool;

    /// The number of a piece on the board; `None` for a king.
    fn on_board(pov: Color, piece: Piece, square: Square) -> Option<u16>;
    /// The number of the n-th piece in hand, or of n pieces.
    fn in_hand(pov: Color, piece: Piece, nth: u32) -> u16;
    /// The piece values that go with the tables.
    fn piece_values(&self) -> &PieceValues;
    /// The weights of a piece with each of some others.
    fn pairs(&self, view: KingView, piece: u16, others: &[u16]) -> EvalSum;
    /// The weight of a piece alone.
    fn single(&self, view: KingView, piece: u16) -> EvalSum;
    /// The weight of the two kings.
    fn kings(&self, view: KingView) -> EvalSum;
}

/// By what sums are divided to give points (FV_SCALE).
pub(super) const SCALE: i32 = 32;

/// What one side sees: the pieces, the kings and the sums. The kings are kept here because the
/// position on top of the stack may have them elsewhere already.
#[derive(Clone, Debug, Default)]
pub struct PairAccumulator {
    list: BonaPieceList,
    own: Option<Square>,
    foe: Option<Square>,
    pairs: EvalSum,
    singles: EvalSum,
    material: i32,
}

impl PairAccumulator {
    #[inline(always)]
    fn add<T: PairTables>(&mut self, tables: &T, view: KingView, piece: u16) {
        let pairs = tables.pairs(view, piece, self.list.as_slice());
        self.pairs = self.pairs.plus(pairs);
        self.singles = self.singles.plus(tables.single(view, piece));
        self.list.push(piece);
    }

    #[inline(always)]
    fn remove<T: PairTables>(&mut self, tables: &T, view: KingView, piece: u16) {
        self.list.remove(piece);
        let pairs = tables.pairs(view, piece, self.list.as_slice());
        self.pairs = self.pairs.minus(pairs);
        self.singles = self.singles.minus(tables.single(view, piece));
    }

    /// Takes out what a piece leaves behind.
    #[inline(always)]
    fn remove_shifted<T: PairTables>(&mut self, tables: &T, view: KingView, shift: Shift) {
        if let Some(piece) = number::<T>(view.pov, shift.from) {
            self.remove(tables, view, piece);
        }
        if let (true, Some(nth)) = (T::COUNTED, shift.to.spot.nth()) {
            let fewer = T::in_hand(view.pov, shift.to.piece, nth - 1);
            self.remove(tables, view, fewer);
        }
    }

    /// Adds what a piece comes to.
    #[inline(always)]
    fn add_shifted<T: PairTables>(&mut self, tables: &T, view: KingView, shift: Shift) {
        if let Some(piece) = number::<T>(view.pov, shift.to) {
            self.add(tables, view, piece);
        }
        if let (true, Some(nth)) = (T::COUNTED, shift.from.spot.nth()) {
            let fewer = T::in_hand(view.pov, shift.from.piece, nth - 1);
            self.add(tables, view, fewer);
        }
        let value = |placed: Placed| own_value(tables, view.pov, placed.piece);
        self.material += value(shift.to) - value(shift.from);
    }

    fn add_hand<T: PairTables>(
        &mut self,
        tables: &T,
        pos: &Position,
        view: KingView,
        color: Color,
    ) {
        for kind in PieceKind::HAND {
            let (piece, count) = (Piece::new(color, kind), pos.hand(color).count(kind));
            let first = if T::COUNTED { count } else { 1 };
            for nth in first..=count {
                self.add(tables, view, T::in_hand(view.pov, piece, nth));
            }
            self.material += count as i32 * own_value(tables, view.pov, piece);
        }
    }
}

#[inline(always)]
fn own_value<T: PairTables>(tables: &T, pov: Color, piece: Piece) -> i32 {
    if piece.color() == pov {
        tables.piece_values().of(piece.kind())
    } else {
        0
    }
}

/// The king move of a change.
fn king_move(change: &Change) -> Option<Shift> {
    change.moved.filter(|shift| shift.to.piece.is_king())
}

/// The number of a piece wherever it is.
#[inline(always)]
fn number<T: PairTables>(pov: Color, placed: Placed) -> Option<u16> {
    match placed.spot.square() {
        Some(square) => T::on_board(pov, placed.piece, square),
        None => Some(T::in_hand(pov, placed.piece, placed.spot.nth()?)),
    }
}

impl<T: PairTables> Evaluator for T {
    type Accumulator = PairAccumulator;
    type RefreshCache = ();
    // A refresh adds up 703 pairs; a quiet move 74.
    const MAX_UPDATES: usize = 6;

    fn refresh(&self, pos: &Position, pov: Color, accumulator: &mut PairAccumulator, (): &mut ()) {
        let (own, foe) = (pos.king(pov), pos.king(pov.foe()));
        let view = KingView { pov, own, foe };
        *accumulator = PairAccumulator {
            own,
            foe,
            singles: self.kings(view),
            ..PairAccumulator::default()
        };
        pos.occupied().each(|square| {
            let Some(piece) = pos.at(square) else {
                return;
            };
            accumulator.material += own_value(self, pov, piece);
            if let Some(piece) = T::on_board(pov, piece, square) {
                accumulator.add(self, view, piece);
            }
        });
        accumulator.add_hand(self, pos, view, pov);
        accumulator.add_hand(self, pos, view, pov.foe());
    }

    fn needs_refresh(&self, pov: Color, change: &Change) -> bool {
        let is_own = |shift: Shift| shift.to.piece.color() == pov;
        T::KINGS != KingsSeen::None && king_move(change).is_some_and(is_own)
    }

    fn update(
        &self,
        _: &Position,
        pov: Color,
        change: &Change,
        old: &PairAccumulator,
        new: &mut PairAccumulator,
    ) {
        new.clone_from(old);
        let mut view = KingView {
            pov,
            own: old.own,
            foe: old.foe,
        };
        let shifts = [change.moved, change.taken];
        for shift in shifts.into_iter().flatten() {
            new.remove_shifted(self, view, shift);
        }
        for shift in shifts.into_iter().flatten() {
            new.add_shifted(self, view, shift);
        }
        if let (Some(shift), KingsSeen::Both) = (king_move(change), T::KINGS) {
            view.foe = shift.to.spot.square();
            new.foe = view.foe;
            let single = |&piece: &u16| self.single(view, piece);
            let singles: EvalSum = new.list.as_slice().iter().map(single).sum();
            new.singles = self.kings(view).plus(singles);
        }
    }

    #[inline]
    fn output(&self, pos: &Position, accumulators: ByColor<&PairAccumulator>) -> Value {
        // A sum of weights never claims a mate.
        let most = Value::MATE_FLOOR.points() - 1;
        Value::new((self.raw_output(pos, accumulators) / SCALE).clamp(-most, most))
    }

    #[inline]
    fn raw_output(&self, pos: &Position, accumulators: ByColor<&PairAccumulator>) -> i32 {
        let [black, white] = Color::ALL.map(|color| {
            let accumulator = accumulators[color];
            let material = accumulator.material.wrapping_mul(SCALE);
            let EvalSum { board, turn } = accumulator.pairs.plus(accumulator.singles);
            (board.wrapping_add(material), turn)
        });
        let board = black.0.wrapping_sub(white.0);
        let turn = black.1.wrapping_add(white.1);
        let mine = match pos.turn() {
            Color::Black => board,
            Color::White => board.wrapping_neg(),
        };
        mine.wrapping_add(turn)
    }
}
