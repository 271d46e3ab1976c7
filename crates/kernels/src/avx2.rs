//! Sixteen words at once: AVX2.

use crate::network::compile_for;
use crate::simd::Simd;
use crate::sse41::list_eights;
use std::arch::x86_64::*;

/// AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if the machine has it.
    fn new() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

compile_for!(Avx2, enable = "avx2,bmi2,popcnt");

impl Simd for Avx2 {
    type Vector = __m256i;
    type Block = [__m256i; 2];
    const WIDTH: usize = 16;
    const CHAINS: usize = 1;

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> __m256i {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm256_load_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, vector: __m256i, to: *mut i16) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm256_store_si256(to.cast(), vector) }
    }
    #[inline(always)]
    unsafe fn store_bytes(self, vector: __m256i, to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm256_store_si256(to.cast(), vector) }
    }
    #[inline(always)]
    fn plus(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm256_add_epi16(a, b) }
    }
    #[inline(always)]
    fn minus(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm256_sub_epi16(a, b) }
    }
    #[inline(always)]
    fn clip(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            // The pack works within halves and leaves them interleaved.
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a, b));
            _mm256_max_epi8(packed, _mm256_setzero_si256())
        }
    }
    #[inline(always)]
    fn pairwise(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let (zero, top) = (_mm256_setzero_si256(), _mm256_set1_epi16(127));
            let a = _mm256_min_epi16(_mm256_max_epi16(a, zero), top);
            let b = _mm256_min_epi16(_mm256_max_epi16(b, zero), top);
            _mm256_srli_epi16::<7>(_mm256_mullo_epi16(a, b))
        }
    }
    #[inline(always)]
    unsafe fn list_groups(self, bytes: __m256i, first: u16, to: *mut u16) -> usize {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let empty = _mm256_cmpeq_epi32(bytes, _mm256_setzero_si256());
            let filled = !_mm256_movemask_ps(_mm256_castsi256_ps(empty)) as u8;
            list_eights(filled, first, to)
        }
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const i32) -> [__m256i; 2] {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let first = _mm256_load_si256(from.cast());
            [first, _mm256_load_si256(from.add(8).cast())]
        }
    }
    #[inline(always)]
    unsafe fn store_block(self, block: [__m256i; 2], to: *mut i32) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            _mm256_store_si256(to.cast(), block[0]);
            _mm256_store_si256(to.add(8).cast(), block[1]);
        }
    }
    #[inline(always)]
    fn zero_block(self) -> [__m256i; 2] {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { [_mm256_setzero_si256(); 2] }
    }
    #[inline(always)]
    fn add_blocks(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { [_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])] }
    }
    #[inline(always)]
    unsafe fn dot(self, sums: [__m256i; 2], group: i32, weights: *const i8) -> [__m256i; 2] {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let (group, ones) = (_mm256_set1_epi32(group), _mm256_set1_epi16(1));
            // Two products of at most 127 times 128 never saturate: 32 512 < 32 767.
            let first = _mm256_maddubs_epi16(group, _mm256_load_si256(weights.cast()));
            let second = _mm256_maddubs_epi16(group, _mm256_load_si256(weights.add(32).cast()));
            [
                _mm256_add_epi32(sums[0], _mm256_madd_epi16(first, ones)),
                _mm256_add_epi32(sums[1], _mm256_madd_epi16(second, ones)),
            ]
        }
    }
    #[inline(always)]
    fn clipped_relu(self, sums: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let (zero, top) = (_mm256_setzero_si256(), _mm256_set1_epi32(127));
            let first = _mm256_max_epi32(_mm256_srai_epi32::<6>(sums[0]), zero);
            let second = _mm256_max_epi32(_mm256_srai_epi32::<6>(sums[1]), zero);
            [_mm256_min_epi32(first, top), _mm256_min_epi32(second, top)]
        }
    }
    #[inline(always)]
    unsafe fn store_small(self, sums: [__m256i; 2], to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let words = _mm256_packs_epi32(sums[0], sums[1]);
            let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(words);
            let halves = (
                _mm256_castsi256_si128(words),
                _mm256_extracti128_si256::<1>(words),
            );
            _mm_store_si128(to.cast(), _mm_packs_epi16(halves.0, halves.1));
        }
    }
    #[inline(always)]
    unsafe fn weigh(self, sums: [__m256i; 2], weights: *const i32) -> [__m256i; 2] {
        // The upper halves of the sums are zero: what is added to each product is nothing.
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let weights = self.load_block(weights);
            [
                _mm256_madd_epi16(sums[0], weights[0]),
                _mm256_madd_epi16(sums[1], weights[1]),
            ]
        }
    }
    #[inline(always)]
    fn total(self, sums: [__m256i; 2]) -> i32 {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let eight = _mm256_add_epi32(sums[0], sums[1]);
            let halves = (
                _mm256_castsi256_si128(eight),
                _mm256_extracti128_si256::<1>(eight),
            );
            let four = _mm_add_epi32(halves.0, halves.1);
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
        }
    }
}
