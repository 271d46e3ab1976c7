//! Hash keys, kept move by move (Zobrist 1970).
//!
//! The board and the turn are kept as a 128-bit sum; the hands, already one word each, are mixed in
//! only when a key is asked for. The 64-bit key serves tables, the 128-bit identity serves books,
//! where two positions must never be taken for each other.

use crate::types::color::ByColor;
use crate::types::hand::{Hand, Hands};
use crate::types::piece::Piece;
use crate::types::square::Square;

/// A number for a position: board, hands and turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Key(pub u64);

impl Key {
    /// The part of the key that board and turn make up, if these are the hands: equal for positions
    /// that differ in nothing but what is held.
    pub const fn without_hands(self, hands: ByColor<Hand>) -> u64 {
        self.0 ^ mixed(Hands::new(hands), HANDS)
    }
}

/// The part of a key that the board and the turn make up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(C, align(16))]
pub(crate) struct BoardKey([u64; 2]);

impl BoardKey {
    pub(crate) const EMPTY: Self = Self([0; 2]);
    /// Added when White is to move.
    pub(crate) const TURN: Self = Self([0x9d39_247e_3377_6d41, 0x2af7_3980_05aa_a5c7]);

    #[inline(always)]
    pub(crate) const fn toggle(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }

    /// The share of one piece on one square; nothing for an empty square.
    #[inline(always)]
    pub(crate) fn piece(piece: Option<Piece>, square: Square) -> Self {
        // 128 places per piece: the address is made of shifts, and no bound is checked.
        PIECES[Piece::index_or_zero(piece)][square.index() & 127]
    }

    /// The part of the key that the hands do not change.
    #[inline(always)]
    pub(crate) const fn board(self) -> u64 {
        self.0[0]
    }

    /// The 64-bit key of the position.
    #[inline(always)]
    pub(crate) const fn key(self, hands: Hands) -> Key {
        Key(self.0[0] ^ mixed(hands, HANDS))
    }

    /// The 128-bit identity of the position.
    pub(crate) const fn identity(self, hands: Hands) -> u128 {
        let high = self.0[1] ^ mixed(hands, 0xd1b5_4a32_d192_ed03);
        (high as u128) << 64 | self.key(hands).0 as u128
    }
}

/// What the hands are mixed into a key with.
const HANDS: u64 = 0x9e37_79b9_7f4a_7c15;

/// Both hands as one number, spread over all bits; different hands give different numbers.
#[inline(always)]
const fn mixed(hands: Hands, odd: u64) -> u64 {
    spread(hands.bits().wrapping_mul(odd))
}

/// A bijection that changes half of the bits for each bit changed (Stafford's variant 13).
const fn spread(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

static PIECES: [[BoardKey; 128]; 32] = {
    let mut table = [[BoardKey::EMPTY; 128]; 32];
    let mut seed = 0u64;
    let mut p = 1;
    while p < 32 {
        let mut s = 0;
        while s < 81 {
            let mut half = 0;
            while half < 2 {
                seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                table[p][s].0[half] = spread(seed);
                half += 1;
            }
            s += 1;
        }
        p += 1;
    }
    table
};
