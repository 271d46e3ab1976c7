//! Why a file is no network that can be used.

/// Why some bytes are not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NnueError {
    /// Another version, or something else altogether.
    #[error("a network begins with version 7af32f16, this file with {0:08x}")]
    Version(u32),
    /// The file ends too early.
    #[error("{what} takes {needed} bytes, but only {left} are left in the file")]
    Short {
        /// What was being read.
        what: &'static str,
        /// How many bytes it takes.
        needed: usize,
        /// How many there are.
        left: usize,
    },
    /// Neither description nor hashes tell a known shape.
    #[error("a network of unknown shape, described as {0:?}")]
    Unknown(String),
    /// The size is not the one that the header promises.
    #[error("a network {shape} has {expected} bytes, this file {found}")]
    Size {
        /// What the header says.
        shape: String,
        /// How many bytes there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// A compressed number that is too large, cut off, or longer than it need be.
    #[error("byte {at} of a compressed block does not begin a 16-bit number")]
    Number {
        /// Which byte of the block.
        at: usize,
    },
    /// A compressed feature transformer whose sizes belong to no set of features.
    #[error(
        "{weights} weights for a feature transformer of width {width} belong to no known features"
    )]
    FeatureSet {
        /// How many weights there are.
        weights: usize,
        /// How wide the layer is.
        width: usize,
    },
    /// Stacks of layers that do not fill the rest of the file in any known way.
    #[error("{left} bytes behind the feature transformer are not 1 or 9 stacks of known layers")]
    Stacks {
        /// How many bytes there are.
        left: usize,
    },
    /// The system has no room for the weights.
    #[error("there is no room for {0} bytes of weights")]
    Memory(usize),
    /// A part that is not supported.
    #[error("stacks chosen by the progress of the game are not supported")]
    Progress,
    /// An extension that this program does not know.
    #[error("an extension of networks that is not known here: {0:?}")]
    Extension(String),
    /// A width that no evaluator was built for.
    #[error("a feature transformer of width {0}; supported are 256, 512, 768, 1024 and 1536")]
    Width(usize),
}
