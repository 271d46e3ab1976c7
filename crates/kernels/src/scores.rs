//! Scores in blocks of sixteen: the largest of many is found, and another written in its place.

use crate::types::ScoreBlock;

impl ScoreBlock {
    /// The largest score of all blocks; [`ScoreBlock::NONE`] without any.
    #[inline(always)]
    pub fn largest(blocks: &[Self]) -> i32 {
        #[cfg(target_feature = "avx512f")]
        return avx512::largest(blocks);
        #[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
        return avx2::largest(blocks);
        #[cfg(not(target_feature = "avx2"))]
        return crate::scalar::largest(blocks);
    }

    /// Writes `new` in the first block that holds `old`, wherever it does.
    #[inline(always)]
    pub fn replace(blocks: &mut [Self], old: i32, new: i32) {
        #[cfg(target_feature = "avx512f")]
        avx512::replace(blocks, old, new);
        #[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
        avx2::replace(blocks, old, new);
        #[cfg(not(target_feature = "avx2"))]
        crate::scalar::replace(blocks, old, new);
    }
}

#[cfg(target_feature = "avx512f")]
mod avx512 {
    use super::ScoreBlock;
    use std::arch::x86_64::*;

    #[inline(always)]
    fn load(block: &ScoreBlock) -> __m512i {
        // SAFETY: 64 readable bytes, aligned as their type says; AVX-512 by `cfg` of this module.
        unsafe { _mm512_load_si512(std::ptr::from_ref(block).cast()) }
    }

    #[inline(always)]
    pub(super) fn largest(blocks: &[ScoreBlock]) -> i32 {
        // SAFETY: AVX-512 by `cfg` of this module; register arithmetic only.
        unsafe {
            let none = _mm512_set1_epi32(ScoreBlock::NONE);
            let largest = blocks.iter().fold(none, |largest, block| {
                _mm512_max_epi32(largest, load(block))
            });
            _mm512_reduce_max_epi32(largest)
        }
    }

    #[inline(always)]
    pub(super) fn replace(blocks: &mut [ScoreBlock], old: i32, new: i32) {
        for block in blocks {
            // SAFETY: AVX-512 by `cfg` of this module; the store covers the 64 bytes of the block.
            unsafe {
                let found = _mm512_cmpeq_epi32_mask(load(block), _mm512_set1_epi32(old));
                if found != 0 {
                    let place = std::ptr::from_mut(block).cast();
                    _mm512_mask_store_epi32(place, found, _mm512_set1_epi32(new));
                    return;
                }
            }
        }
    }
}

#[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
mod avx2 {
    use super::ScoreBlock;
    use std::arch::x86_64::*;

    #[inline(always)]
    fn load(block: &ScoreBlock) -> [__m256i; 2] {
        let halves: *const __m256i = std::ptr::from_ref(block).cast();
        // SAFETY: 64 readable bytes, aligned as their type says; AVX2 by `cfg` of this module.
        unsafe { [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))] }
    }

    #[inline(always)]
    pub(super) fn largest(blocks: &[ScoreBlock]) -> i32 {
        // SAFETY: AVX2 by `cfg` of this module; register arithmetic only.
        unsafe {
            let none = _mm256_set1_epi32(ScoreBlock::NONE);
            let [low, high] = blocks.iter().fold([none; 2], |largest, block| {
                let [low, high] = load(block);
                [
                    _mm256_max_epi32(largest[0], low),
                    _mm256_max_epi32(largest[1], high),
                ]
            });
            let eight = _mm256_max_epi32(low, high);
            let four = _mm_max_epi32(
                _mm256_castsi256_si128(eight),
                _mm256_extracti128_si256::<1>(eight),
            );
            let two = _mm_max_epi32(four, _mm_shuffle_epi32::<0b_01_00_11_10>(four));
            let one = _mm_max_epi32(two, _mm_shuffle_epi32::<0b_10_11_00_01>(two));
            _mm_cvtsi128_si32(one)
        }
    }

    #[inline(always)]
    pub(super) fn replace(blocks: &mut [ScoreBlock], old: i32, new: i32) {
        for block in blocks {
            // SAFETY: AVX2 by `cfg` of this module; the stores cover the 64 bytes of the block.
            unsafe {
                let halves = load(block);
                let found = halves.map(|half| _mm256_cmpeq_epi32(half, _mm256_set1_epi32(old)));
                let any = _mm256_or_si256(found[0], found[1]);
                if _mm256_testz_si256(any, any) == 0 {
                    let place: *mut i32 = std::ptr::from_mut(block).cast();
                    _mm256_maskstore_epi32(place, found[0], _mm256_set1_epi32(new));
                    _mm256_maskstore_epi32(place.add(8), found[1], _mm256_set1_epi32(new));
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar;
    use proptest::prelude::*;

    fn blocks(numbers: &[i32]) -> Vec<ScoreBlock> {
        let fill = |part: &[i32]| {
            let mut block = ScoreBlock::EMPTY;
            block.0[..part.len()].copy_from_slice(part);
            block
        };
        numbers.chunks(16).map(fill).collect()
    }

    proptest! {
        #[test]
        fn the_fast_forms_mean_the_plain_ones(
            numbers in prop::collection::vec(-9i32..9, 0..90),
            old in -9i32..9,
            new: i32,
        ) {
            let mut fast = blocks(&numbers);
            let mut plain = fast.clone();
            let most = numbers.iter().copied().max().unwrap_or(ScoreBlock::NONE);
            prop_assert_eq!(ScoreBlock::largest(&fast), most);
            prop_assert_eq!(scalar::largest(&fast), most);
            ScoreBlock::replace(&mut fast, old, new);
            scalar::replace(&mut plain, old, new);
            prop_assert_eq!(fast, plain);
        }
    }
}
