//! The network kernels, written once in the words of [`Simd`].
//!
//! Sums stay in registers: an updated accumulator is read once and written once however many columns are
//! added, and the bytes of the first layer are looked at while they are made. About two thirds of
//! those bytes are zero, so the layer visits only the groups of four that are not.
//!
//! The networks are those of Nasu (2018); to visit only what is not zero is Stockfish's idea (2022).
//! Squared activations are SCReLU of chess engines (Whiting's akimbo 2023).
//!
//! No closures here and in the machines: they would not be compiled for the instruction set of the
//! kernel they stand in, and each instruction in them would become a call.

use crate::aligned::{Aligned, CHUNK, Chunk};
use crate::kernels::AccumulatorUpdate;
use crate::layers::{Affine, BLOCK, GROUP, Layers, MAX_OUTPUTS, ROUND};
use crate::scalar;
use crate::simd::Simd;
use std::mem::MaybeUninit;

/// The widest column that layers stand on, in words.
const WIDEST: usize = 2048;
/// The widest vector, in bytes.
const BYTES: usize = 64;
/// How many vectors of a column are carried together; every machine has twice as many registers.
const BATCH: usize = 8;

/// Calls a kernel with the width of its columns, in chunks. The widths of known networks are
/// constants in its code, so that its loops are unrolled; all others are told at run time.
macro_rules! with_known_width {
    ($width:expr, $kernel:ident($($argument:expr),+)) => {
        match $width {
            8 => $kernel($($argument),+, 8),
            16 => $kernel($($argument),+, 16),
            32 => $kernel($($argument),+, 32),
            48 => $kernel($($argument),+, 48),
            width => $kernel($($argument),+, width),
        }
    };
}

#[inline(always)]
pub(crate) fn update_accumulator<L: Simd>(isa: L, update: &mut AccumulatorUpdate) {
    let AccumulatorUpdate {
        table,
        rows,
        from,
        ref mut to,
    } = *update;
    // A move, and a capture: how many columns there are is a constant in their code.
    match rows {
        (&[plus], &[minus]) => {
            with_known_width!(
                from.len(),
                update_all(isa, table, (&[plus], &[minus]), from, to)
            );
        }
        (&[a, b], &[c, d]) => {
            with_known_width!(
                from.len(),
                update_all(isa, table, (&[a, b], &[c, d]), from, to)
            );
        }
        _ => update_all(isa, table, rows, from, to, from.len()),
    }
}

#[inline(always)]
fn update_all<L: Simd>(
    isa: L,
    table: &[Chunk],
    rows: (&[u32], &[u32]),
    from: &[Chunk],
    to: &mut [Chunk],
    width: usize,
) {
    let (from, to) = (&from[..width], &mut to[..width]);
    let vectors = width * CHUNK / L::WIDTH;
    let batches = vectors / BATCH;
    for batch in 0..batches {
        update_at::<L, BATCH>(isa, table, rows, from, to, batch * BATCH * L::WIDTH);
    }
    for rest in batches * BATCH..vectors {
        update_at::<L, 1>(isa, table, rows, from, to, rest * L::WIDTH);
    }
}

/// Carries `COUNT` vectors, the first of them at a multiple of the vector width.
#[inline(always)]
fn update_at<L: Simd, const COUNT: usize>(
    isa: L,
    table: &[Chunk],
    (plus, minus): (&[u32], &[u32]),
    from: &[Chunk],
    to: &mut [Chunk],
    start: usize,
) {
    let mut sums = vectors_at::<L, COUNT>(isa, from, start);
    for &row in minus {
        let column = &table[row as usize * from.len()..][..from.len()];
        let vectors = vectors_at::<L, COUNT>(isa, column, start);
        for (sum, vector) in sums.iter_mut().zip(vectors) {
            *sum = isa.minus(*sum, vector);
        }
    }
    for &row in plus {
        let column = &table[row as usize * from.len()..][..from.len()];
        let vectors = vectors_at::<L, COUNT>(isa, column, start);
        for (sum, vector) in sums.iter_mut().zip(vectors) {
            *sum = isa.plus(*sum, vector);
        }
    }
    assert!(start + COUNT * L::WIDTH <= to.len() * CHUNK, "inside");
    for (i, &sum) in sums.iter().enumerate() {
        let place = to.as_mut_ptr().cast::<i16>();
        // SAFETY: a vector of words, inside by the assertion; a column begins on a cache line and
        // the place is a multiple of the vector width.
        unsafe { isa.store(sum, place.add(start + i * L::WIDTH)) };
    }
}

