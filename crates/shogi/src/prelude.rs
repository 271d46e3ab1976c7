//! What a first program needs, to be imported all at once.
//!
//! ```
//! use tesuji_shogi::prelude::*;
//! assert_eq!(Position::default().legal_moves().len(), 30);
//! ```

pub use crate::bitboard::Bitboard;
pub use crate::board::{Board, Change};
pub use crate::movegen;
pub use crate::position::Position;
pub use crate::rules::Foul;
pub use crate::sink::{Any, Count, Sink};
pub use crate::types::color::Color;
pub use crate::types::hand::Hand;
pub use crate::types::moves::{Move, MoveList};
pub use crate::types::piece::{Piece, PieceKind};
pub use crate::types::square::Square;
