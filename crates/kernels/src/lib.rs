//! Vector loops behind safe doors: the only crate with `unsafe`.
//!
//! Every kernel has a plain meaning in [`scalar`], always compiled and always tested against the
//! fast form. A set of squares is a pair of words: the first holds the numbers 0 to 62, the second
//! 63 and up, so that no file of nine squares is ever split between the two.
//!
//! The kernels here are a handful of instructions long. They are inlined where they are used, so
//! the instruction set they speak is the one the build was made for, not one found at start.

mod groups;
mod rays;
pub mod scalar;
mod words;

pub use groups::Groups;
pub use rays::{Rays, slide};
pub use words::Words;

/// A set of small numbers, 63 in the first word and the rest in the second.
pub type Pair = [u64; 2];

/// How many numbers the first word of a [`Pair`] holds.
pub const FIRST: usize = 63;

/// The bits of the second word of a [`Pair`] that lists look at.
const LOWER_HALF: u64 = u32::MAX as u64;
