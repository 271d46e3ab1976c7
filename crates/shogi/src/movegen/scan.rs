//! The generator for a plain array, unrolled at compile time.
