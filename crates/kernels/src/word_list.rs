//! A list of 16-bit words on the stack that whole sets can be appended to.
//!
//! That a set need not be walked bit by bit to become a list is known from Lemire's and others'
//! work on decoding bitsets.

#[cfg(not(target_feature = "avx512vbmi2"))]
use crate::scalar;
use crate::types::Bits;
use std::mem::MaybeUninit;

/// Room that a wide store may touch behind the last word.
const SLACK: usize = 128;

/// Up to `N - 128` words without allocation; the last 128 places are room for wide stores.
pub struct WordList<const N: usize> {
    len: usize,
    words: [MaybeUninit<u16>; N],
}

impl<const N: usize> WordList<N> {
    /// An empty list; nothing is written until words are pushed.
    #[inline]
    pub const fn new() -> Self {
        Self {
            len: 0,
            words: [MaybeUninit::uninit(); N],
        }
    }

    /// How many words there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all words.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Forgets the words behind the first `len`.
    #[inline]
    pub const fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
        }
    }

    /// The words, in the order they came.
    #[inline]
    pub const fn as_slice(&self) -> &[u16] {
        // SAFETY: every push writes a word before it raises `len` over it, and `len <= N`.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len) }
    }

    /// The words, to be reordered or replaced.
    #[inline]
    pub const fn as_mut_slice(&mut self) -> &mut [u16] {
        // SAFETY: as in `as_slice`; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.len) }
    }

    /// Appends one word.
    ///
    /// # Panics
    /// If the list is full.
    #[inline(always)]
    pub const fn push(&mut self, word: u16) {
        self.words[self.len] = MaybeUninit::new(word);
        self.len += 1;
    }

    /// Appends `number + base` for every member of a small set.
    /// Of the second word of the set only the lower half is looked at: a board needs 18 bits there.
    ///
    /// # Panics
    /// If the list could overflow.
    #[inline(always)]
    pub fn push_few(&mut self, set: Bits, base: u16) {
        #[cfg(target_feature = "avx512vbmi2")]
        self.push_wide::<1>(set, &[base]);
        #[cfg(not(target_feature = "avx512vbmi2"))]
        self.push_each(set, |number| number.wrapping_add(base));
    }

    /// Appends `number * 129 + base` for every member of a small set: the number stands in the word
    /// twice, once in the lowest seven bits and once in the next seven.
    ///
    /// # Panics
    /// If the list could overflow.
    #[inline(always)]
    pub fn push_steps(&mut self, set: Bits, base: u16) {
        #[cfg(target_feature = "avx512vbmi2")]
        self.push_wide::<129>(set, &[base]);
        #[cfg(not(target_feature = "avx512vbmi2"))]
        self.push_each(set, |number| (number * 129).wrapping_add(base));
    }

    /// Appends `number + base` for every member of a set that may be large, for one base after the
    /// other.
    ///
    /// # Panics
    /// If the list could overflow.
    #[inline(always)]
    pub fn push_set(&mut self, set: Bits, bases: &[u16]) {
        #[cfg(target_feature = "avx512vbmi2")]
        self.push_wide::<1>(set, bases);
        #[cfg(not(target_feature = "avx512vbmi2"))]
        self.push_eights(set, bases);
    }

    /// Appends `number + base` for the first `count` numbers, which are written 32 at a time: the
    /// numbers behind them, up to a multiple of 32, must be there but mean nothing.
    ///
    /// # Panics
    /// If the list could overflow, or there are not as many numbers.
    #[inline(always)]
    pub fn push_sums(&mut self, numbers: &[u16], count: usize, base: u16) {
        let (chunks, _) = numbers.as_chunks::<32>();
        let (room, _) = self.words[self.len..].as_chunks_mut::<32>();
        let full = count.div_ceil(32);
        for (room, numbers) in room[..full].iter_mut().zip(&chunks[..full]) {
            *room = numbers.map(|number| MaybeUninit::new(number.wrapping_add(base)));
        }
        self.len += count;
    }

    #[cfg(target_feature = "avx512vbmi2")]
    #[inline(always)]
    fn push_wide<const SCALE: u16>(&mut self, set: Bits, bases: &[u16]) {
        let wide = avx512::Members::new::<SCALE>(set);
        for &base in bases {
            assert!(self.len + SLACK <= N, "a list of words is full");
            // SAFETY: 128 places from `len` on lie inside the array, by the assertion.
            unsafe { wide.store(base, self.words.as_mut_ptr().add(self.len).cast()) };
            self.len += wide.count;
        }
    }

    /// One word for each member of a small set; the room is measured once for all of them.
    #[cfg(not(target_feature = "avx512vbmi2"))]
    #[inline(always)]
    fn push_each(&mut self, set: Bits, word: impl Fn(u16) -> u16) {
        let room = self.words[self.len..].first_chunk_mut::<SLACK>();
        let room = room.expect("a list of words has room");
        let mut count = 0;
        scalar::each(set, |number| {
            room[count & 127] = MaybeUninit::new(word(number));
            count += 1;
        });
        self.len += count;
    }

    /// Eight numbers at a time: a table tells which of them are members, a store of eight words
    /// writes them, and the next store begins behind the last member. Then every base is added.
    #[cfg(not(target_feature = "avx512vbmi2"))]
    #[inline]
    fn push_eights(&mut self, set: Bits, bases: &[u16]) {
        let mut members = [0u16; 104];
        let mut count = 0;
        for (word, start, bytes) in [(set[0], 0, 8), (set[1], crate::types::LOW_BITS as u16, 4)] {
            for byte in 0..bytes {
                let eight = (word >> (8 * byte)) as u8;
                // At most 88 members came before, so that eight more places are always there.
                let place = members[count.min(96)..].first_chunk_mut::<8>();
                *place.expect("eight places") =
                    EIGHTS[usize::from(eight)].map(|number| number + start + 8 * byte);
                count += eight.count_ones() as usize;
            }
        }
        for &base in bases {
            let room = self.words[self.len..].first_chunk_mut::<SLACK>();
            let (room, _) = room.expect("a list of words has room").as_chunks_mut::<8>();
            let (eights, _) = members.as_chunks::<8>();
            for (place, eight) in room.iter_mut().zip(eights).take(count.div_ceil(8)) {
                *place = eight.map(|number| MaybeUninit::new(number.wrapping_add(base)));
            }
            self.len += count;
        }
    }
}