/// Some vectors of a column, the first of them at a multiple of the vector width.
#[inline(always)]
fn vectors_at<L: Simd, const COUNT: usize>(
    isa: L,
    column: &[Chunk],
    start: usize,
) -> [L::Vector; COUNT] {
    debug_assert!(start.is_multiple_of(L::WIDTH), "aligned like its column");
    assert!(start + COUNT * L::WIDTH <= column.len() * CHUNK, "inside");
    let words = column.as_ptr().cast::<i16>();
    // SAFETY: a vector of words, inside by the assertion; a column begins on a cache line and all
    // callers count in vectors.
    let mut vectors = [unsafe { isa.load(words.add(start)) }; COUNT];
    for (i, vector) in vectors.iter_mut().enumerate() {
        // SAFETY: as above.
        *vector = unsafe { isa.load(words.add(start + i * L::WIDTH)) };
    }
    vectors
}

/// Room for the inputs of the first layer as bytes, and for the groups of four that are not zero.
#[repr(C, align(64))]
struct Inputs {
    /// Behind the last byte there is room for a group of zeros.
    bytes: [MaybeUninit<u8>; 2 * WIDEST + BYTES],
    /// One number for each group, and room behind them for a whole vector of numbers.
    groups: [MaybeUninit<u16>; 2 * WIDEST / GROUP + BYTES],
}

/// How far the inputs are filled. It stands by itself so that it stays in registers.
#[derive(Clone, Copy)]
struct Filled {
    groups: usize,
    bytes: usize,
}

impl Inputs {
    #[inline(always)]
    fn new() -> Self {
        Self {
            bytes: [MaybeUninit::uninit(); 2 * WIDEST + BYTES],
            groups: [MaybeUninit::uninit(); 2 * WIDEST / GROUP + BYTES],
        }
    }

    /// Appends a vector of bytes.
    #[inline(always)]
    fn push<L: Simd>(&mut self, isa: L, filled: Filled, bytes: L::Vector) -> Filled {
        let width = 2 * L::WIDTH;
        assert!(
            filled.bytes + width <= 2 * WIDEST,
            "room for another vector"
        );
        debug_assert!(filled.groups <= filled.bytes / GROUP, "made by `push`");
        let place = self.bytes.as_mut_ptr().cast::<u8>();
        // SAFETY: `width` bytes lie inside, by the assertion, from a multiple of `width` on. At most
        // a quarter as many numbers came before, so that `BYTES` numbers have room behind them.
        let more = unsafe {
            isa.store_bytes(bytes, place.add(filled.bytes));
            let list = self.groups.as_mut_ptr().cast::<u16>().add(filled.groups);
            isa.list_groups(bytes, (filled.bytes / GROUP) as u16, list)
        };
        Filled {
            groups: filled.groups + more,
            bytes: filled.bytes + width,
        }
    }

    /// The groups in rounds, the last one filled up with a group of zeros. The four numbers of a
    /// round come in one word and in any order: it is loads that the first layer waits for.
    #[inline(always)]
    fn rounds(&mut self, filled: Filled) -> impl Iterator<Item = u64> {
        assert!(filled.bytes <= 2 * WIDEST, "a group behind the last");
        let count = filled.groups.div_ceil(ROUND);
        // SAFETY: the bytes behind the last and the words behind the last number are still in their
        // arrays. Every push writes the numbers that it counts, at most a quarter of the bytes, and
        // the last round is filled up here.
        unsafe {
            let zeros = self.bytes.as_mut_ptr().cast::<u8>().add(filled.bytes);
            zeros.cast::<i32>().write(0);
            let numbers = self.groups.as_mut_ptr().cast::<u16>();
            let fill = [(filled.bytes / GROUP) as u16; ROUND];
            numbers
                .add(filled.groups)
                .cast::<[u16; ROUND]>()
                .write_unaligned(fill);
            (0..count).map(move |i| numbers.cast::<u64>().add(i).read_unaligned())
        }
    }
}

