//! The kernels of a network as a table of functions, one table for each instruction set.

use crate::aligned::{Chunk, Column, chunks, chunks_mut};
use crate::layers::Layers;
use crate::scalar;

/// The network kernels of one instruction set. `InstructionSet::kernels` and [`Kernels::best`] hand
/// them out; whoever has them runs on a machine that has the set.
///
/// A kernel is coarse, a whole sum of columns or all layers at once, so that calling it through a
/// pointer costs next to nothing, and it is compiled once for all widths.
///
/// All sets give the same numbers: what they mean stands in [`scalar`].
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    pub(crate) update_accumulator: fn(&mut AccumulatorUpdate),
    pub(crate) forward_clipped: fn(&[Chunk], &[Chunk], &Layers) -> i32,
    pub(crate) forward_squared: fn(&[Chunk], &[Chunk], &Layers) -> i32,
    pub(crate) forward_pairwise: fn(&[Chunk], &[Chunk], &Layers) -> i32,
}

/// An accumulator, and what it is computed from. It is handed on by reference: copied on the way to a
/// kernel, a processor would wait for what was just written.
pub(crate) struct AccumulatorUpdate<'a> {
    pub(crate) table: &'a [Chunk],
    /// Which columns are added, and which are taken away.
    pub(crate) rows: (&'a [u32], &'a [u32]),
    pub(crate) from: &'a [Chunk],
    pub(crate) to: &'a mut [Chunk],
}

impl Kernels {
    /// Those of the plain loops.
    pub(crate) const SCALAR: Self = Self {
        update_accumulator: |update| {
            scalar::update_accumulator(update.table, update.rows, update.from, update.to);
        },
        forward_clipped: |own, other, layers| scalar::forward_clipped([own, other], layers),
        forward_squared: |own, other, layers| scalar::forward_squared([own, other], layers),
        forward_pairwise: |own, other, layers| scalar::forward_pairwise([own, other], layers),
    };

    /// Updates an accumulator, a sum of columns: `from`, plus the columns of `table` named by the
    /// first list of `rows`, minus those named by the second. `N` is a multiple of 32.
    ///
    /// # Panics
    /// If a row is not in the table.
    #[inline]
    pub fn update_accumulator<const N: usize>(
        &self,
        table: &[Column<N>],
        rows: (&[u32], &[u32]),
        from: &Column<N>,
        to: &mut Column<N>,
    ) {
        (self.update_accumulator)(&mut AccumulatorUpdate {
            table: chunks(table),
            rows,
            from: chunks(std::slice::from_ref(from)),
            to: chunks_mut(to),
        });
    }

    /// Three layers on two sums of columns, each word cut to 0 to 127. `N` is a multiple of 64.
    ///
    /// # Panics
    /// If the first layer has not `2 * N` inputs.
    #[inline]
    pub fn forward_clipped<const N: usize>(&self, halves: [&Column<N>; 2], layers: &Layers) -> i32 {
        let [own, other] = halves.map(|half| chunks(std::slice::from_ref(half)));
        (self.forward_clipped)(own, other, layers)
    }

    /// Three layers on two sums of columns, each word cut to 0 to 127, squared and divided by 128.
    /// `N` is a multiple of 64.
    ///
    /// # Panics
    /// If the first layer has not `2 * N` inputs.
    #[inline]
    pub fn forward_squared<const N: usize>(&self, halves: [&Column<N>; 2], layers: &Layers) -> i32 {
        let [own, other] = halves.map(|half| chunks(std::slice::from_ref(half)));
        (self.forward_squared)(own, other, layers)
    }

    /// Three layers on two sums of columns, the first half of each multiplied with the second. `N`
    /// is a multiple of 128.
    ///
    /// # Panics
    /// If the first layer has not `N` inputs.
    #[inline]
    pub fn forward_pairwise<const N: usize>(
        &self,
        halves: [&Column<N>; 2],
        layers: &Layers,
    ) -> i32 {
        let [own, other] = halves.map(|half| chunks(std::slice::from_ref(half)));
        (self.forward_pairwise)(own, other, layers)
    }
}