/// The members of each set of eight, in order; zeros behind them.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    not(target_feature = "avx512vbmi2")
))]
pub(crate) static EIGHTS: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if set >> bit & 1 == 1 {
                table[set][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

impl<const N: usize> Default for WordList<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Clone for WordList<N> {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        for &word in self.as_slice() {
            copy.push(word);
        }
        copy
    }
}

#[cfg(target_feature = "avx512vbmi2")]
mod avx512 {
    //! A set becomes a list of its members by one compression per word.
    use crate::types::{Bits, LOW_BITS, LOWER_HALF};
    use std::arch::x86_64::*;

    /// The members of a set, as 16-bit lanes.
    pub(super) struct Members {
        low: [__m512i; 2],
        high: __m512i,
        low_count: usize,
        pub(super) count: usize,
    }

    const NUMBERS: [u8; 128] = {
        let mut numbers = [0; 128];
        let mut i = 0;
        while i < 128 {
            numbers[i] = i as u8;
            i += 1;
        }
        numbers
    };

    impl Members {
        #[inline(always)]
        pub(super) fn new<const SCALE: u16>(set: Bits) -> Self {
            // SAFETY: VBMI2 by `cfg` of this module, and it implies AVX-512 BW; 64 bytes are
            // readable from 0 and from 63 on.
            unsafe {
                let set = [set[0], set[1] & LOWER_HALF];
                let low = compress(set[0], NUMBERS.as_ptr());
                let high = compress(set[1], NUMBERS.as_ptr().add(LOW_BITS));
                let low_count = set[0].count_ones() as usize;
                Self {
                    low: [
                        scaled::<SCALE>(_mm512_castsi512_si256(low)),
                        scaled::<SCALE>(_mm512_extracti64x4_epi64::<1>(low)),
                    ],
                    high: scaled::<SCALE>(_mm512_castsi512_si256(high)),
                    low_count,
                    count: low_count + set[1].count_ones() as usize,
                }
            }
        }

        /// Writes every member plus `base`, and rubbish behind them.
        ///
        /// # Safety
        /// 128 words from `out` on are writable.
        #[inline(always)]
        pub(super) unsafe fn store(&self, base: u16, out: *mut u16) {
            // SAFETY: at most 64 + 32 words from `out` on, writable by the caller's promise.
            unsafe {
                let base = _mm512_set1_epi16(base as i16);
                _mm512_storeu_si512(out.cast(), _mm512_add_epi16(self.low[0], base));
                if self.low_count > 32 {
                    _mm512_storeu_si512(out.add(32).cast(), _mm512_add_epi16(self.low[1], base));
                }
                let high = out.add(self.low_count);
                _mm512_storeu_si512(high.cast(), _mm512_add_epi16(self.high, base));
            }
        }
    }

    /// # Safety
    /// 64 bytes from `numbers` on are readable.
    #[inline(always)]
    unsafe fn compress(set: u64, numbers: *const u8) -> __m512i {
        // SAFETY: the caller has 64 readable bytes at `numbers`.
        unsafe { _mm512_maskz_compress_epi8(set, _mm512_loadu_si512(numbers.cast())) }
    }

    /// # Safety
    /// The machine has AVX-512 BW.
    #[inline(always)]
    unsafe fn scaled<const SCALE: u16>(numbers: __m256i) -> __m512i {
        // SAFETY: AVX-512 BW by `cfg` of this module; register arithmetic only.
        unsafe {
            let wide = _mm512_cvtepu8_epi16(numbers);
            match SCALE {
                1 => wide,
                129 => _mm512_or_si512(wide, _mm512_slli_epi16::<7>(wide)),
                _ => _mm512_mullo_epi16(wide, _mm512_set1_epi16(SCALE as i16)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar;
    use proptest::prelude::*;

    fn plain(set: Bits, scale: u16, bases: &[u16]) -> Vec<u16> {
        let mut words = Vec::new();
        for &base in bases {
            scalar::each(set, |number| {
                words.push((number * scale).wrapping_add(base))
            });
        }
        words
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]
        #[test]
        fn fast_lists_equal_plain_lists(
            before in 0usize..5,
            low in 0u64..1 << 63,
            high in 0u64..1 << 18,
            bases in proptest::collection::vec((0u16..128).prop_map(|b| b << 7), 0..5),
        ) {
            let mut list = WordList::<768>::new();
            let mut expected = vec![7; before];
            expected.iter().for_each(|&word| list.push(word));
            list.push_set([low, high], &bases);
            list.push_few([low, high], 128);
            list.push_steps([low, high], 0xff80);
            expected.extend(plain([low, high], 1, &bases));
            expected.extend(plain([low, high], 1, &[128]));
            expected.extend(plain([low, high], 129, &[0xff80]));
            prop_assert_eq!(list.as_slice(), expected);
        }
    }

    #[test]
    #[should_panic]
    fn a_full_list_refuses_more() {
        let mut list = WordList::<300>::new();
        for _ in 0..4 {
            list.push_set([u64::MAX >> 1, 0x3ffff], &[0]);
        }
    }
}
