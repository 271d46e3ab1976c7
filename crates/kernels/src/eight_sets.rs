//! Eight sets side by side that change and are asked together.

use crate::types::Bits;

/// Eight sets, in two cache lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(64))]
pub struct EightSets([Bits; 8]);

impl EightSets {
    /// Eight sets.
    #[inline]
    pub const fn new(groups: [Bits; 8]) -> Self {
        Self(groups)
    }

    /// One of them.
    #[inline(always)]
    pub const fn get(&self, group: usize) -> Bits {
        self.0[group]
    }

    /// Writes to `out` the same groups with one set toggled in some of them and another set in
    /// others; bit `i` of a mask names group `i`.
    ///
    /// All eight are written wherever the piece belongs: a store whose address depends on the
    /// piece would make every later load of a group guess whether it is meant.
    #[inline(always)]
    pub fn toggle_into(&self, first: (Bits, u8), second: (Bits, u8), out: &mut Self) {
        #[cfg(target_feature = "avx512dq")]
        avx512::toggle_into(self, first, second, out);
        #[cfg(all(target_feature = "avx2", not(target_feature = "avx512dq")))]
        avx2::toggle_into(self, first, second, out);
        #[cfg(all(target_feature = "ssse3", not(target_feature = "avx2")))]
        ssse3::toggle_into(self, first, second, out);
        #[cfg(not(target_feature = "ssse3"))]
        {
            out.0 = crate::scalar::toggled(&self.0, first, second);
        }
    }

    /// The members of `foes` that stand where they are watched: the sum over the first five groups,
    /// and the sum over the last three.
    #[inline(always)]
    pub fn threats(&self, watched: &Self, foes: Bits) -> [Bits; 2] {
        #[cfg(target_arch = "x86_64")]
        return sse2::threats(self, watched, foes);
        #[cfg(not(target_arch = "x86_64"))]
        return crate::scalar::threats(&self.0, &watched.0, foes);
    }
}

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use super::{Bits, EightSets};
    use std::arch::x86_64::*;

    #[inline(always)]
    pub(super) fn threats(groups: &EightSets, watched: &EightSets, foes: Bits) -> [Bits; 2] {
        // SAFETY: SSE2 is part of x86-64; every load and store covers the 16 bytes of one pair.
        unsafe {
            let load = |pair: &Bits| _mm_loadu_si128(pair.as_ptr().cast());
            let meet = |i: usize| _mm_and_si128(load(&groups.0[i]), load(&watched.0[i]));
            let foes = load(&foes);
            let near = _mm_or_si128(
                _mm_or_si128(
                    _mm_or_si128(meet(0), meet(1)),
                    _mm_or_si128(meet(2), meet(3)),
                ),
                meet(4),
            );
            let far = _mm_or_si128(_mm_or_si128(meet(5), meet(6)), meet(7));
            let mut sums = [[0; 2]; 2];
            _mm_storeu_si128(sums[0].as_mut_ptr().cast(), _mm_and_si128(near, foes));
            _mm_storeu_si128(sums[1].as_mut_ptr().cast(), _mm_and_si128(far, foes));
            sums
        }
    }
}

/// A byte of ones for each bit.
#[cfg(all(target_feature = "ssse3", not(target_feature = "avx512dq")))]
static BYTES: [u64; 256] = {
    let mut bytes = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut bit = 0;
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                bytes[mask] |= 0xff << (8 * bit);
            }
            bit += 1;
        }
        mask += 1;
    }
    bytes
};

#[cfg(all(target_feature = "avx2", not(target_feature = "avx512dq")))]
mod avx2 {
    use super::{BYTES, Bits, EightSets};
    use std::arch::x86_64::*;

    #[inline(always)]
    pub(super) fn toggle_into(
        groups: &EightSets,
        first: (Bits, u8),
        second: (Bits, u8),
        out: &mut EightSets,
    ) {
        // SAFETY: AVX2 by `cfg` of this module; four vectors of 32 bytes are 128 bytes, and an
        // `EightSets` has that many, aligned to 64.
        unsafe {
            let spread =
                |set: &Bits| _mm256_broadcastsi128_si256(_mm_loadu_si128(set.as_ptr().cast()));
            let masks = |mask: u8| _mm256_set1_epi64x(BYTES[usize::from(mask)] as i64);
            let (start, starts) = (spread(&first.0), masks(first.1));
            let (end, ends) = (spread(&second.0), masks(second.1));
            let (from, to) = (groups.0.as_ptr().cast::<__m256i>(), out.0.as_mut_ptr());
            for i in 0..4 {
                // The mask byte of group 2i in the lower half, of 2i + 1 in the upper one.
                let (low, high) = (_mm_set1_epi8(2 * i as i8), _mm_set1_epi8(2 * i as i8 + 1));
                let place = _mm256_set_m128i(high, low);
                let a = _mm256_and_si256(start, _mm256_shuffle_epi8(starts, place));
                let b = _mm256_and_si256(end, _mm256_shuffle_epi8(ends, place));
                let old = _mm256_load_si256(from.add(i));
                let new = _mm256_xor_si256(old, _mm256_xor_si256(a, b));
                _mm256_store_si256(to.cast::<__m256i>().add(i), new);
            }
        }
    }
}