impl Filled {
    const EMPTY: Self = Self {
        groups: 0,
        bytes: 0,
    };
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
pub(crate) fn forward_clipped<L: Simd>(
    isa: L,
    own: &[Chunk],
    other: &[Chunk],
    layers: &Layers,
) -> i32 {
    let halves = [own, other];
    let mut inputs = Inputs::new();
    let filled = with_known_width!(halves[0].len(), clip_all(isa, halves, &mut inputs));
    clipped_above(isa, (&mut inputs, filled), layers)
}

#[inline(always)]
pub(crate) fn forward_squared<L: Simd>(
    isa: L,
    own: &[Chunk],
    other: &[Chunk],
    layers: &Layers,
) -> i32 {
    let halves = [own, other];
    let mut inputs = Inputs::new();
    let filled = with_known_width!(halves[0].len(), square_all(isa, halves, &mut inputs));
    clipped_above(isa, (&mut inputs, filled), layers)
}

#[inline(always)]
fn clipped_above<L: Simd>(isa: L, inputs: (&mut Inputs, Filled), layers: &Layers) -> i32 {
    assert_eq!(
        layers.first.inputs(),
        inputs.1.bytes,
        "the first layer fits"
    );
    match layers.first.blocks() {
        1 => forward_clipped_above::<L, 1>(isa, inputs, layers),
        2 => forward_clipped_above::<L, 2>(isa, inputs, layers),
        _ => forward_clipped_above::<L, 4>(isa, inputs, layers),
    }
}

/// Each word multiplied with itself.
#[inline(always)]
fn square_all<L: Simd>(isa: L, halves: [&[Chunk]; 2], inputs: &mut Inputs, width: usize) -> Filled {
    let mut filled = Filled::EMPTY;
    for half in halves {
        let half = &half[..width];
        for at in (0..width * CHUNK).step_by(2 * L::WIDTH) {
            let [a, b] = vectors_at::<L, 2>(isa, half, at);
            let squares = isa.clip(isa.pairwise(a, a), isa.pairwise(b, b));
            filled = inputs.push(isa, filled, squares);
        }
    }
    filled
}

#[inline(always)]
fn clip_all<L: Simd>(isa: L, halves: [&[Chunk]; 2], inputs: &mut Inputs, width: usize) -> Filled {
    let mut filled = Filled::EMPTY;
    for half in halves {
        let half = &half[..width];
        for at in (0..width * CHUNK).step_by(2 * L::WIDTH) {
            let [first, second] = vectors_at::<L, 2>(isa, half, at);
            filled = inputs.push(isa, filled, isa.clip(first, second));
        }
    }
    filled
}

#[inline(always)]
fn forward_clipped_above<L: Simd, const B: usize>(
    isa: L,
    inputs: (&mut Inputs, Filled),
    layers: &Layers,
) -> i32 {
    let sums = sparse::<L, B>(isa, &layers.first, inputs);
    let mut hidden = Aligned([0; MAX_OUTPUTS]);
    for (block, sums) in sums.into_iter().enumerate() {
        let place = hidden.0[block * BLOCK..].first_chunk_mut::<BLOCK>();
        let place = place.expect("at most four blocks");
        // SAFETY: sixteen bytes, at a multiple of 16 of an aligned array.
        unsafe { isa.store_small(isa.clipped_relu(sums), place.as_mut_ptr()) };
    }
    above(isa, layers, &hidden)
}

#[inline(always)]
pub(crate) fn forward_pairwise<L: Simd>(
    isa: L,
    own: &[Chunk],
    other: &[Chunk],
    layers: &Layers,
) -> i32 {
    let halves = [own, other];
    let mut inputs = Inputs::new();
    let filled = with_known_width!(halves[0].len(), pairwise_all(isa, halves, &mut inputs));
    assert_eq!(layers.first.inputs(), filled.bytes, "the first layer fits");
    let sums = match layers.first.blocks() {
        1 => stored(
            isa,
            sparse::<L, 1>(isa, &layers.first, (&mut inputs, filled)),
        ),
        2 => stored(
            isa,
            sparse::<L, 2>(isa, &layers.first, (&mut inputs, filled)),
        ),
        _ => stored(
            isa,
            sparse::<L, 4>(isa, &layers.first, (&mut inputs, filled)),
        ),
    };
    let mut hidden = Aligned([0; MAX_OUTPUTS]);
    for (i, &sum) in sums.0[..layers.hidden].iter().enumerate() {
        hidden.0[i] = scalar::squared_clipped_relu(sum);
        hidden.0[layers.hidden + i] = scalar::clipped_relu(sum);
    }
    let skip = if layers.has_skip {
        sums.0[layers.hidden]
    } else {
        0
    };
    above(isa, layers, &hidden).wrapping_add(skip)
}

/// The products of the first half of each column with the second.
#[inline(always)]
fn pairwise_all<L: Simd>(
    isa: L,
    halves: [&[Chunk]; 2],
    inputs: &mut Inputs,
    width: usize,
) -> Filled {
    let mut filled = Filled::EMPTY;
    assert!(width.is_multiple_of(4), "whole pairs of vectors");
    for half in halves {
        let (left, right) = half[..width].split_at(width / 2);
        for at in (0..width / 2 * CHUNK).step_by(2 * L::WIDTH) {
            let [a, b] = vectors_at::<L, 2>(isa, left, at);
            let [c, d] = vectors_at::<L, 2>(isa, right, at);
            filled = inputs.push(
                isa,
                filled,
                isa.clip(isa.pairwise(a, c), isa.pairwise(b, d)),
            );
        }
    }
    filled
}

#[inline(always)]
fn stored<L: Simd, const B: usize>(isa: L, blocks: [L::Block; B]) -> Aligned<[i32; MAX_OUTPUTS]> {
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
fn sparse<L: Simd, const B: usize>(
    isa: L,
    layer: &Affine,
    inputs: (&mut Inputs, Filled),
) -> [L::Block; B] {
    match L::CHAINS {
        4 => sparse_by::<L, B, 4>(isa, layer, inputs),
        2 => sparse_by::<L, B, 2>(isa, layer, inputs),
        _ => sparse_by::<L, B, 1>(isa, layer, inputs),
    }
}

#[inline(always)]
fn sparse_by<L: Simd, const B: usize, const CHAINS: usize>(
    isa: L,
    layer: &Affine,
    (inputs, filled): (&mut Inputs, Filled),
) -> [L::Block; B] {
    assert!(layer.weight_blocks().len() >= (filled.bytes / GROUP + 1) * B);
    let weights = layer.weight_blocks().as_ptr();
    let bytes = inputs.bytes.as_ptr().cast::<u8>();
    let mut chains = [[isa.zero_block(); B]; CHAINS];
    chains[0] = bias::<L, B>(isa, layer);
    for numbers in inputs.rounds(filled) {
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
fn joined<L: Simd, const B: usize, const CHAINS: usize>(
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
fn bias<L: Simd, const B: usize>(isa: L, layer: &Affine) -> [L::Block; B] {
    let mut blocks = [isa.zero_block(); B];
    for (block, biases) in blocks.iter_mut().zip(&layer.bias_blocks()[..B]) {
        // SAFETY: a block of biases is sixteen aligned sums.
        *block = unsafe { isa.load_block(biases.0.as_ptr()) };
    }
    blocks
}

/// The second and the third layer.
#[inline(always)]
fn above<L: Simd>(isa: L, layers: &Layers, hidden: &Aligned<[u8; MAX_OUTPUTS]>) -> i32 {
    match layers.second.blocks() {
        1 => above_by::<L, 1>(isa, layers, hidden),
        2 => above_by::<L, 2>(isa, layers, hidden),
        _ => above_by::<L, 4>(isa, layers, hidden),
    }
}

#[inline(always)]
fn above_by<L: Simd, const B: usize>(
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
        let products = unsafe { isa.weigh(isa.clipped_relu(sums), weights.as_ptr()) };
        sum = isa.add_blocks(sum, products);
    }
    layers.bias.wrapping_add(isa.total(sum))
}

/// A small layer: every group is looked at.
#[inline(always)]
fn dense<L: Simd, const B: usize, const CHAINS: usize>(
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

/// Makes kernels out of the vectors of an instruction set: each compiled for exactly those features.
macro_rules! compile_for {
    ($isa:ident, $($feature:tt)+) => {
        impl $isa {
            /// Its kernels, if the machine has it.
            pub(crate) fn kernels() -> Option<$crate::kernels::Kernels> {
                use $crate::{aligned::Chunk, kernels::AccumulatorUpdate, layers::Layers, network};

                #[target_feature($($feature)+)]
                fn fast_update(update: &mut AccumulatorUpdate) {
                    network::update_accumulator($isa(()), update);
                }
                #[target_feature($($feature)+)]
                fn fast_forward_clipped(own: &[Chunk], other: &[Chunk], layers: &Layers) -> i32 {
                    network::forward_clipped($isa(()), own, other, layers)
                }
                #[target_feature($($feature)+)]
                fn fast_forward_squared(own: &[Chunk], other: &[Chunk], layers: &Layers) -> i32 {
                    network::forward_squared($isa(()), own, other, layers)
                }
                #[target_feature($($feature)+)]
                fn fast_forward_pairwise(own: &[Chunk], other: &[Chunk], layers: &Layers) -> i32 {
                    network::forward_pairwise($isa(()), own, other, layers)
                }
                $isa::new()?;
                Some($crate::kernels::Kernels {
                    // SAFETY: `new` has proved that the machine has the features, here and below.
                    update_accumulator: |update| unsafe { fast_update(update) },
                    // SAFETY: see above.
                    forward_clipped: |own, other, layers| unsafe { fast_forward_clipped(own, other, layers) },
                    // SAFETY: see above.
                    forward_squared: |own, other, layers| unsafe { fast_forward_squared(own, other, layers) },
                    // SAFETY: see above.
                    forward_pairwise: |own, other, layers| unsafe { fast_forward_pairwise(own, other, layers) },
                })
            }
        }
    };
}
pub(crate) use compile_for;
