//! Instruction sets as types, found once at start and handed on.

use crate::{Column, Layers, scalar};
use std::fmt;

#[cfg(test)]
mod tests;

#[cfg(target_arch = "aarch64")]
use crate::neon::Neon;
#[cfg(target_arch = "x86_64")]
use crate::{avx2::Avx2, avx512::Avx512, sse41::Sse41};

/// An instruction set and the network kernels written for it. A value of the type is the proof that
/// the machine has it; [`Level::enter`] and [`enter_best`] hand such values out.
///
/// All sets give the same numbers: what they mean stands in [`scalar`].
pub trait Isa: Copy + fmt::Debug + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;

    /// Carries a sum of columns on: `from`, plus the columns of `table` named by the first list of
    /// `rows`, minus those named by the second. `N` is a multiple of 32.
    ///
    /// # Panics
    /// If a row is not in the table.
    fn carry<const N: usize>(
        self,
        table: &[Column<N>],
        rows: (&[u32], &[u32]),
        from: &Column<N>,
        to: &mut Column<N>,
    );

    /// Three layers on two sums of columns, each word cut to 0 to 127. `N` is a multiple of 128.
    ///
    /// # Panics
    /// If the first layer has not `2 * N` inputs.
    fn clipped<const N: usize>(self, halves: [&Column<N>; 2], layers: &Layers) -> i32;

    /// Three layers on two sums of columns, the first half of each multiplied with the second. `N`
    /// is a multiple of 128.
    ///
    /// # Panics
    /// If the first layer has not `N` inputs.
    fn paired<const N: usize>(self, halves: [&Column<N>; 2], layers: &Layers) -> i32;
}

/// No vectors: the meaning of every kernel, on any machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scalar;

impl Isa for Scalar {
    const NAME: &'static str = "scalar";

    fn carry<const N: usize>(
        self,
        table: &[Column<N>],
        rows: (&[u32], &[u32]),
        from: &Column<N>,
        to: &mut Column<N>,
    ) {
        scalar::carry(table, rows, from, to);
    }

    fn clipped<const N: usize>(self, halves: [&Column<N>; 2], layers: &Layers) -> i32 {
        scalar::clipped(halves, layers)
    }

    fn paired<const N: usize>(self, halves: [&Column<N>; 2], layers: &Layers) -> i32 {
        scalar::paired(halves, layers)
    }
}

/// What wants to work with an instruction set, whichever it is.
pub trait IsaVisitor {
    /// What comes out.
    type Out;
    /// Works with one of them.
    fn visit<I: Isa>(self, isa: I) -> Self::Out;
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

    /// Calls the visitor with the set, or gives it back if this machine does not have it.
    pub fn enter<V: IsaVisitor>(self, visitor: V) -> Result<V::Out, V> {
        match self {
            Self::Scalar => Ok(visitor.visit(Scalar)),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => visit_if(Neon::new(), visitor),
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => visit_if(Sse41::new(), visitor),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => visit_if(Avx2::new(), visitor),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => visit_if(Avx512::new(), visitor),
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

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn visit_if<I: Isa, V: IsaVisitor>(isa: Option<I>, visitor: V) -> Result<V::Out, V> {
    match isa {
        Some(isa) => Ok(visitor.visit(isa)),
        None => Err(visitor),
    }
}

/// Calls the visitor with the best set of this machine. A build that already needs a set is not
/// burdened with code for the slower ones.
pub fn enter_best<V: IsaVisitor>(visitor: V) -> V::Out {
    #[cfg(target_arch = "x86_64")]
    {
        let visitor = match visit_if(Avx512::new(), visitor) {
            Ok(out) => return out,
            Err(visitor) => visitor,
        };
        #[cfg(not(target_feature = "avx512vnni"))]
        let visitor = match visit_if(Avx2::new(), visitor) {
            Ok(out) => return out,
            Err(visitor) => visitor,
        };
        #[cfg(not(target_feature = "avx2"))]
        let visitor = match visit_if(Sse41::new(), visitor) {
            Ok(out) => return out,
            Err(visitor) => visitor,
        };
        #[cfg(not(target_feature = "sse4.1"))]
        return visitor.visit(Scalar);
        #[cfg(target_feature = "sse4.1")]
        {
            let _ = visitor;
            unreachable!("a build for a machine runs on that machine");
        }
    }
    #[cfg(target_arch = "aarch64")]
    return match visit_if(Neon::new(), visitor) {
        Ok(out) => out,
        Err(visitor) => visitor.visit(Scalar),
    };
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    visitor.visit(Scalar)
}
