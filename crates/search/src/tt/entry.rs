//! An entry of the transposition table, packed into one word.

use tesuji_shogi::{Bound, Move, Value};

/// What a search found out about a position. Mates are counted from the position itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, if there is one.
    pub mv: Option<Move>,
    /// The value, if the search found one, and what it says.
    pub value: Option<(Value, Bound)>,
    /// What the evaluation says, uncorrected; nothing if the side to move is in check.
    pub eval: Option<Value>,
    /// How deep the search was: 0 for quiescence, less for an evaluation alone.
    pub depth: i32,
    /// Whether the position was ever part of a principal variation.
    pub is_pv: bool,
}

/// Added to a depth so that it is above 0; 0 means that the slot is empty.
const DEPTH_SHIFT: i32 = 8;
const NO_EVAL: i16 = i16::MIN;
/// By how many plies an entry loses worth with every search that passes.
const GENERATION_COST: i32 = 8;

impl TtEntry {
    /// The depth of an entry that holds an evaluation alone.
    pub const UNSEARCHED: i32 = -2;

    /// Bits 0–15 move, 16–31 value, 32–47 evaluation, 48–55 depth, 56–60 generation, 61 pv,
    /// 62–63 bound.
    #[inline(always)]
    pub(super) fn pack(&self, generation: u8) -> u64 {
        let (value, bound) = match self.value {
            None => (0, 0),
            Some((value, bound)) => (clamped(value), bound_bits(bound)),
        };
        let eval = self.eval.map_or(NO_EVAL, clamped);
        let depth = (self.depth + DEPTH_SHIFT).clamp(1, 255) as u64;
        u64::from(self.mv.map_or(0, Move::bits))
            | u64::from(value as u16) << 16
            | u64::from(eval as u16) << 32
            | depth << 48
            | u64::from(generation & 31) << 56
            | u64::from(self.is_pv) << 61
            | bound << 62
    }

    /// `None` for an empty word.
    #[inline(always)]
    pub(super) fn unpack(word: u64) -> Option<Self> {
        let depth = (word >> 48 & 255) as i32;
        if depth == 0 {
            return None;
        }
        let value = Value::new(i32::from((word >> 16) as u16 as i16));
        let eval = (word >> 32) as u16 as i16;
        Some(Self {
            mv: Move::from_bits(word as u16),
            value: bound_of(word >> 62).map(|bound| (value, bound)),
            eval: (eval != NO_EVAL).then(|| Value::new(i32::from(eval))),
            depth: depth - DEPTH_SHIFT,
            is_pv: word >> 61 & 1 == 1,
        })
    }

    /// Whether it should replace an entry of the same position from the same search.
    #[inline(always)]
    pub(super) fn is_worth_more_than(&self, old: &Self) -> bool {
        let is_exact = matches!(self.value, Some((_, Bound::Exact)));
        is_exact || self.depth + 2 * i32::from(self.is_pv) > old.depth - 4
    }
}

/// The search that an entry comes from.
#[inline(always)]
pub(super) const fn generation_of(word: u64) -> u8 {
    (word >> 56 & 31) as u8
}

/// What would be lost with an entry; empty places first.
#[inline(always)]
pub(super) const fn replacement_worth(word: u64, generation: u8) -> i32 {
    let depth = (word >> 48 & 255) as i32;
    let passed = generation.wrapping_sub(generation_of(word)) & 31;
    if depth == 0 {
        i32::MIN
    } else {
        depth - GENERATION_COST * passed as i32
    }
}

#[inline(always)]
fn clamped(value: Value) -> i16 {
    value.points().clamp(-32_767, 32_767) as i16
}

#[inline(always)]
const fn bound_bits(bound: Bound) -> u64 {
    match bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    }
}

#[inline(always)]
const fn bound_of(bits: u64) -> Option<Bound> {
    match bits & 3 {
        1 => Some(Bound::Upper),
        2 => Some(Bound::Lower),
        3 => Some(Bound::Exact),
        _ => None,
    }
}
