//! Sums over the places of a position, kept move by move: one way for all pair tables.
//!
//! A move takes a few places out of a list and puts a few in. What a place adds is its own number
//! and one number for each place that is there already; taking it out subtracts the same. So the
//! sums along a game and the sums from nothing are made of the same two steps.

use super::list::List;
use super::worths::Worths;
use crate::evaluator::Evaluator;
use tesuji_shogi::{
    ByColor, Change, Color, Piece, PieceKind, Placed, Position, Shift, Square, Value,
};

/// A sum for the board, and one for whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// What is good for the side that looks.
    pub board: i32,
    /// What is good for the side to move.
    pub turn: i32,
}

impl Sum {
    /// Nothing.
    pub const ZERO: Self = Self { board: 0, turn: 0 };

    /// Both sums together. Files may hold any numbers, so sums wrap around.
    #[inline(always)]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            board: self.board.wrapping_add(other.board),
            turn: self.turn.wrapping_add(other.turn),
        }
    }

    /// This sum without the other.
    #[inline(always)]
    pub const fn minus(self, other: Self) -> Self {
        Self {
            board: self.board.wrapping_sub(other.board),
            turn: self.turn.wrapping_sub(other.turn),
        }
    }
}

impl std::iter::Sum for Sum {
    #[inline(always)]
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        sums.fold(Self::ZERO, Self::plus)
    }
}

/// Who looks, and where the kings stand on the board, if there are any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Who looks.
    pub pov: Color,
    /// Where its own king stands.
    pub own: Option<Square>,
    /// Where the king of the opponent stands.
    pub foe: Option<Square>,
}

impl View {
    /// Numbers of both kings as the side sees them, if both are there.
    #[inline(always)]
    pub(super) fn kings(self) -> Option<(usize, usize)> {
        let seen = |king| super::index::seen(self.pov, king);
        Some((seen(self.own?), seen(self.foe?)))
    }

    /// The number of its own king as the side sees it.
    #[inline(always)]
    pub(super) fn king(self) -> Option<usize> {
        self.own.map(|king| super::index::seen(self.pov, king))
    }
}

/// Which kings a table looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kings {
    /// None: the sums survive every king move.
    Unseen,
    /// The own king: the sums begin anew when it moves.
    Own,
    /// Both: a move of the opponent's king changes the single numbers, but no pair.
    Both,
}

/// A family of tables that gives a number for each place and for each pair of places. Whoever says
/// these numbers is an [`Evaluator`].
pub trait PairTables: Sync {
    /// Which kings the numbers depend on.
    const KINGS: Kings;
    /// Whether the pieces of a kind in hand take one place that says how many they are, also if
    /// there are none, and not one place each.
    const COUNTED: bool;

    /// The place of a piece on the board; `None` for a king.
    fn standing(pov: Color, piece: Piece, square: Square) -> Option<u16>;
    /// The place of the n-th piece in hand, or of n pieces.
    fn held(pov: Color, piece: Piece, nth: u32) -> u16;
    /// What the pieces are worth besides what the tables say.
    fn worths(&self) -> &Worths;
    /// The numbers of a place with each of some other places.
    fn pairs(&self, view: View, place: u16, others: &[u16]) -> Sum;
    /// The number of a place alone.
    fn lone(&self, view: View, place: u16) -> Sum;
    /// The number of the two kings.
    fn kings(&self, _: View) -> Sum {
        Sum::ZERO
    }
}

/// By what sums are divided to give points.
pub(super) const SCALE: i32 = 32;

/// What one side sees: the places, the kings and the sums. The kings are kept here because the
/// position that a line has reached may have them elsewhere already.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    list: List,
    own: Option<Square>,
    foe: Option<Square>,
    pairs: Sum,
    lone: Sum,
    worth: i32,
}

impl Seen {
    #[inline(always)]
    fn add<T: PairTables>(&mut self, tables: &T, view: View, place: u16) {
        let pairs = tables.pairs(view, place, self.list.as_slice());
        self.pairs = self.pairs.plus(pairs);
        self.lone = self.lone.plus(tables.lone(view, place));
        self.list.push(place);
    }

    #[inline(always)]
    fn remove<T: PairTables>(&mut self, tables: &T, view: View, place: u16) {
        self.list.remove(place);
        let pairs = tables.pairs(view, place, self.list.as_slice());
        self.pairs = self.pairs.minus(pairs);
        self.lone = self.lone.minus(tables.lone(view, place));
    }

    /// Takes out what a piece leaves behind.
    #[inline(always)]
    fn leave<T: PairTables>(&mut self, tables: &T, view: View, shift: Shift) {
        if let Some(place) = place::<T>(view.pov, shift.from) {
            self.remove(tables, view, place);
        }
        if let (true, Some(nth)) = (T::COUNTED, shift.to.spot.nth()) {
            let fewer = T::held(view.pov, shift.to.piece, nth - 1);
            self.remove(tables, view, fewer);
        }
    }

