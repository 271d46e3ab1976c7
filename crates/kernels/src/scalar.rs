//! The plain loops: the meaning of every kernel.

use crate::aligned::Chunk;
use crate::layers::{Affine, BLOCK, GROUP, Layers, MAX_OUTPUTS};
use crate::types::{Bits, LOW_BITS, LOWER_HALF, Rays, ScoreBlock};

/// Where the four rays of a slider end: each runs up to the first occupied square, included.
#[inline]
pub fn slide(rays: &Rays, occupied: Bits) -> Bits {
    let [a, b] = [
        ahead(rays.ahead[0], occupied),
        ahead(rays.ahead[1], occupied),
    ];
    let [c, d] = [back(rays.back[0], occupied), back(rays.back[1], occupied)];
    [a[0] | b[0] | c[0] | d[0], a[1] | b[1] | c[1] | d[1]]
}

/// A ray towards higher numbers, cut behind its lowest obstacle.
#[inline]
fn ahead(ray: Bits, occupied: Bits) -> Bits {
    let [low, high] = [ray[0] & occupied[0], ray[1] & occupied[1]];
    // Subtracting one flips every bit up to the lowest obstacle; the borrow carries the ray on.
    let (below, open) = low.overflowing_sub(1);
    let beyond = high.wrapping_sub(u64::from(open));
    [ray[0] & (low ^ below), ray[1] & (high ^ beyond)]
}

/// A ray towards lower numbers, cut behind its highest obstacle.
#[inline]
fn back(ray: Bits, occupied: Bits) -> Bits {
    let [low, high] = [ray[0] & occupied[0], ray[1] & occupied[1]];
    let open = if high == 0 { u64::MAX } else { 0 };
    [ray[0] & down_to(low) & open, ray[1] & down_to(high)]
}

/// Every bit from the top down to the highest bit of `obstacles`; all bits if there is none.
#[inline]
pub fn down_to(obstacles: u64) -> u64 {
    (i64::MIN >> (obstacles | 1).leading_zeros()) as u64
}

/// Calls `f` with every member of a set, in order. Only the lower half of the second word counts.
#[inline(always)]
pub fn each(set: Bits, mut f: impl FnMut(u16)) {
    for (word, start) in [(set[0], 0), (set[1] & LOWER_HALF, LOW_BITS as u16)] {
        let mut rest = word;
        while rest != 0 {
            f(start + rest.trailing_zeros() as u16);
            rest &= rest - 1;
        }
    }
}

/// Toggles one set in some groups and another set in others; bit `i` of a mask names group `i`.
#[inline]
pub fn toggled(groups: &[Bits; 8], first: (Bits, u8), second: (Bits, u8)) -> [Bits; 8] {
    std::array::from_fn(|i| {
        let chosen = |(set, mask): (Bits, u8), word: usize| {
            set[word] & u64::from(mask >> i & 1).wrapping_neg()
        };
        [0, 1].map(|word| groups[i][word] ^ chosen(first, word) ^ chosen(second, word))
    })
}

/// The members of `foes` that stand where they are watched: the sum over the first five groups, and
/// the sum over the last three.
#[inline]
pub fn threats(groups: &[Bits; 8], watched: &[Bits; 8], foes: Bits) -> [Bits; 2] {
    let mut sums = [[0; 2]; 2];
    for (i, (group, watch)) in groups.iter().zip(watched).enumerate() {
        for word in 0..2 {
            sums[i / 5][word] |= group[word] & watch[word] & foes[word];
        }
    }
    sums
}

