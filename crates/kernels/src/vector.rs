//! The network kernels, written once in the words of [`Lanes`].
//!
//! Sums stay in registers: a carried column is read once and written once however many columns are
//! added, and the bytes of the first layer are looked at while they are made. About two thirds of
//! those bytes are zero, so the layer visits only the groups of four that are not.
//!
//! No closures here and in the machines: they would not be compiled for the instruction set of the
//! kernel they stand in, and each instruction in them would become a call.

use crate::aligned::{Aligned, Column};
use crate::lanes::Lanes;
use crate::layers::{Affine, BLOCK, GROUP, Layers, MAX_OUTPUTS, ROUND};
use crate::scalar;
use std::mem::MaybeUninit;

/// How many vectors of a column are carried together; every machine has twice as many registers.
const BATCH: usize = 8;

#[inline(always)]
pub(crate) fn carry<L: Lanes, const N: usize>(
    isa: L,
    table: &[Column<N>],
    rows: (&[u32], &[u32]),
    from: &Column<N>,
    to: &mut Column<N>,
) {
    const { assert!(N.is_multiple_of(32), "columns are made of whole vectors") };
    let batches = N / L::WIDTH / BATCH;
    for batch in 0..batches {
        carry_at::<L, N, BATCH>(isa, table, rows, from, to, batch * BATCH * L::WIDTH);
    }
    for rest in batches * BATCH..N / L::WIDTH {
        carry_at::<L, N, 1>(isa, table, rows, from, to, rest * L::WIDTH);
    }
}

/// Carries `COUNT` vectors, the first of them at a multiple of the vector width.
#[inline(always)]
fn carry_at<L: Lanes, const N: usize, const COUNT: usize>(
    isa: L,
    table: &[Column<N>],
    (plus, minus): (&[u32], &[u32]),
    from: &Column<N>,
    to: &mut Column<N>,
    start: usize,
) {
    let mut sums = [vector_at(isa, from, start); COUNT];
    for (i, sum) in sums.iter_mut().enumerate() {
        *sum = vector_at(isa, from, start + i * L::WIDTH);
    }
    for &row in minus {
        let column = &table[row as usize];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = isa.minus(*sum, vector_at(isa, column, start + i * L::WIDTH));
        }
    }
    for &row in plus {
        let column = &table[row as usize];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = isa.plus(*sum, vector_at(isa, column, start + i * L::WIDTH));
        }
    }
    for (i, &sum) in sums.iter().enumerate() {
        let place = &mut to.0[start + i * L::WIDTH..][..L::WIDTH];
        // SAFETY: a vector of words; a column begins on a cache line and the place is a multiple of
        // the vector width.
        unsafe { isa.store(sum, place.as_mut_ptr()) };
    }
}

/// The vector at a multiple of the vector width.
#[inline(always)]
fn vector_at<L: Lanes, const N: usize>(isa: L, column: &Column<N>, at: usize) -> L::Vector {
    debug_assert!(at.is_multiple_of(L::WIDTH), "aligned like its column");
    let words = &column.0[at..][..L::WIDTH];
    // SAFETY: a vector of words; a column begins on a cache line and `at` is a multiple of the
    // vector width, as all callers count in vectors.
    unsafe { isa.load(words.as_ptr()) }
}

/// The inputs of the first layer: up to two times `N` bytes, and the groups of four that are not
/// zero. Behind the last byte there is room for a group of zeros.
#[repr(C, align(64))]
struct Inputs<const N: usize> {
    bytes: [[MaybeUninit<u8>; N]; 3],
    /// At most half as many groups as `N`, and room behind them for a whole vector of numbers.
    groups: [MaybeUninit<u16>; N],
    count: usize,
    written: usize,
}

impl<const N: usize> Inputs<N> {
    #[inline(always)]
    fn new() -> Self {
        const {
            assert!(
                N.is_multiple_of(128),
                "a vector of numbers fits behind the groups"
            )
        };
        Self {
            bytes: [[MaybeUninit::uninit(); N]; 3],
            groups: [MaybeUninit::uninit(); N],
            count: 0,
            written: 0,
        }
    }