    /// Adds what a piece comes to.
    #[inline(always)]
    fn arrive<T: PairTables>(&mut self, tables: &T, view: View, shift: Shift) {
        if let Some(place) = place::<T>(view.pov, shift.to) {
            self.add(tables, view, place);
        }
        if let (true, Some(nth)) = (T::COUNTED, shift.from.spot.nth()) {
            let fewer = T::held(view.pov, shift.from.piece, nth - 1);
            self.add(tables, view, fewer);
        }
        let worth = |placed: Placed| own_worth(tables, view.pov, placed.piece);
        self.worth += worth(shift.to) - worth(shift.from);
    }

    fn add_hand<T: PairTables>(&mut self, tables: &T, pos: &Position, view: View, color: Color) {
        for kind in PieceKind::HAND {
            let (piece, count) = (Piece::new(color, kind), pos.hand(color).count(kind));
            let first = if T::COUNTED { count } else { 1 };
            for nth in first..=count {
                self.add(tables, view, T::held(view.pov, piece, nth));
            }
            self.worth += count as i32 * own_worth(tables, view.pov, piece);
        }
    }
}

#[inline(always)]
fn own_worth<T: PairTables>(tables: &T, pov: Color, piece: Piece) -> i32 {
    if piece.color() == pov {
        tables.worths().of(piece.kind())
    } else {
        0
    }
}

/// The king that a change moves.
fn walked(change: &Change) -> Option<Shift> {
    change.moved.filter(|shift| shift.to.piece.is_king())
}

/// The place of a piece wherever it is.
#[inline(always)]
fn place<T: PairTables>(pov: Color, placed: Placed) -> Option<u16> {
    match placed.spot.square() {
        Some(square) => T::standing(pov, placed.piece, square),
        None => Some(T::held(pov, placed.piece, placed.spot.nth()?)),
    }
}

impl<T: PairTables> Evaluator for T {
    type Accumulator = Seen;
    type RefreshCache = ();
    // Beginning anew adds up 703 pairs; a quiet move 74.
    const MAX_UPDATES: usize = 6;

    fn refresh(&self, pos: &Position, pov: Color, accumulator: &mut Seen, (): &mut ()) {
        let (own, foe) = (pos.king(pov), pos.king(pov.foe()));
        let view = View { pov, own, foe };
        *accumulator = Seen {
            own,
            foe,
            lone: self.kings(view),
            ..Seen::default()
        };
        pos.occupied().each(|square| {
            let Some(piece) = pos.at(square) else {
                return;
            };
            accumulator.worth += own_worth(self, pov, piece);
            if let Some(place) = T::standing(pov, piece, square) {
                accumulator.add(self, view, place);
            }
        });
        accumulator.add_hand(self, pos, view, pov);
        accumulator.add_hand(self, pos, view, pov.foe());
    }

    fn needs_refresh(&self, pov: Color, change: &Change) -> bool {
        let is_own = |shift: Shift| shift.to.piece.color() == pov;
        T::KINGS != Kings::Unseen && walked(change).is_some_and(is_own)
    }

    fn update(&self, _: &Position, pov: Color, change: &Change, old: &Seen, new: &mut Seen) {
        new.clone_from(old);
        let mut view = View {
            pov,
            own: old.own,
            foe: old.foe,
        };
        let shifts = [change.moved, change.taken];
        for shift in shifts.into_iter().flatten() {
            new.leave(self, view, shift);
        }
        for shift in shifts.into_iter().flatten() {
            new.arrive(self, view, shift);
        }
        if let (Some(shift), Kings::Both) = (walked(change), T::KINGS) {
            view.foe = shift.to.spot.square();
            new.foe = view.foe;
            let lone = |&place: &u16| self.lone(view, place);
            let lone: Sum = new.list.as_slice().iter().map(lone).sum();
            new.lone = self.kings(view).plus(lone);
        }
    }

    #[inline]
    fn output(&self, pos: &Position, accumulators: ByColor<&Seen>) -> Value {
        let [black, white] = Color::ALL.map(|color| {
            let accumulator = accumulators[color];
            let worth = accumulator.worth.wrapping_mul(SCALE);
            let Sum { board, turn } = accumulator.pairs.plus(accumulator.lone);
            (board.wrapping_add(worth), turn)
        });
        let board = black.0.wrapping_sub(white.0);
        let turn = black.1.wrapping_add(white.1);
        let mine = match pos.turn() {
            Color::Black => board,
            Color::White => board.wrapping_neg(),
        };
        // A sum of weights never claims a mate.
        let most = Value::MATE_FLOOR.points() - 1;
        Value::new((mine.wrapping_add(turn) / SCALE).clamp(-most, most))
    }
}
