//! Slider rays without tables of occupancies: subtract for the rays ahead, count leading zeros for
//! the rays back, four rays at once where the machine has the vectors for it.
//!
//! Mori's Qugiy (2021) found the rays of shogi by subtraction; in chess the trick is known as
//! *o ^ (o - 2r)* and as hyperbola quintessence (Isenberg, Peschansky 2007).

use crate::types::{Bits, Rays};

/// Where the four rays of a slider end: each runs up to the first occupied square, included.
#[inline(always)]
pub fn slide(rays: &Rays, occupied: Bits) -> Bits {
    #[cfg(all(target_feature = "avx512vl", target_feature = "avx512cd"))]
    return avx512::slide(rays, occupied);
    #[cfg(all(
        target_feature = "avx2",
        not(all(target_feature = "avx512vl", target_feature = "avx512cd"))
    ))]
    return avx2::slide(rays, occupied);
    #[cfg(not(target_feature = "avx2"))]
    return crate::scalar::slide(rays, occupied);
}

#[cfg(target_feature = "avx2")]
mod avx2 {
    //! Two rays in the four lanes of a 256-bit vector: [low, high, low, high].
    use super::Bits;
    use std::arch::x86_64::*;

    #[inline(always)]
    pub(super) fn load(pairs: &[Bits; 2]) -> __m256i {
        // SAFETY: 32 readable bytes; the load needs no alignment; AVX2 by `cfg` of this module.
        unsafe { _mm256_loadu_si256(pairs.as_ptr().cast()) }
    }

    #[inline(always)]
    pub(super) fn spread(pair: Bits) -> __m256i {
        // SAFETY: AVX2 by `cfg` of this module; 16 readable bytes.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(pair.as_ptr().cast())) }
    }

    /// Both rays towards higher numbers, cut behind their lowest obstacles.
    #[inline(always)]
    pub(super) fn ahead(rays: __m256i, occupied: __m256i) -> __m256i {
        // SAFETY: AVX2 by `cfg` of this module; register arithmetic only.
        unsafe {
            let obstacles = _mm256_and_si256(rays, occupied);
            let free = _mm256_cmpeq_epi64(obstacles, _mm256_setzero_si256());
            // Minus one in the low lanes; in the high lanes only if the low lane borrows.
            let minus = _mm256_or_si256(
                _mm256_slli_si256::<8>(free),
                _mm256_set_epi64x(0, -1, 0, -1),
            );
            let below = _mm256_add_epi64(obstacles, minus);
            _mm256_and_si256(rays, _mm256_xor_si256(obstacles, below))
        }
    }

    /// Cuts both rays towards lower numbers, given how far down each lane may look.
    #[inline(always)]
    pub(super) fn back(rays: __m256i, obstacles: __m256i, down_to: __m256i) -> __m256i {
        // SAFETY: AVX2 by `cfg` of this module; register arithmetic only.
        unsafe {
            let free = _mm256_cmpeq_epi64(obstacles, _mm256_setzero_si256());
            // The low lanes stay open only if the high lanes are free.
            let open = _mm256_or_si256(
                _mm256_srli_si256::<8>(free),
                _mm256_set_epi64x(-1, 0, -1, 0),
            );
            _mm256_and_si256(_mm256_and_si256(rays, down_to), open)
        }
    }

    #[inline(always)]
    pub(super) fn join(a: __m256i, b: __m256i) -> Bits {
        // SAFETY: AVX2 by `cfg` of this module; 16 writable bytes.
        unsafe {
            let both = _mm256_or_si256(a, b);
            let one = _mm_or_si128(
                _mm256_castsi256_si128(both),
                _mm256_extracti128_si256::<1>(both),
            );
            let mut out = [0u64; 2];
            _mm_storeu_si128(out.as_mut_ptr().cast(), one);
            out
        }
    }

    #[cfg(not(all(target_feature = "avx512vl", target_feature = "avx512cd")))]
    #[inline(always)]
    pub(super) fn slide(rays: &super::Rays, occupied: Bits) -> Bits {
        let occupied = spread(occupied);
        let rays_back = load(&rays.back);
        // SAFETY: AVX2 by `cfg` of this module; register arithmetic only.
        let (obstacles, down_to) = unsafe {
            let obstacles = _mm256_and_si256(rays_back, occupied);
            // Everything below the highest obstacle, by smearing its bit downwards.
            let mut below = _mm256_srli_epi64::<1>(obstacles);
            below = _mm256_or_si256(below, _mm256_srli_epi64::<1>(below));
            below = _mm256_or_si256(below, _mm256_srli_epi64::<2>(below));
            below = _mm256_or_si256(below, _mm256_srli_epi64::<4>(below));
            below = _mm256_or_si256(below, _mm256_srli_epi64::<8>(below));
            below = _mm256_or_si256(below, _mm256_srli_epi64::<16>(below));
            below = _mm256_or_si256(below, _mm256_srli_epi64::<32>(below));
            (
                obstacles,
                _mm256_andnot_si256(below, _mm256_set1_epi64x(-1)),
            )
        };
        join(
            ahead(load(&rays.ahead), occupied),
            back(rays_back, obstacles, down_to),
        )
    }
}

#[cfg(all(target_feature = "avx512vl", target_feature = "avx512cd"))]
mod avx512 {
    //! As with AVX2, but the highest obstacle is found by counting zeros.
    use super::{Bits, Rays, avx2};
    use std::arch::x86_64::*;

    #[inline(always)]
    pub(super) fn slide(rays: &Rays, occupied: Bits) -> Bits {
        let occupied = avx2::spread(occupied);
        let rays_back = avx2::load(&rays.back);
        // SAFETY: AVX-512 VL and CD by `cfg` of this module; register arithmetic only.
        let (obstacles, down_to) = unsafe {
            let obstacles = _mm256_and_si256(rays_back, occupied);
            let zeros = _mm256_lzcnt_epi64(obstacles);
            // A shift by 64 or more fills the lane with the sign: no obstacle, no cut.
            (
                obstacles,
                _mm256_srav_epi64(_mm256_set1_epi64x(i64::MIN), zeros),
            )
        };
        avx2::join(
            avx2::ahead(avx2::load(&rays.ahead), occupied),
            avx2::back(rays_back, obstacles, down_to),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pair() -> impl Strategy<Value = Bits> {
        // Sparse and dense words alike: rays are sparse, boards are not.
        (any::<[u64; 2]>(), any::<[u64; 2]>(), any::<bool>()).prop_map(|(a, b, sparse)| {
            if sparse {
                [a[0] & b[0] & (a[1] >> 3), a[1] & b[1] & (b[0] >> 5)]
            } else {
                a
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn fast_rays_equal_plain_rays(a in [pair(), pair()], b in [pair(), pair()], occupied in pair()) {
            let rays = Rays { ahead: a, back: b };
            prop_assert_eq!(slide(&rays, occupied), crate::scalar::slide(&rays, occupied));
        }
    }
}
