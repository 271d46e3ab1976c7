//! Vector loops behind safe doors: the only crate with `unsafe`.
//!
//! Every kernel has a plain meaning in [`scalar`], always compiled and always tested against the
//! fast form. A set of squares is a pair of words: the first holds the numbers 0 to 62, the second
//! 63 and up, so that no file of nine squares is ever split between the two.
//!
//! The kernels for sets are a handful of instructions long. They are inlined where they are used, so
//! the instruction set they speak is the one the build was made for. The kernels for networks are
//! coarse, a whole accumulator or all layers at once: the best instruction set is found at start
//! and its kernels handed on, [`Kernels`].

mod aligned;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blocks;
mod groups;
mod isa;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
mod layers;
mod memory;
#[cfg(target_arch = "aarch64")]
mod neon;
mod rays;
pub mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;
mod words;

pub use aligned::Column;
pub use blocks::Block;
pub use groups::Groups;
pub use isa::{Kernels, Level, LevelError};
pub use layers::{Affine, Layers, MAX_OUTPUTS};
pub use memory::{FileMap, LargeNumbers, SharedWords, prefetch};
pub use rays::{Rays, slide};
pub use words::Words;

/// A set of small numbers, 63 in the first word and the rest in the second.
pub type Pair = [u64; 2];

/// How many numbers the first word of a [`Pair`] holds.
pub const FIRST: usize = 63;

/// The bits of the second word of a [`Pair`] that lists look at.
const LOWER_HALF: u64 = u32::MAX as u64;
