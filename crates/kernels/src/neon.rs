//! Eight words at once: NEON.

use crate::network::compile_for;
use crate::simd::Simd;
use crate::word_list::EIGHTS;
use std::arch::aarch64::*;

/// NEON, which every 64-bit ARM has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// The proof, if the machine has it.
    fn new() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

compile_for!(Neon, enable = "neon");

impl Simd for Neon {
    type Vector = int16x8_t;
    type Block = [int32x4_t; 4];
    const WIDTH: usize = 8;
    const CHAINS: usize = 1;

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> int16x8_t {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { vld1q_s16(from) }
    }
    #[inline(always)]
    unsafe fn store(self, vector: int16x8_t, to: *mut i16) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { vst1q_s16(to, vector) }
    }
    #[inline(always)]
    unsafe fn store_bytes(self, vector: int16x8_t, to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe { vst1q_u8(to, vreinterpretq_u8_s16(vector)) }
    }
    #[inline(always)]
    fn plus(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { vaddq_s16(a, b) }
    }
    #[inline(always)]
    fn minus(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { vsubq_s16(a, b) }
    }
    #[inline(always)]
    fn clip(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let bytes = vcombine_s8(vqmovn_s16(a), vqmovn_s16(b));
            vreinterpretq_s16_s8(vmaxq_s8(bytes, vdupq_n_s8(0)))
        }
    }
    #[inline(always)]
    fn pairwise(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let (zero, top) = (vdupq_n_s16(0), vdupq_n_s16(127));
            let a = vminq_s16(vmaxq_s16(a, zero), top);
            let b = vminq_s16(vmaxq_s16(b, zero), top);
            vshrq_n_s16::<7>(vmulq_s16(a, b))
        }
    }
    #[inline(always)]
    unsafe fn list_groups(self, bytes: int16x8_t, first: u16, to: *mut u16) -> usize {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            const BITS: [u32; 4] = [1, 2, 4, 8];
            let groups = vreinterpretq_u32_s16(bytes);
            let filled = vandq_u32(vtstq_u32(groups, groups), vld1q_u32(BITS.as_ptr()));
            let set = vaddvq_u32(filled) as u8;
            let members = vld1q_u16(EIGHTS[usize::from(set)].as_ptr());
            vst1q_u16(to, vaddq_u16(members, vdupq_n_u16(first)));
            set.count_ones() as usize
        }
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const i32) -> [int32x4_t; 4] {
        let mut block = self.zero_block();
        for (i, four) in block.iter_mut().enumerate() {
            // SAFETY: features proved by `self`, size and alignment promised by the caller.
            *four = unsafe { vld1q_s32(from.add(4 * i)) };
        }
        block
    }
    #[inline(always)]
    unsafe fn store_block(self, block: [int32x4_t; 4], to: *mut i32) {
        for (i, four) in block.into_iter().enumerate() {
            // SAFETY: features proved by `self`, size and alignment promised by the caller.
            unsafe { vst1q_s32(to.add(4 * i), four) }
        }
    }
    #[inline(always)]
    fn zero_block(self) -> [int32x4_t; 4] {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { [vdupq_n_s32(0); 4] }
    }
    #[inline(always)]
    fn add_blocks(self, mut a: [int32x4_t; 4], b: [int32x4_t; 4]) -> [int32x4_t; 4] {
        for (a, b) in a.iter_mut().zip(b) {
            // SAFETY: `self` proves that the machine has the features.
            *a = unsafe { vaddq_s32(*a, b) };
        }
        a
    }
    #[inline(always)]
    unsafe fn dot(
        self,
        mut sums: [int32x4_t; 4],
        group: i32,
        weights: *const i8,
    ) -> [int32x4_t; 4] {
        for (i, sum) in sums.iter_mut().enumerate() {
            // SAFETY: features proved by `self`, size and alignment promised by the caller.
            unsafe {
                let group = vreinterpretq_s8_s32(vdupq_n_s32(group));
                let weights = vld1q_s8(weights.add(16 * i));
                let low = vpaddlq_s16(vmull_s8(vget_low_s8(group), vget_low_s8(weights)));
                let high = vpaddlq_s16(vmull_high_s8(group, weights));
                *sum = vaddq_s32(*sum, vpaddq_s32(low, high));
            }
        }
        sums
    }
    #[inline(always)]
    fn clipped_relu(self, mut sums: [int32x4_t; 4]) -> [int32x4_t; 4] {
        for sum in &mut sums {
            // SAFETY: `self` proves that the machine has the features.
            unsafe {
                let small = vmaxq_s32(vshrq_n_s32::<6>(*sum), vdupq_n_s32(0));
                *sum = vminq_s32(small, vdupq_n_s32(127));
            }
        }
        sums
    }
    #[inline(always)]
    unsafe fn store_small(self, sums: [int32x4_t; 4], to: *mut u8) {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        unsafe {
            let low = vcombine_s16(vmovn_s32(sums[0]), vmovn_s32(sums[1]));
            let high = vcombine_s16(vmovn_s32(sums[2]), vmovn_s32(sums[3]));
            let bytes = vcombine_s8(vmovn_s16(low), vmovn_s16(high));
            vst1q_u8(to, vreinterpretq_u8_s8(bytes));
        }
    }
    #[inline(always)]
    unsafe fn weigh(self, mut sums: [int32x4_t; 4], weights: *const i32) -> [int32x4_t; 4] {
        // SAFETY: features proved by `self`, size and alignment promised by the caller.
        let weights = unsafe { self.load_block(weights) };
        for (sum, weights) in sums.iter_mut().zip(weights) {
            // SAFETY: `self` proves that the machine has the features.
            *sum = unsafe { vmulq_s32(*sum, weights) };
        }
        sums
    }
    #[inline(always)]
    fn total(self, sums: [int32x4_t; 4]) -> i32 {
        // SAFETY: `self` proves that the machine has the features.
        unsafe {
            let low = vaddq_s32(sums[0], sums[1]);
            vaddvq_s32(vaddq_s32(low, vaddq_s32(sums[2], sums[3])))
        }
    }
}
