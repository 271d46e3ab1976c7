//! Pieces in hand, packed into one word, and the order "has at least as much as".
//!
//! One subtraction compares two hands, as in Bonanza, OpenShogiLib and Apery.

use super::color::{ByColor, Color};
use super::piece::{Piece, PieceKind};
use std::fmt;

/// The pieces one side holds. Each kind has a field of its own with one spare bit above it, so that
/// one subtraction compares all kinds at once.
///
/// ```
/// use tesuji_shogi::{Hand, PieceKind};
/// let rich = Hand::EMPTY.with(PieceKind::Rook, 1).with(PieceKind::Pawn, 3);
/// let poor = Hand::EMPTY.with(PieceKind::Pawn, 2);
/// assert!(rich.covers(poor) && !poor.covers(rich));
/// assert_eq!(rich.count(PieceKind::Pawn), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Hand(u32);

/// First bit of each kind's field, by kind index. The pawns have five bits and a spare one, the
/// others three and a spare one; what is left over belongs to nobody.
const SHIFT: [u32; 8] = [0, 0, 6, 10, 14, 18, 22, 26];
const FIELD: [u32; 8] = [0, 31, 7, 7, 7, 7, 7, 7];
const SPARE: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 25 | 1 << 29;

/// One piece in hand, by the index of its kind or of the promoted form.
static UNIT: [u32; 16] = {
    let mut unit = [0; 16];
    let mut i = 1;
    while i < 8 {
        unit[i] = 1 << SHIFT[i];
        if i < 7 {
            unit[i + 8] = unit[i];
        }
        i += 1;
    }
    unit
};

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Self = Self(0);

    /// A hand is a number: equal hands are equal numbers.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// How many of a kind. None of the kinds that cannot be held.
    #[inline(always)]
    pub const fn count(self, kind: PieceKind) -> u32 {
        if !kind.is_hand_kind() {
            return 0;
        }
        self.0 >> SHIFT[kind.index() & 7] & FIELD[kind.index() & 7]
    }

    /// Whether there is at least one of a kind.
    #[inline(always)]
    pub const fn has(self, kind: PieceKind) -> bool {
        self.count(kind) != 0
    }

    /// Whether there is nothing.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is anything but pawns.
    #[inline(always)]
    pub const fn has_more_than_pawns(self) -> bool {
        self.0 > FIELD[1]
    }

    /// How many pieces in all.
    #[inline]
    pub fn total(self) -> u32 {
        PieceKind::HAND.iter().map(|&kind| self.count(kind)).sum()
    }

    /// The same hand with `count` of a kind. At most 31 pawns, 7 of anything else; nothing of a
    /// kind that cannot be held.
    #[inline]
    pub const fn with(self, kind: PieceKind, count: u32) -> Self {
        if !kind.is_hand_kind() {
            return self;
        }
        let (shift, field) = (SHIFT[kind.index() & 7], FIELD[kind.index() & 7]);
        let count = if count > field { field } else { count };
        Self(self.0 & !(field << shift) | count << shift)
    }

    /// One more of what a piece is once captured; the same hand for none.
    #[inline(always)]
    pub(crate) const fn plus(self, piece: Option<Piece>) -> Self {
        Self(self.0.wrapping_add(UNIT[Piece::index_or_zero(piece) & 15]))
    }

    /// One fewer of a kind that is there.
    #[inline(always)]
    pub(crate) const fn minus(self, piece: Piece) -> Self {
        Self(self.0.wrapping_sub(UNIT[piece.index() & 15]))
    }

    /// Whether it holds at least as much of every kind as `other`.
    #[inline(always)]
    pub const fn covers(self, other: Self) -> bool {
        // A field that falls short borrows from its spare bit.
        (self.0 | SPARE).wrapping_sub(other.0) & SPARE == SPARE
    }

    /// The kinds that are there, each with its count.
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u32)> {
        PieceKind::HAND
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }
}

/// Both hands in one word. It is written and read whole: a processor that reads two halves as one
/// right after they were written has to wait for both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Hands(u64);

impl Hands {
    #[inline(always)]
    pub(crate) const fn new(hands: ByColor<Hand>) -> Self {
        let [black, white] = hands.0;
        Self(black.0 as u64 | (white.0 as u64) << 32)
    }

    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// What a side holds.
    #[inline(always)]
    pub(crate) const fn of(self, color: Color) -> Hand {
        Hand((self.0 >> (32 * color.index())) as u32)
    }

    /// One more of what a piece is once captured; the same hands for none. No field overflows into
    /// the next, and no hand into the other.
    #[inline(always)]
    pub(crate) const fn plus(self, color: Color, piece: Option<Piece>) -> Self {
        let unit = UNIT[Piece::index_or_zero(piece) & 15] as u64;
        Self(self.0.wrapping_add(unit << (32 * color.index())))
    }

    /// One fewer of a kind that is there.
    #[inline(always)]
    pub(crate) const fn minus(self, color: Color, piece: Piece) -> Self {
        let unit = UNIT[piece.index() & 15] as u64;
        Self(self.0.wrapping_sub(unit << (32 * color.index())))
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