    /// Appends a vector of bytes.
    #[inline(always)]
    fn push<L: Lanes>(&mut self, isa: L, bytes: L::Vector) {
        let width = 2 * L::WIDTH;
        assert!(self.written + width <= 2 * N, "room for another vector");
        let place = self.bytes.as_mut_ptr().cast::<u8>();
        // SAFETY: `width` bytes lie inside, by the assertion, from a multiple of `width` on. At most
        // `written / 4` numbers came before, so that half of `groups` is free behind them.
        unsafe {
            isa.store_bytes(bytes, place.add(self.written));
            let list = self.groups.as_mut_ptr().cast::<u16>().add(self.count);
            self.count += isa.list_groups(bytes, (self.written / GROUP) as u16, list);
        }
        self.written += width;
    }

    /// The groups in rounds, the last one filled up with a group of zeros. The four numbers of a
    /// round come in one word and in any order: it is loads that the first layer waits for.
    #[inline(always)]
    fn rounds(&mut self) -> impl Iterator<Item = u64> {
        assert!(self.written <= 2 * N, "a group behind the last");
        let count = self.count.div_ceil(ROUND);
        // SAFETY: the bytes behind the last and the words behind the last number are still in their
        // arrays. Every push writes the numbers that it counts, at most a quarter of `2 * N`, and
        // the last round is filled up here.
        unsafe {
            let zeros = self.bytes.as_mut_ptr().cast::<u8>().add(self.written);
            zeros.cast::<i32>().write(0);
            let numbers = self.groups.as_mut_ptr().cast::<u16>();
            let fill = [(self.written / GROUP) as u16; ROUND];
            numbers
                .add(self.count)
                .cast::<[u16; ROUND]>()
                .write_unaligned(fill);
            (0..count).map(move |i| numbers.cast::<u64>().add(i).read_unaligned())
        }
    }
}

/// Four bytes of the inputs.
///
/// # Safety
/// `number` was given out by [`Inputs::rounds`].
#[inline(always)]
unsafe fn group(bytes: *const u8, number: usize) -> i32 {
    // SAFETY: groups that are given out were written.
    unsafe { bytes.add(number * GROUP).cast::<i32>().read() }
}

#[inline(always)]
pub(crate) fn clipped<L: Lanes, const N: usize>(
    isa: L,
    halves: [&Column<N>; 2],
    layers: &Layers,
) -> i32 {
    assert_eq!(layers.first.inputs(), 2 * N, "the first layer fits");
    let mut inputs = Inputs::<N>::new();
    for half in halves {
        for at in (0..N).step_by(2 * L::WIDTH) {
            let words = vector_at(isa, half, at);
            inputs.push(isa, isa.clip(words, vector_at(isa, half, at + L::WIDTH)));
        }
    }
    match layers.first.blocks() {
        1 => clipped_above::<L, N, 1>(isa, &mut inputs, layers),
        2 => clipped_above::<L, N, 2>(isa, &mut inputs, layers),
        _ => clipped_above::<L, N, 4>(isa, &mut inputs, layers),
    }
}

#[inline(always)]
fn clipped_above<L: Lanes, const N: usize, const B: usize>(
    isa: L,
    inputs: &mut Inputs<N>,
    layers: &Layers,
) -> i32 {
    let sums = sparse::<L, N, B>(isa, &layers.first, inputs);
    let mut hidden = Aligned([0; MAX_OUTPUTS]);
    for (block, sums) in sums.into_iter().enumerate() {
        let place = hidden.0[block * BLOCK..].first_chunk_mut::<BLOCK>();
        let place = place.expect("at most four blocks");
        // SAFETY: sixteen bytes, at a multiple of 16 of an aligned array.
        unsafe { isa.store_small(isa.squash(sums), place.as_mut_ptr()) };
    }
    above(isa, layers, &hidden)
}

#[inline(always)]
pub(crate) fn paired<L: Lanes, const N: usize>(
    isa: L,
    halves: [&Column<N>; 2],
    layers: &Layers,
) -> i32 {
    assert_eq!(layers.first.inputs(), N, "the first layer fits");
    const {
        assert!(
            N.is_multiple_of(128),
            "half a column is made of whole pairs of vectors"
        )
    };
    let mut inputs = Inputs::<N>::new();
    for half in halves {
        for at in (0..N / 2).step_by(2 * L::WIDTH) {
            let first = product_at(isa, half, at);
            let second = product_at(isa, half, at + L::WIDTH);
            inputs.push(isa, isa.clip(first, second));
        }
    }
    let sums = match layers.first.blocks() {
        1 => stored(isa, sparse::<L, N, 1>(isa, &layers.first, &mut inputs)),
        2 => stored(isa, sparse::<L, N, 2>(isa, &layers.first, &mut inputs)),
        _ => stored(isa, sparse::<L, N, 4>(isa, &layers.first, &mut inputs)),
    };
    let mut hidden = Aligned([0; MAX_OUTPUTS]);
    for (i, &sum) in sums.0[..layers.hidden].iter().enumerate() {
        hidden.0[i] = scalar::square(sum);
        hidden.0[layers.hidden + i] = scalar::squash(sum);
    }
    let shortcut = if layers.has_shortcut {
        sums.0[layers.hidden]
    } else {
        0
    };
    above(isa, layers, &hidden).wrapping_add(shortcut)
}

