//! The first layer: the sum of the rows that a position switches on, for one point of view.

use super::features::{Features, PIECES, View};
use tesuji_kernels::{Column, Kernels};
use tesuji_shogi::{
    ByColor, BySquare, Change, Color, Hand, Piece, PieceKind, Placed, Position, Shift, Spot, Square,
};

/// The first layer of a network.
#[derive(Debug)]
pub(super) struct First<const N: usize> {
    pub(super) kernels: Kernels,
    pub(super) features: Features,
    pub(super) biases: Column<N>,
    pub(super) table: Box<[Column<N>]>,
}

/// Sums of earlier positions, one for each square of each king, with what stood on the board then.
/// A position differs little from the last one with the same king square, so that a sum is seldom
/// begun with nothing.
#[derive(Debug, Default)]
pub struct Cache<const N: usize>(Vec<Option<Box<Entry<N>>>>);

#[derive(Clone, Debug)]
struct Entry<const N: usize> {
    sum: Column<N>,
    pieces: Pieces,
}

/// What a sum was made of.
#[derive(Clone, Debug)]
struct Pieces {
    board: BySquare<Option<Piece>>,
    hands: ByColor<Hand>,
    missing: u32,
}

/// Rows to be added or taken away: at most one for each piece of the full set, twice.
struct Rows {
    rows: [u32; 80],
    len: usize,
}

impl Rows {
    #[inline(always)]
    fn new() -> Self {
        Self {
            rows: [0; 80],
            len: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, row: Option<u32>) {
        if let Some(row) = row {
            self.rows[self.len] = row;
            self.len += 1;
        }
    }

    #[inline(always)]
    fn as_slice(&self) -> &[u32] {
        &self.rows[..self.len]
    }
}

impl<const N: usize> First<N> {
    /// Begins a sum, from the nearest one that is remembered.
    pub(super) fn refresh(
        &self,
        pos: &Position,
        pov: Color,
        sum: &mut Column<N>,
        cache: &mut Cache<N>,
    ) {
        let king = pos.king(pov);
        let view = self.features.view(pov, king);
        let entry = cache.entry(
            pov,
            king.filter(|_| self.features.is_bound_to_king()),
            &self.biases,
        );
        let (mut plus, mut minus) = (Rows::new(), Rows::new());
        entry.pieces.become_like(pos, &view, &mut plus, &mut minus);
        let rows = (plus.as_slice(), minus.as_slice());
        self.kernels
            .update_accumulator(&self.table, rows, &entry.sum, sum);
        entry.sum = *sum;
    }

    /// Whether a change moves the king that a sum is bound to.
    #[inline(always)]
    pub(super) fn needs_refresh(&self, pov: Color, change: &Change) -> bool {
        let is_own = |shift: Shift| shift.from.piece == Piece::new(pov, PieceKind::King);
        self.features.is_bound_to_king() && change.moved.is_some_and(is_own)
    }

    /// Carries a sum over a change that does not break it.
    #[inline(always)]
    pub(super) fn update(
        &self,
        pos: &Position,
        pov: Color,
        change: &Change,
        old: &Column<N>,
        new: &mut Column<N>,
    ) {
        let Some(moved) = change.moved else {
            *new = *old;
            return;
        };
        let view = self.features.view(pov, pos.king(pov));
        let (from, to) = (view.row(moved.from), view.row(moved.to));
        match (from, to, change.taken) {
            (Some(from), Some(to), None) => {
                self.kernels
                    .update_accumulator(&self.table, (&[to], &[from]), old, new);
            }
            (Some(from), Some(to), Some(taken)) => {
                let plus = [to, view.row(taken.to).unwrap_or(to)];
                let minus = [from, view.row(taken.from).unwrap_or(from)];
                self.kernels
                    .update_accumulator(&self.table, (&plus, &minus), old, new);
            }
            // The other king moved, and kings are not pieces here.
            (_, _, Some(taken)) => {
                let (plus, minus) = (view.row(taken.to), view.row(taken.from));
                let rows = (plus.as_slice(), minus.as_slice());
                self.kernels.update_accumulator(&self.table, rows, old, new);
            }
            (_, _, None) => *new = *old,
        }
    }
}

impl<const N: usize> Cache<N> {
    fn entry(&mut self, pov: Color, king: Option<Square>, biases: &Column<N>) -> &mut Entry<N> {
        if self.0.is_empty() {
            self.0 = vec![None; 2 * Square::COUNT];
        }
        let place = &mut self.0[pov.index() * Square::COUNT + king.map_or(0, Square::index)];
        place.get_or_insert_with(|| {
            Box::new(Entry {
                sum: *biases,
                pieces: Pieces::none(),
            })
        })
    }
}

impl Pieces {
    fn none() -> Self {
        Self {
            board: BySquare([None; 81]),
            hands: ByColor([Hand::EMPTY; 2]),
            missing: 0,
        }
    }

    /// Takes on the pieces of a position and lists the rows that come and go.
    fn become_like(&mut self, pos: &Position, view: &View, plus: &mut Rows, minus: &mut Rows) {
        let mut count = 0;
        for square in Square::all() {
            let (old, new) = (self.board[square], pos.at(square));
            count += u32::from(new.is_some_and(|piece| !piece.is_king()));
            if old != new {
                let on_board = |piece| {
                    view.row(Placed {
                        piece,
                        spot: Spot::board(square),
                    })
                };
                minus.push(old.and_then(on_board));
                plus.push(new.and_then(on_board));
                self.board[square] = new;
            }
        }
        for color in Color::ALL {
            let (old, new) = (self.hands[color], pos.hand(color));
            count += new.total();
            if old == new {
                continue;
            }
            for kind in PieceKind::HAND {
                let in_hand = |nth| {
                    view.row(Placed {
                        piece: Piece::new(color, kind),
                        spot: Spot::hand(nth),
                    })
                };
                let (old, new) = (old.count(kind), new.count(kind));
                (old + 1..=new).for_each(|nth| plus.push(in_hand(nth)));
                (new + 1..=old).for_each(|nth| minus.push(in_hand(nth)));
            }
            self.hands[color] = new;
        }
        let missing = PIECES.saturating_sub(count);
        (self.missing..missing).for_each(|_| plus.push(Some(view.missing())));
        (missing..self.missing).for_each(|_| minus.push(Some(view.missing())));
        self.missing = missing;
    }
}