/// An accumulator brought up to date: `from`, plus the columns named by `plus`, minus those named by
/// `minus`. Sums wrap around.
pub(crate) fn update_accumulator(
    table: &[Chunk],
    (plus, minus): (&[u32], &[u32]),
    from: &[Chunk],
    to: &mut [Chunk],
) {
    to.copy_from_slice(from);
    let column = |row: u32| words(&table[row as usize * from.len()..][..from.len()]);
    for &row in plus {
        for (sum, weight) in to
            .iter_mut()
            .flat_map(|chunk| &mut chunk.0)
            .zip(column(row))
        {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for &row in minus {
        for (sum, weight) in to
            .iter_mut()
            .flat_map(|chunk| &mut chunk.0)
            .zip(column(row))
        {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

/// Three layers on two sums of columns, each word cut to 0 to 127.
pub(crate) fn forward_clipped(halves: [&[Chunk]; 2], layers: &Layers) -> i32 {
    let words = halves.into_iter().flat_map(words);
    clipped_above(words.map(|&word| i32::from(word.clamp(0, 127))), layers)
}

/// Three layers on two sums of columns, each word cut to 0 to 127, squared and divided by 128.
pub(crate) fn forward_squared(halves: [&[Chunk]; 2], layers: &Layers) -> i32 {
    let words = halves.into_iter().flat_map(words);
    let clipped = words.map(|&word| i32::from(word.clamp(0, 127)));
    clipped_above(clipped.map(|input| (input * input) >> 7), layers)
}

/// Three layers, with sums cut to 0 to 127 between them.
fn clipped_above(inputs: impl Iterator<Item = i32>, layers: &Layers) -> i32 {
    let mut sums = biases(&layers.first);
    for (i, input) in inputs.enumerate() {
        add_input(&layers.first, i, input, &mut sums);
    }
    let mut hidden = [0; MAX_OUTPUTS];
    for (input, &sum) in hidden.iter_mut().zip(&sums).take(layers.hidden) {
        *input = clipped_relu(sum);
    }
    above(layers, &hidden)
}

/// Three layers on two sums of columns. The first half of each, cut to 0 to 127, is multiplied with
/// the second, and the product divided by 128. What the first layer gives goes on twice: squared,
/// and as it is.
pub(crate) fn forward_pairwise(halves: [&[Chunk]; 2], layers: &Layers) -> i32 {
    let mut sums = biases(&layers.first);
    let products = halves.into_iter().flat_map(|half| {
        let (left, right) = half.split_at(half.len() / 2);
        words(left).zip(words(right))
    });
    for (i, (&a, &b)) in products.enumerate() {
        let input = (i32::from(a.clamp(0, 127)) * i32::from(b.clamp(0, 127))) >> 7;
        add_input(&layers.first, i, input, &mut sums);
    }
    let mut hidden = [0; MAX_OUTPUTS];
    for (i, &sum) in sums[..layers.hidden].iter().enumerate() {
        hidden[i] = squared_clipped_relu(sum);
        hidden[layers.hidden + i] = clipped_relu(sum);
    }
    let skip = if layers.has_skip {
        sums[layers.hidden]
    } else {
        0
    };
    above(layers, &hidden).wrapping_add(skip)
}

fn words(chunks: &[Chunk]) -> impl Iterator<Item = &i16> {
    chunks.iter().flat_map(|chunk| &chunk.0)
}

/// The second and the third layer.
fn above(layers: &Layers, hidden: &[u8; MAX_OUTPUTS]) -> i32 {
    let mut sums = biases(&layers.second);
    for (i, &input) in hidden.iter().enumerate().take(layers.second.inputs()) {
        add_input(&layers.second, i, i32::from(input), &mut sums);
    }
    let products = layers
        .last
        .0
        .iter()
        .zip(&sums)
        .map(|(weight, &sum)| weight * i32::from(clipped_relu(sum)));
    layers.bias.wrapping_add(products.sum())
}

fn biases(layer: &Affine) -> [i32; MAX_OUTPUTS] {
    let mut sums = [0; MAX_OUTPUTS];
    for (sums, biases) in sums.chunks_exact_mut(BLOCK).zip(layer.bias_blocks()) {
        sums.copy_from_slice(&biases.0);
    }
    sums
}

/// Adds one input, times its weight, to every output.
fn add_input(layer: &Affine, index: usize, input: i32, sums: &mut [i32; MAX_OUTPUTS]) {
    if input == 0 {
        return;
    }
    let blocks = &layer.weight_blocks()[index / GROUP * layer.blocks()..];
    let blocks = sums.chunks_exact_mut(BLOCK).zip(&blocks[..layer.blocks()]);
    for (sums, weights) in blocks {
        let weights = weights.0.iter().skip(index % GROUP).step_by(GROUP);
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum = sum.wrapping_add(i32::from(weight) * input);
        }
    }
}

/// The largest score of all blocks.
pub fn largest(blocks: &[ScoreBlock]) -> i32 {
    let numbers = blocks.iter().flat_map(|block| block.0);
    numbers.max().unwrap_or(ScoreBlock::NONE)
}

/// Writes `new` in the first block that holds `old`, wherever it does.
pub fn replace(blocks: &mut [ScoreBlock], old: i32, new: i32) {
    if let Some(block) = blocks.iter_mut().find(|block| block.0.contains(&old)) {
        block.0 = block
            .0
            .map(|number| if number == old { new } else { number });
    }
}

/// A sum as the next layer sees it: a byte from 0 to 127 (clipped ReLU).
#[inline(always)]
pub fn clipped_relu(sum: i32) -> u8 {
    (sum >> 6).clamp(0, 127) as u8
}

/// The square of a sum as the next layer sees it (squared clipped ReLU).
#[inline(always)]
pub fn squared_clipped_relu(sum: i32) -> u8 {
    ((i64::from(sum) * i64::from(sum)) >> 19).min(127) as u8
}
