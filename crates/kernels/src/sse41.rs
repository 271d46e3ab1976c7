//! Eight words at once: SSE4.1.

use crate::network::compile_for;
use crate::simd::Simd;
use crate::word_list::EIGHTS;
use std::arch::x86_64::*;

/// SSE4.1 and what comes before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse41(());

impl Sse41 {
    /// The proof, if the machine has it.
    fn new() -> Option<Self> {
        let has_all = is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("ssse3");
        has_all.then_some(Self(()))
    }
}

compile_for!(Sse41, enable = "sse4.1,ssse3");

/// Writes the members of a set of eight, counted from `first`, and says how many there are.
///
/// # Safety
/// Eight words are writable.
#[inline(always)]
pub(crate) unsafe fn list_eights(set: u8, first: u16, to: *mut u16) -> usize {
    // SAFETY: SSE2 is part of x86-64; a row of the table is eight words, and so is the room by the
    // caller's promise.
    unsafe {
        let members = _mm_loadu_si128(EIGHTS[usize::from(set)].as_ptr().cast());
        let numbers = _mm_add_epi16(members, _mm_set1_epi16(first as i16));
        _mm_storeu_si128(to.cast(), numbers);
    }
    set.count_ones() as usize
}

impl Simd for Sse41 {
    type Vector = __m128i;
    type Block = [__m128i; 4];
    const WIDTH: usize = 8;
    const CHAINS: usize = 1;

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> __m128i {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm_load_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, vector: __m128i, to: *mut i16) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm_store_si128(to.cast(), vector) }
    }
    #[inline(always)]
    unsafe fn store_bytes(self, vector: __m128i, to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { _mm_store_si128(to.cast(), vector) }
    }
    #[inline(always)]
    fn plus(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm_add_epi16(a, b) }
    }
    #[inline(always)]
    fn minus(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm_sub_epi16(a, b) }
    }
    #[inline(always)]
    fn clip(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { _mm_max_epi8(_mm_packs_epi16(a, b), _mm_setzero_si128()) }
    }
    #[inline(always)]
    fn pairwise(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let (zero, top) = (_mm_setzero_si128(), _mm_set1_epi16(127));
            let a = _mm_min_epi16(_mm_max_epi16(a, zero), top);
            let b = _mm_min_epi16(_mm_max_epi16(b, zero), top);
            _mm_srli_epi16::<7>(_mm_mullo_epi16(a, b))
        }
    }
    #[inline(always)]
    unsafe fn list_groups(self, bytes: __m128i, first: u16, to: *mut u16) -> usize {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let empty = _mm_cmpeq_epi32(bytes, _mm_setzero_si128());
            let filled = !_mm_movemask_ps(_mm_castsi128_ps(empty)) as u8 & 0b1111;
            list_eights(filled, first, to)
        }
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const i32) -> [__m128i; 4] {
        let mut block = self.zero_block();
        for (i, four) in block.iter_mut().enumerate() {
            // SAFETY: features proved by `self`, size and alignment promised by the caller.
            *four = unsafe { _mm_load_si128(from.add(4 * i).cast()) };
        }
        block
    }
    #[inline(always)]
    unsafe fn store_block(self, block: [__m128i; 4], to: *mut i32) {
        for (i, four) in block.into_iter().enumerate() {
            // SAFETY: features proved by `self`, size and alignment promised by the caller.
            unsafe { _mm_store_si128(to.add(4 * i).cast(), four) }
        }
    }
    #[inline(always)]
    fn zero_block(self) -> [__m128i; 4] {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { [_mm_setzero_si128(); 4] }
    }
    #[inline(always)]
    fn add_blocks(self, mut a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        for (a, b) in a.iter_mut().zip(b) {
            // SAFETY: `self` proves that the machine has the features.
            *a = unsafe { _mm_add_epi32(*a, b) };
        }
        a
    }
    #[inline(always)]
    unsafe fn dot(self, mut sums: [__m128i; 4], group: i32, weights: *const i8) -> [__m128i; 4] {
        for (i, sum) in sums.iter_mut().enumerate() {
            // SAFETY: features proved by `self`, size and alignment promised by the caller.
            unsafe {
                let weights = _mm_load_si128(weights.add(16 * i).cast());
                // Two products of at most 127 times 128 never saturate: 32 512 < 32 767.
                let pairs = _mm_maddubs_epi16(_mm_set1_epi32(group), weights);
                *sum = _mm_add_epi32(*sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
            }
        }
        sums
    }
    #[inline(always)]
    fn clipped_relu(self, mut sums: [__m128i; 4]) -> [__m128i; 4] {
        for sum in &mut sums {
            // SAFETY: `self` proves that the machine has the features.
            unsafe {
                let small = _mm_max_epi32(_mm_srai_epi32::<6>(*sum), _mm_setzero_si128());
                *sum = _mm_min_epi32(small, _mm_set1_epi32(127));
            }
        }
        sums
    }
    #[inline(always)]
    unsafe fn store_small(self, sums: [__m128i; 4], to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let low = _mm_packs_epi32(sums[0], sums[1]);
            let high = _mm_packs_epi32(sums[2], sums[3]);
            _mm_store_si128(to.cast(), _mm_packs_epi16(low, high));
        }
    }
    #[inline(always)]
    unsafe fn weigh(self, mut sums: [__m128i; 4], weights: *const i32) -> [__m128i; 4] {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        let weights = unsafe { self.load_block(weights) };
        for (sum, weights) in sums.iter_mut().zip(weights) {
            // The upper halves of the sums are zero: what is added to each product is nothing.
            // SAFETY: `self` proves that the machine has the features.
            *sum = unsafe { _mm_madd_epi16(*sum, weights) };
        }
        sums
    }
    #[inline(always)]
    fn total(self, sums: [__m128i; 4]) -> i32 {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let low = _mm_add_epi32(sums[0], sums[1]);
            let four = _mm_add_epi32(low, _mm_add_epi32(sums[2], sums[3]));
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
        }
    }
}