/// The products of a vector of the first half of a column with its like in the second half.
#[inline(always)]
fn product_at<L: Lanes, const N: usize>(isa: L, column: &Column<N>, at: usize) -> L::Vector {
    isa.pair(
        vector_at(isa, column, at),
        vector_at(isa, column, N / 2 + at),
    )
}

#[inline(always)]
fn stored<L: Lanes, const B: usize>(isa: L, blocks: [L::Block; B]) -> Aligned<[i32; MAX_OUTPUTS]> {
    let mut sums = Aligned([0; MAX_OUTPUTS]);
    for (i, block) in blocks.into_iter().enumerate() {
        let place = sums.0[i * BLOCK..].first_chunk_mut::<BLOCK>();
        let place = place.expect("at most four blocks");
        // SAFETY: sixteen sums, at a multiple of sixteen of an aligned array.
        unsafe { isa.store_block(block, place.as_mut_ptr()) };
    }
    sums
}

/// The first layer: only groups that are not all zero are looked at.
#[inline(always)]
fn sparse<L: Lanes, const N: usize, const B: usize>(
    isa: L,
    layer: &Affine,
    inputs: &mut Inputs<N>,
) -> [L::Block; B] {
    match L::CHAINS {
        4 => sparse_by::<L, N, B, 4>(isa, layer, inputs),
        2 => sparse_by::<L, N, B, 2>(isa, layer, inputs),
        _ => sparse_by::<L, N, B, 1>(isa, layer, inputs),
    }
}

#[inline(always)]
fn sparse_by<L: Lanes, const N: usize, const B: usize, const CHAINS: usize>(
    isa: L,
    layer: &Affine,
    inputs: &mut Inputs<N>,
) -> [L::Block; B] {
    assert!(layer.weight_blocks().len() >= (inputs.written / GROUP + 1) * B);
    let weights = layer.weight_blocks().as_ptr();
    let bytes = inputs.bytes.as_ptr().cast::<u8>();
    let mut chains = [[isa.zero_block(); B]; CHAINS];
    chains[0] = bias::<L, B>(isa, layer);
    for numbers in inputs.rounds() {
        for i in 0..ROUND {
            let number = usize::from((numbers >> (16 * i)) as u16);
            // SAFETY: the number comes from a round.
            let group = unsafe { group(bytes, number) };
            for (block, sum) in chains[i % CHAINS].iter_mut().enumerate() {
                // SAFETY: there are `B` blocks for every group that was written and for the zeros
                // behind them, by the assertion.
                *sum = unsafe { isa.dot(*sum, group, weights.add(number * B + block).cast()) };
            }
        }
    }
    joined(isa, chains)
}

/// The chains, added.
#[inline(always)]
fn joined<L: Lanes, const B: usize, const CHAINS: usize>(
    isa: L,
    chains: [[L::Block; B]; CHAINS],
) -> [L::Block; B] {
    let mut joined = chains[0];
    for chain in &chains[1..] {
        for (sum, &block) in joined.iter_mut().zip(chain) {
            *sum = isa.add_blocks(*sum, block);
        }
    }
    joined
}

#[inline(always)]
fn bias<L: Lanes, const B: usize>(isa: L, layer: &Affine) -> [L::Block; B] {
    let mut blocks = [isa.zero_block(); B];
    for (block, biases) in blocks.iter_mut().zip(&layer.bias_blocks()[..B]) {
        // SAFETY: a block of biases is sixteen aligned sums.
        *block = unsafe { isa.load_block(biases.0.as_ptr()) };
    }
    blocks
}

/// The second and the third layer.
#[inline(always)]
fn above<L: Lanes>(isa: L, layers: &Layers, hidden: &Aligned<[u8; MAX_OUTPUTS]>) -> i32 {
    match layers.second.blocks() {
        1 => above_by::<L, 1>(isa, layers, hidden),
        2 => above_by::<L, 2>(isa, layers, hidden),
        _ => above_by::<L, 4>(isa, layers, hidden),
    }
}

