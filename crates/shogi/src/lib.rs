//! The rules of shogi, the boards and the moves.
//!
//! [`Position`] is the board everybody uses: sets of squares, keys, checks and pins kept move by
//! move. [`Mailbox`] is the plain one that says the same in a few lines.
#![forbid(unsafe_code)]

pub mod attacks;
mod bitboard;
pub mod board;
pub mod effects;
mod key;
pub mod kind;
mod mailbox;
pub mod movegen;
pub mod position;
#[cfg(test)]
mod rng;
pub mod rules;
mod side;
mod sink;
pub mod tactics;
mod types;

pub use bitboard::Bitboard;
pub use board::{Board, Change, Follower, Placed, Shift, Spot, Tracked};
pub use effects::AttackCounts;
pub use key::Key;
pub use mailbox::Mailbox;
pub use position::Position;
pub use position::setup::{Handicap, Setup, SetupError};
pub use position::sfen::SfenError;
pub use rules::{
    Cause, Counting, Declaration, DeclarationCount, DeclarationRule, Foul, Obstacle, Outcome,
    Repetition, RepetitionHit, RepetitionState, RuleSet, Ruling,
};
pub use side::{Black, Side, White};
pub use sink::{Any, Batch, Count, Each, Filter, Sink};
pub use types::color::{ByColor, Color};
pub use types::hand::Hand;
pub use types::moves::{Move, MoveError, MoveList};
pub use types::piece::{ByPiece, Piece, PieceKind};
pub use types::square::{BySquare, Direction, Square, SquareError};
pub use types::value::{Bound, Value};