#[cfg(all(target_feature = "ssse3", not(target_feature = "avx2")))]
mod ssse3 {
    use super::{BYTES, Bits, EightSets};
    use std::arch::x86_64::*;

    #[inline(always)]
    pub(super) fn toggle_into(
        groups: &EightSets,
        first: (Bits, u8),
        second: (Bits, u8),
        out: &mut EightSets,
    ) {
        // SAFETY: SSSE3 by `cfg` of this module; eight vectors of 16 bytes are 128 bytes, and an
        // `EightSets` has that many, aligned to 64.
        unsafe {
            let load = |set: &Bits| _mm_loadu_si128(set.as_ptr().cast());
            let masks = |mask: u8| _mm_set1_epi64x(BYTES[usize::from(mask)] as i64);
            let (start, starts) = (load(&first.0), masks(first.1));
            let (end, ends) = (load(&second.0), masks(second.1));
            for i in 0..8 {
                let place = _mm_set1_epi8(i as i8);
                let a = _mm_and_si128(start, _mm_shuffle_epi8(starts, place));
                let b = _mm_and_si128(end, _mm_shuffle_epi8(ends, place));
                let new = _mm_xor_si128(load(&groups.0[i]), _mm_xor_si128(a, b));
                _mm_store_si128(out.0[i].as_mut_ptr().cast(), new);
            }
        }
    }
}

#[cfg(target_feature = "avx512dq")]
mod avx512 {
    use super::{Bits, EightSets};
    use std::arch::x86_64::*;

    /// Each bit twice: a group is two lanes of 64 bits.
    static LANES: [u16; 256] = {
        let mut lanes = [0; 256];
        let mut mask = 0;
        while mask < 256 {
            let mut bit = 0;
            while bit < 8 {
                if mask >> bit & 1 == 1 {
                    lanes[mask] |= 3 << (2 * bit);
                }
                bit += 1;
            }
            mask += 1;
        }
        lanes
    };

    #[inline(always)]
    pub(super) fn toggle_into(
        groups: &EightSets,
        first: (Bits, u8),
        second: (Bits, u8),
        out: &mut EightSets,
    ) {
        let (starts, ends) = (LANES[usize::from(first.1)], LANES[usize::from(second.1)]);
        // SAFETY: AVX-512 DQ by `cfg` of this module; two vectors of 64 bytes are 128 bytes, and
        // an `EightSets` has that many, aligned to 64.
        unsafe {
            let spread = |set: &Bits| _mm512_broadcast_i64x2(_mm_loadu_si128(set.as_ptr().cast()));
            let (start, end) = (spread(&first.0), spread(&second.0));
            let (from, to) = (groups.0.as_ptr().cast::<__m512i>(), out.0.as_mut_ptr());
            for half in 0..2 {
                let [a, b] = [(starts >> (8 * half)) as u8, (ends >> (8 * half)) as u8];
                let old = _mm512_load_si512(from.add(half));
                let moved = _mm512_mask_xor_epi64(old, a, old, start);
                let moved = _mm512_mask_xor_epi64(moved, b, moved, end);
                _mm512_store_si512(to.cast::<__m512i>().add(half), moved);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fast_groups_equal_plain_groups(
            groups: [[u64; 2]; 8],
            watched: [[u64; 2]; 8],
            foes: [u64; 2],
            first: ([u64; 2], u8),
            second: ([u64; 2], u8),
        ) {
            let set = EightSets::new(groups);
            let mut out = EightSets::default();
            set.toggle_into(first, second, &mut out);
            prop_assert_eq!(out.0, scalar::toggled(&groups, first, second));
            prop_assert_eq!(
                set.threats(&EightSets::new(watched), foes),
                scalar::threats(&groups, &watched, foes)
            );
        }
    }
}
