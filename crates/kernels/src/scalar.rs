//! The plain loops: the meaning of every kernel.

use crate::{FIRST, LOWER_HALF, Pair, Rays};

/// Where the four rays of a slider end: each runs up to the first occupied square, included.
#[inline]
pub fn slide(rays: &Rays, occupied: Pair) -> Pair {
    let [a, b] = [
        ahead(rays.ahead[0], occupied),
        ahead(rays.ahead[1], occupied),
    ];
    let [c, d] = [back(rays.back[0], occupied), back(rays.back[1], occupied)];
    [a[0] | b[0] | c[0] | d[0], a[1] | b[1] | c[1] | d[1]]
}

/// A ray towards higher numbers, cut behind its lowest obstacle.
#[inline]
fn ahead(ray: Pair, occupied: Pair) -> Pair {
    let [low, high] = [ray[0] & occupied[0], ray[1] & occupied[1]];
    // Subtracting one flips every bit up to the lowest obstacle; the borrow carries the ray on.
    let (below, open) = low.overflowing_sub(1);
    let beyond = high.wrapping_sub(u64::from(open));
    [ray[0] & (low ^ below), ray[1] & (high ^ beyond)]
}

/// A ray towards lower numbers, cut behind its highest obstacle.
#[inline]
fn back(ray: Pair, occupied: Pair) -> Pair {
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
pub fn each(set: Pair, mut f: impl FnMut(u16)) {
    for (word, start) in [(set[0], 0), (set[1] & LOWER_HALF, FIRST as u16)] {
        let mut rest = word;
        while rest != 0 {
            f(start + rest.trailing_zeros() as u16);
            rest &= rest - 1;
        }
    }
}

/// Toggles one set in some groups and another set in others; bit `i` of a mask names group `i`.
#[inline]
pub fn toggled(groups: &[Pair; 8], first: (Pair, u8), second: (Pair, u8)) -> [Pair; 8] {
    std::array::from_fn(|i| {
        let chosen = |(set, mask): (Pair, u8), word: usize| {
            set[word] & u64::from(mask >> i & 1).wrapping_neg()
        };
        [0, 1].map(|word| groups[i][word] ^ chosen(first, word) ^ chosen(second, word))
    })
}

/// The members of `foes` that stand where they are watched: the sum over the first five groups, and
/// the sum over the last three.
#[inline]
pub fn threats(groups: &[Pair; 8], watched: &[Pair; 8], foes: Pair) -> [Pair; 2] {
    let mut sums = [[0; 2]; 2];
    for (i, (group, watch)) in groups.iter().zip(watched).enumerate() {
        for word in 0..2 {
            sums[i / 5][word] |= group[word] & watch[word] & foes[word];
        }
    }
    sums
}
