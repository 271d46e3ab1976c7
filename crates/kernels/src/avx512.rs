//! Thirty-two words at once: AVX-512 with VNNI.

use crate::network::compile_for;
use crate::simd::Simd;
use std::arch::x86_64::*;

/// AVX-512: F, BW, VL, DQ and VNNI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The proof, if the machine has it.
    fn new() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

compile_for!(
    Avx512,
    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,bmi2,popcnt"
);

impl Simd for Avx512 {
    type Vector = __m512i;
    type Block = __m512i;
    const WIDTH: usize = 32;
    // A product waits five cycles for the sum that it is added to.
    const CHAINS: usize = 4;

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> __m512i {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm512_load_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, vector: __m512i, to: *mut i16) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm512_store_si512(to.cast(), vector) }
    }
    #[inline(always)]
    unsafe fn store_bytes(self, vector: __m512i, to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm512_store_si512(to.cast(), vector) }
    }
    #[inline(always)]
    fn plus(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm512_add_epi16(a, b) }
    }
    #[inline(always)]
    fn minus(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm512_sub_epi16(a, b) }
    }
    #[inline(always)]
    fn clip(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            // The pack works within quarters and leaves them interleaved.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let packed = _mm512_permutexvar_epi64(order, _mm512_packs_epi16(a, b));
            _mm512_max_epi8(packed, _mm512_setzero_si512())
        }
    }
    #[inline(always)]
    fn pairwise(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let (zero, top) = (_mm512_setzero_si512(), _mm512_set1_epi16(127));
            let a = _mm512_min_epi16(_mm512_max_epi16(a, zero), top);
            let b = _mm512_min_epi16(_mm512_max_epi16(b, zero), top);
            _mm512_srli_epi16::<7>(_mm512_mullo_epi16(a, b))
        }
    }
    #[inline(always)]
    unsafe fn list_groups(self, bytes: __m512i, first: u16, to: *mut u16) -> usize {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let numbers = _mm512_add_epi32(places, _mm512_set1_epi32(i32::from(first)));
            let filled = _mm512_test_epi32_mask(bytes, bytes);
            let listed = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(filled, numbers));
            _mm256_storeu_si256(to.cast(), listed);
            filled.count_ones() as usize
        }
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const i32) -> __m512i {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm512_load_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store_block(self, block: __m512i, to: *mut i32) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm512_store_si512(to.cast(), block) }
    }
    #[inline(always)]
    fn zero_block(self) -> __m512i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm512_setzero_si512() }
    }
    #[inline(always)]
    fn add_blocks(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm512_add_epi32(a, b) }
    }
    #[inline(always)]
    unsafe fn dot(self, sums: __m512i, group: i32, weights: *const i8) -> __m512i {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let weights = _mm512_load_si512(weights.cast());
            _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(group), weights)
        }
    }
    #[inline(always)]
    fn clipped_relu(self, sums: __m512i) -> __m512i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let small = _mm512_max_epi32(_mm512_srai_epi32::<6>(sums), _mm512_setzero_si512());
            _mm512_min_epi32(small, _mm512_set1_epi32(127))
        }
    }
    #[inline(always)]
    unsafe fn store_small(self, sums: __m512i, to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm_store_si128(to.cast(), _mm512_cvtepi32_epi8(sums)) }
    }
    #[inline(always)]
    unsafe fn weigh(self, sums: __m512i, weights: *const i32) -> __m512i {
        // The upper halves of the sums are zero: what is added to each product is nothing.
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm512_madd_epi16(sums, _mm512_load_si512(weights.cast())) }
    }
    #[inline(always)]
    fn total(self, sums: __m512i) -> i32 {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm512_reduce_add_epi32(sums) }
    }
}
