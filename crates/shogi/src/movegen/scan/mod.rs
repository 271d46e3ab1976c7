//! The generator for a plain array, unrolled at compile time.
//!
//! The idea is Kuma Shogi's (2013): a board of 81 squares and 14 counts in hand, no sets of squares
//! and no attack tables, is as fast as magic bitboards if every case has code of its own, in which
//! the squares are constants and the edges of the board do not exist. Kuma Shogi had that code
//! written by a program: 7 million lines for the answers to checks alone. Here it is a few hundred
//! lines that are generic over the side and the square, and the compiler writes the cases:
//!
//! - looking in eight directions from a square (`look`): 2 × 81 functions, in which a square is
//!   an offset into the array and a direction ends where the board does;
//! - the moves of a kind from a square (`pieces`): 2 × 81 × 9 functions;
//! - everything that can be said with these (checks, pins, answers to checks, drops, exchange
//!   values, mates in one) is written once and looks up the function of its square.
//!
//! So the answers to a check need no code for every pair of king and checker: whoever can move to a
//! square is found by looking outward from it.

mod board;
mod buffer;
pub(crate) mod generate;
pub(crate) mod look;
pub(crate) mod pieces;
pub(crate) mod placement;
mod special;

pub use board::ScanBoard;
pub(crate) use buffer::ShortBuffer;
