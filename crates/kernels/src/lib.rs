//! Vector loops behind safe functions: the only crate with `unsafe`.
//!
//! Every kernel has a plain meaning in [`scalar`], always compiled and always tested against the
//! fast form. A set of squares is a pair of words: the first holds the numbers 0 to 62, the second
//! 63 and up, so that no file of nine squares is ever split between the two.
//!
//! The kernels for sets are a handful of instructions long. They are inlined where they are used, so
//! the instruction set they speak is the one the build was made for. The kernels for networks are
//! coarse, a whole accumulator or all layers at once: the best instruction set is found at start
//! and its kernels handed on, [`Kernels`].
//!
//! What programs need of a machine besides vectors lies here too, without a line of `unsafe` where it
//! can be: files as input, a [`StopSignal`] that wakes whoever sleeps, and the pauses of a [`Backoff`].

mod aligned;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod backoff;
mod digest;
mod eight_sets;
mod floats;
mod input;
mod instruction_set;
mod kernels;
mod layers;
mod memory;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod network;
mod rays;
pub mod scalar;
mod scores;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod simd;
#[cfg(target_arch = "x86_64")]
mod sse41;
mod stop_signal;
mod types;
mod word_list;

pub use aligned::Column;
pub use backoff::Backoff;
pub use digest::{digest, digest_input};
pub use eight_sets::EightSets;
pub use floats::{LANES, Strided, TILE, add_rows, multiply};
pub use input::{LARGEST_TEXT, open_input, read_input, read_input_text, require_regular};
pub use instruction_set::{InstructionSet, InstructionSetError};
pub use kernels::Kernels;
pub use layers::{Affine, Layers, MAX_OUTPUTS};
pub use memory::{AtomicWords, HugePageArray, MappedFile, prefetch};
pub use rays::slide;
pub use stop_signal::{StopSignal, StopWake};
pub use types::{Bits, LOW_BITS, Rays, ScoreBlock};
pub use word_list::WordList;