#[inline(always)]
fn above_by<L: Lanes, const B: usize>(
    isa: L,
    layers: &Layers,
    hidden: &Aligned<[u8; MAX_OUTPUTS]>,
) -> i32 {
    let sums = match L::CHAINS {
        4 => dense::<L, B, 4>(isa, &layers.second, hidden),
        2 => dense::<L, B, 2>(isa, &layers.second, hidden),
        _ => dense::<L, B, 1>(isa, &layers.second, hidden),
    };
    let (last, _) = layers.last.0.as_chunks::<BLOCK>();
    let mut sum = isa.zero_block();
    for (&sums, weights) in sums.iter().zip(last) {
        // SAFETY: sixteen weights, at a multiple of sixteen of an aligned array.
        let products = unsafe { isa.weigh(isa.squash(sums), weights.as_ptr()) };
        sum = isa.add_blocks(sum, products);
    }
    layers.bias.wrapping_add(isa.total(sum))
}

/// A small layer: every group is looked at.
#[inline(always)]
fn dense<L: Lanes, const B: usize, const CHAINS: usize>(
    isa: L,
    layer: &Affine,
    inputs: &Aligned<[u8; MAX_OUTPUTS]>,
) -> [L::Block; B] {
    let mut chains = [[isa.zero_block(); B]; CHAINS];
    chains[0] = bias::<L, B>(isa, layer);
    let (groups, _) = inputs.0.as_chunks::<GROUP>();
    let (weights, _) = layer.weight_blocks().as_chunks::<B>();
    let rounds = groups
        .as_chunks::<ROUND>()
        .0
        .iter()
        .zip(weights.as_chunks::<ROUND>().0);
    for (groups, weights) in rounds.take(layer.inputs().div_ceil(GROUP * ROUND)) {
        for i in 0..ROUND {
            let group = i32::from_ne_bytes(groups[i]);
            for (sum, block) in chains[i % CHAINS].iter_mut().zip(&weights[i]) {
                // SAFETY: a block of weights is 64 aligned bytes.
                *sum = unsafe { isa.dot(*sum, group, block.0.as_ptr()) };
            }
        }
    }
    joined(isa, chains)
}

/// Makes an instruction set out of its lanes: each kernel compiled for exactly those features.
macro_rules! compile_for {
    ($isa:ident, $name:literal, $($feature:tt)+) => {
        impl $crate::isa::Isa for $isa {
            const NAME: &'static str = $name;

            #[inline]
            fn carry<const N: usize>(
                self,
                table: &[$crate::Column<N>],
                rows: (&[u32], &[u32]),
                from: &$crate::Column<N>,
                to: &mut $crate::Column<N>,
            ) {
                #[inline]
                #[target_feature($($feature)+)]
                fn fast<const N: usize>(
                    isa: $isa,
                    table: &[$crate::Column<N>],
                    rows: (&[u32], &[u32]),
                    from: &$crate::Column<N>,
                    to: &mut $crate::Column<N>,
                ) {
                    $crate::vector::carry(isa, table, rows, from, to);
                }
                // SAFETY: `self` proves that the machine has the features.
                unsafe { fast(self, table, rows, from, to) }
            }

            #[inline]
            fn clipped<const N: usize>(
                self,
                halves: [&$crate::Column<N>; 2],
                layers: &$crate::Layers,
            ) -> i32 {
                #[inline]
                #[target_feature($($feature)+)]
                fn fast<const N: usize>(
                    isa: $isa,
                    halves: [&$crate::Column<N>; 2],
                    layers: &$crate::Layers,
                ) -> i32 {
                    $crate::vector::clipped(isa, halves, layers)
                }
                // SAFETY: `self` proves that the machine has the features.
                unsafe { fast(self, halves, layers) }
            }

            #[inline]
            fn paired<const N: usize>(
                self,
                halves: [&$crate::Column<N>; 2],
                layers: &$crate::Layers,
            ) -> i32 {
                #[inline]
                #[target_feature($($feature)+)]
                fn fast<const N: usize>(
                    isa: $isa,
                    halves: [&$crate::Column<N>; 2],
                    layers: &$crate::Layers,
                ) -> i32 {
                    $crate::vector::paired(isa, halves, layers)
                }
                // SAFETY: `self` proves that the machine has the features.
                unsafe { fast(self, halves, layers) }
            }
        }
    };
}
pub(crate) use compile_for;
