//! Receivers of moves: lists, counters, filters, "is there any?".
//!
//! The idea is that of OpenShogiLib's actions (2003) and of cozy-chess's listeners: a generator
//! does not know what its moves are for.

use crate::bitboard::Bitboard;
use crate::types::moves::{Move, MoveList};
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Break, Continue};

/// Receives moves in sets. Only [`Sink::one`] must be written; a sink that can do better with a
/// whole set says how.
pub trait Sink {
    /// Receives one move; breaks to stop the generator.
    fn one(&mut self, mv: Move) -> ControlFlow<()>;

    /// Moves of the piece on `from` to each square of a set.
    #[inline(always)]
    fn moves(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        walk(to, |square| self.one(Move::board(from, square)))
    }

    /// Promotions of the piece on `from` on each square of a set.
    #[inline(always)]
    fn promotions(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        walk(to, |square| self.one(Move::promotion(from, square)))
    }

    /// Moves of many pieces at once, each coming from `back` squares (an index difference) away.
    #[inline(always)]
    fn steps(&mut self, back: i8, to: Bitboard) -> ControlFlow<()> {
        walk(to, |square| {
            self.one(Move::board(origin(square, back), square))
        })
    }

    /// As [`Sink::steps`], with promotion.
    #[inline(always)]
    fn step_promotions(&mut self, back: i8, to: Bitboard) -> ControlFlow<()> {
        walk(to, |square| {
            self.one(Move::promotion(origin(square, back), square))
        })
    }

    /// Drops of each kind of a list on each square of a set.
    #[inline(always)]
    fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) -> ControlFlow<()> {
        for &kind in kinds {
            walk(to, |square| self.one(Move::drop(kind, square)))?;
        }
        Continue(())
    }

    /// Moves that come as a list of numbers.
    #[inline(always)]
    fn batch(&mut self, batch: MoveBatch<'_>) -> ControlFlow<()> {
        batch.moves().try_for_each(|mv| self.one(mv))
    }

    /// Everything that a generator finds. A generator is large, and compiled anew for every sink
    /// that does not know better, in every crate that has one.
    #[inline(always)]
    fn receive(&mut self, generator: impl Generator) -> ControlFlow<()>
    where
        Self: Sized,
    {
        generator.run(self)
    }
}

/// A generator with the board it is to look at.
pub trait Generator {
    /// Hands its moves to any sink: compiled where it is asked for.
    fn run(self, sink: &mut impl Sink) -> ControlFlow<()>;
    /// Hands its moves to a list: compiled once, beside the board.
    fn fill(self, list: &mut MoveList) -> ControlFlow<()>;
}

/// Moves as a list of numbers, to each of which the same number is to be added.
#[derive(Clone, Copy, Debug)]
pub struct MoveBatch<'a> {
    base: u16,
    numbers: &'a [u16],
    count: usize,
}

impl<'a> MoveBatch<'a> {
    /// The first `count` numbers are moves once `base` is added; behind them follows room.
    #[inline(always)]
    pub(crate) fn new(base: u16, numbers: &'a [u16], count: usize) -> Self {
        Self {
            base,
            numbers,
            count,
        }
    }

    /// The moves, in order.
    #[inline(always)]
    pub fn moves(self) -> impl Iterator<Item = Move> + 'a {
        let numbers = self.numbers.iter().take(self.count);
        numbers.map(move |&number| Move::trusted(number.wrapping_add(self.base)))
    }

    /// How many moves there are.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }
}

#[inline(always)]
fn origin(to: Square, back: i8) -> Square {
    Square::trusted(to.index().wrapping_add_signed(isize::from(back)) as u8)
}

#[inline(always)]
fn walk(set: Bitboard, mut f: impl FnMut(Square) -> ControlFlow<()>) -> ControlFlow<()> {
    for (mut word, start) in set.words().into_iter().zip([0, 63]) {
        while word != 0 {
            f(Square::trusted(start + word.trailing_zeros() as u8))?;
            word &= word - 1;
        }
    }
    Continue(())
}

/// Stores every move.
impl Sink for MoveList {
    #[inline(always)]
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        self.push(mv);
        Continue(())
    }

    #[inline(always)]
    fn moves(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        self.0.push_few(to.words(), (from.index() as u16) << 7);
        Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        self.0
            .push_few(to.words(), (from.index() as u16) << 7 | 1 << 15);
        Continue(())
    }

    #[inline(always)]
    fn steps(&mut self, back: i8, to: Bitboard) -> ControlFlow<()> {
        self.0.push_steps(to.words(), (i16::from(back) << 7) as u16);
        Continue(())
    }

    #[inline(always)]
    fn step_promotions(&mut self, back: i8, to: Bitboard) -> ControlFlow<()> {
        self.0.push_steps(
            to.words(),
            ((i16::from(back) << 7) as u16).wrapping_add(1 << 15),
        );
        Continue(())
    }

    #[inline(always)]
    fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) -> ControlFlow<()> {
        let mut bases = [0; 7];
        for (base, &kind) in bases.iter_mut().zip(kinds) {
            *base = Move::drop_bits(kind);
        }
        self.0.push_set(to.words(), &bases[..kinds.len().min(7)]);
        Continue(())
    }

    #[inline(always)]
    fn batch(&mut self, batch: MoveBatch<'_>) -> ControlFlow<()> {
        self.0.push_sums(batch.numbers, batch.count, batch.base);
        Continue(())
    }

    #[inline(always)]
    fn receive(&mut self, generator: impl Generator) -> ControlFlow<()> {
        generator.fill(self)
    }
}

/// Counts moves without looking at them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count(pub usize);

impl Count {
    #[inline(always)]
    fn add(&mut self, moves: usize) -> ControlFlow<()> {
        self.0 += moves;
        Continue(())
    }
}

impl Sink for Count {
    #[inline(always)]
    fn one(&mut self, _: Move) -> ControlFlow<()> {
        self.add(1)
    }
    #[inline(always)]
    fn moves(&mut self, _: Square, to: Bitboard) -> ControlFlow<()> {
        self.add(to.len())
    }
    #[inline(always)]
    fn promotions(&mut self, _: Square, to: Bitboard) -> ControlFlow<()> {
        self.add(to.len())
    }
    #[inline(always)]
    fn steps(&mut self, _: i8, to: Bitboard) -> ControlFlow<()> {
        self.add(to.len())
    }
    #[inline(always)]
    fn step_promotions(&mut self, _: i8, to: Bitboard) -> ControlFlow<()> {
        self.add(to.len())
    }
    #[inline(always)]
    fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) -> ControlFlow<()> {
        self.add(kinds.len() * to.len())
    }
    #[inline(always)]
    fn batch(&mut self, batch: MoveBatch<'_>) -> ControlFlow<()> {
        self.add(batch.len())
    }
}

/// Stops at the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Any(pub Option<Move>);

impl Sink for Any {
    #[inline(always)]
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        self.0 = Some(mv);
        Break(())
    }
}

/// Calls a function with every move; the function may stop the generator.
pub struct Each<F>(pub F);

impl<F: FnMut(Move) -> ControlFlow<()>> Sink for Each<F> {
    #[inline(always)]
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        (self.0)(mv)
    }
}

/// Passes on only the moves that a test lets through.
pub struct Filtered<'a, S, F> {
    /// Who receives what passes.
    pub sink: &'a mut S,
    /// The test.
    pub test: F,
}

impl<S: Sink, F: FnMut(Move) -> bool> Sink for Filtered<'_, S, F> {
    #[inline(always)]
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        if (self.test)(mv) {
            self.sink.one(mv)
        } else {
            Continue(())
        }
    }
}
