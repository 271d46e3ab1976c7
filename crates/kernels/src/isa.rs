//! Instruction sets: the best is found once at start, and its kernels handed on.

use crate::aligned::{Chunk, chunks, chunks_mut};
use crate::{Column, Layers, scalar};
use std::fmt;

#[cfg(test)]
mod tests;

#[cfg(target_arch = "aarch64")]
use crate::neon::Neon;
#[cfg(target_arch = "x86_64")]
use crate::{avx2::Avx2, avx512::Avx512, sse41::Sse41};

/// The network kernels of one instruction set. [`Level::kernels`] and [`Kernels::best`] hand them
/// out; whoever has them runs on a machine that has the set.
///
/// A kernel is coarse, a whole sum of columns or all layers at once, so that calling it through a
/// pointer costs next to nothing, and it is compiled once for all widths.
///
/// All sets give the same numbers: what they mean stands in [`scalar`].
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    pub(crate) carry: fn(&[Chunk], Rows, &[Chunk], &mut [Chunk]),
    pub(crate) clipped: fn([&[Chunk]; 2], &Layers) -> i32,
    pub(crate) paired: fn([&[Chunk]; 2], &Layers) -> i32,
}

/// Which columns are added, and which are taken away.
type Rows<'a> = (&'a [u32], &'a [u32]);

impl Kernels {
    /// Those of the best set that this machine has.
    pub fn best() -> Self {
        let found = Level::ALL.iter().rev().find_map(|level| level.kernels());
        found.unwrap_or(Self::SCALAR)
    }

    const SCALAR: Self = Self {
        carry: scalar::carry,
        clipped: scalar::clipped,
        paired: scalar::paired,
    };

    /// Carries a sum of columns on: `from`, plus the columns of `table` named by the first list of
    /// `rows`, minus those named by the second. `N` is a multiple of 32.
    ///
    /// # Panics
    /// If a row is not in the table.
    #[inline]
    pub fn carry<const N: usize>(
        &self,
        table: &[Column<N>],
        rows: (&[u32], &[u32]),
        from: &Column<N>,
        to: &mut Column<N>,
    ) {
        let from = chunks(std::slice::from_ref(from));
        (self.carry)(chunks(table), rows, from, chunks_mut(to));
    }

    /// Three layers on two sums of columns, each word cut to 0 to 127. `N` is a multiple of 64.
    ///
    /// # Panics
    /// If the first layer has not `2 * N` inputs.
    #[inline]
    pub fn clipped<const N: usize>(&self, halves: [&Column<N>; 2], layers: &Layers) -> i32 {
        (self.clipped)(
            halves.map(|half| chunks(std::slice::from_ref(half))),
            layers,
        )
    }

    /// Three layers on two sums of columns, the first half of each multiplied with the second. `N`
    /// is a multiple of 128.
    ///
    /// # Panics
    /// If the first layer has not `N` inputs.
    #[inline]
    pub fn paired<const N: usize>(&self, halves: [&Column<N>; 2], layers: &Layers) -> i32 {
        (self.paired)(
            halves.map(|half| chunks(std::slice::from_ref(half))),
            layers,
        )
    }
}

/// Names of the instruction sets, slowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Level {
    /// No vectors.
    Scalar,
    /// Eight words at once.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// Eight words at once.
    #[cfg(target_arch = "x86_64")]
    Sse41,
    /// Sixteen words at once.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Thirty-two words at once, and products summed in one step (VNNI).
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// Every set that a program for this kind of machine knows, slowest first.
    #[cfg(target_arch = "x86_64")]
    pub const ALL: &'static [Self] = &[Self::Scalar, Self::Sse41, Self::Avx2, Self::Avx512];
    /// Every set that a program for this kind of machine knows, slowest first.
    #[cfg(target_arch = "aarch64")]
    pub const ALL: &'static [Self] = &[Self::Scalar, Self::Neon];
    /// Every set that a program for this kind of machine knows, slowest first.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub const ALL: &'static [Self] = &[Self::Scalar];

    /// Its name, as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => "sse41",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512",
        }
    }

    /// Its kernels, if this machine has it.
    pub fn kernels(self) -> Option<Kernels> {
        match self {
            Self::Scalar => Some(Kernels::SCALAR),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => Neon::kernels(),
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => Sse41::kernels(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::kernels(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::kernels(),
        }
    }
}

/// Why a text names no instruction set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelError(String);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Level::ALL.iter().map(|level| level.name()).collect();
        write!(
            f,
            "{:?} is no instruction set: {}",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for LevelError {}

impl std::str::FromStr for Level {
    type Err = LevelError;
    fn from_str(text: &str) -> Result<Self, LevelError> {
        let named = Self::ALL.iter().find(|level| level.name() == text);
        named.copied().ok_or_else(|| LevelError(text.to_owned()))
    }
}
