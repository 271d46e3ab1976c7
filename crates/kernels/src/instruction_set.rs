//! Instruction sets: the best is found once at start, and its kernels handed on.

use crate::kernels::Kernels;
use std::fmt;

#[cfg(test)]
mod tests;

#[cfg(target_arch = "aarch64")]
use crate::neon::Neon;
#[cfg(target_arch = "x86_64")]
use crate::{avx2::Avx2, avx512::Avx512, sse41::Sse41};

impl Kernels {
    /// Those of the best set that this machine has.
    pub fn best() -> Self {
        let found = InstructionSet::ALL
            .iter()
            .rev()
            .find_map(|level| level.kernels());
        found.unwrap_or(Self::SCALAR)
    }
}

/// Names of the instruction sets, slowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum InstructionSet {
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

impl InstructionSet {
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
pub struct InstructionSetError(String);

impl fmt::Display for InstructionSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = InstructionSet::ALL
            .iter()
            .map(|level| level.name())
            .collect();
        write!(
            f,
            "{:?} is no instruction set: {}",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for InstructionSetError {}

impl std::str::FromStr for InstructionSet {
    type Err = InstructionSetError;
    fn from_str(text: &str) -> Result<Self, InstructionSetError> {
        let named = Self::ALL.iter().find(|level| level.name() == text);
        named
            .copied()
            .ok_or_else(|| InstructionSetError(text.to_owned()))
    }
}
