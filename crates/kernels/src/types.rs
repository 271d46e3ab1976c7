//! The types that the small kernels work on.

/// A set of small numbers, [`LOW_BITS`] of them in the first word and the rest in the second.
pub type Bits = [u64; 2];

/// How many numbers the first word of [`Bits`] holds.
pub const LOW_BITS: usize = 63;

/// The bits of the second word of [`Bits`] that lists look at.
pub(crate) const LOWER_HALF: u64 = u32::MAX as u64;

/// The four rays of a slider on one square of the empty board.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Rays {
    /// The two that run towards higher numbers.
    pub ahead: [Bits; 2],
    /// The two that run towards lower numbers.
    pub back: [Bits; 2],
}

/// Sixteen scores of moves in one cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct ScoreBlock(pub [i32; 16]);

impl ScoreBlock {
    /// What stands where no score is: the least there is.
    pub const NONE: i32 = i32::MIN;
    /// Sixteen times nothing.
    pub const EMPTY: Self = Self([Self::NONE; 16]);
}
