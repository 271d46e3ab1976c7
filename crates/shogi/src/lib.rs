//! The rules of shogi, the boards and the moves.
//!
//! Shogi is chess on nine by nine squares in which what you take becomes yours and may be dropped
//! on any empty square. This crate knows its rules exactly: legal moves and nothing but legal
//! moves, repetition and perpetual check, the entering-king declaration, pawn-drop mate. It plays
//! some ten million moves a second and contains no `unsafe`.
//!
//! # A first program
//!
//! [`prelude`] has what most programs need. A [`Position`] is read from SFEN, or starts a game:
//!
//! ```
//! use tesuji_shogi::prelude::*;
//!
//! let mut pos = Position::default();
//! assert_eq!(pos.turn(), Color::Black);
//! assert_eq!(pos.legal_moves().len(), 30);
//!
//! // Squares, moves and positions are written as in USI, the protocol of shogi engines.
//! let pawn: Square = "7g".parse()?;
//! assert_eq!(pos.at(pawn), Some(Piece::new(Color::Black, PieceKind::Pawn)));
//! pos.play("7g7f".parse()?);
//! assert_eq!(pos.to_sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
//! pos.undo();
//! assert_eq!(pos, Position::start());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Moves from outside
//!
//! [`Position::play`] trusts its caller. [`Position::try_play`] does not, and says which rule a
//! move would break:
//!
//! ```
//! use tesuji_shogi::prelude::*;
//!
//! //  9  8  7  6  5  4  3  2  1
//! //  ·  ·  ·  ·  ·  ·  ·  s  k  a
//! //  ·  ·  ·  ·  ·  ·  ·  ·  ·  b
//! //  ·  ·  ·  ·  ·  ·  ·  G  ·  c    Black holds two pawns.
//! let mut pos = Position::from_sfen("1R5sk/9/7G1/9/9/9/P8/9/4K4 b 2P 1")?;
//! assert_eq!(pos.try_play("P*9f".parse()?), Err(Foul::TwoPawns));
//! assert_eq!(pos.try_play("P*1b".parse()?), Err(Foul::PawnDropMate));
//! let change = pos.try_play("2c1b".parse()?)?;
//! assert_eq!(change.taken, None);
//! assert!(pos.in_check());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Whose game is it?
//!
//! ```
//! use tesuji_shogi::prelude::*;
//! use tesuji_shogi::rules::{Cause, RuleSet, outcome};
//!
//! let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")?;
//! assert!(mated.legal_moves().is_empty());
//! let end = outcome(&mated, &RuleSet::default()).ok_or("the game goes on")?;
//! assert_eq!((end.winner, end.cause), (Some(Color::Black), Cause::Mate));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Some moves only
//!
//! Generators hand their moves to a [`Sink`]: a list, a counter, a filter, a question. [`movegen`]
//! has one for captures, checks, drops, evasions, moves to a square and more; [`tactics`] knows
//! what an exchange is worth and whether there is a mate in one.
//!
//! ```
//! use tesuji_shogi::prelude::*;
//! use tesuji_shogi::tactics::{mate_in_one, see};
//!
//! let mut pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
//! let mut checks = MoveList::new();
//! let _ = movegen::checks(&pos, &mut checks);
//! assert!(checks.iter().all(|mv| mv.to_string().starts_with("G*") || mv.from().is_some()));
//! assert_eq!(mate_in_one(&mut pos), Some("G*5b".parse()?));
//!
//! let mut count = Count::default();
//! let _ = movegen::drops(&pos, &mut count);
//! assert_eq!(count.0, 78);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # More than one board
//!
//! [`Position`] is the board everybody uses: sets of squares, keys, checks and pins kept move by
//! move. [`Mailbox`] is the plain one that says the same in a few lines, and
//! [`ScanBoard`](movegen::scan::ScanBoard) a plain array made fast. All are a [`Board`], and what
//! is written for any board runs on each of them:
//!
//! ```
//! use tesuji_shogi::movegen::perft;
//! use tesuji_shogi::{Mailbox, Position};
//!
//! let mut pos = Position::start();
//! assert_eq!(perft::count(&mut pos, 3), 25_470);
//! assert_eq!(perft::count(&mut Mailbox::from(&pos), 2), 900);
//! ```
//!
//! What a program keeps beside the board, move by move, is a [`Follower`]; [`Tracked`] joins the
//! two to a board. The numbered programs in `examples/` go on from here.
//!
//! # Features
//!
//! - `laws`: what must hold of boards and generators, to check a board of one's own with one line.
//! - `rayon`: `perft::divide_parallel`, which counts on all processors.
//! - `serde`: [`Square`], [`Piece`], [`Move`], [`Color`] and [`Position`] as texts.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod attacks;
mod bitboard;
pub mod board;
pub mod effects;
mod generators;
mod key;
pub mod kind;
#[cfg(feature = "laws")]
pub mod laws;
mod mailbox;
pub mod movegen;
pub mod position;
pub mod prelude;
#[cfg(any(test, feature = "laws"))]
mod rng;
pub mod rules;
#[cfg(feature = "serde")]
mod serialize;
mod side;
mod sink;
pub mod tactics;
mod types;

pub use bitboard::{Bitboard, SquareIter};
pub use board::{Board, Change, Follower, Placed, Shift, Spot, Tracked};
pub use effects::AttackCounts;
pub use generators::Generators;
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
pub use sink::{Any, Count, Each, Filtered, MoveBatch, Sink};
pub use types::color::{ByColor, Color, ColorError};
pub use types::hand::Hand;
pub use types::moves::{Move, MoveError, MoveList, MoveListIter};
pub use types::piece::{ByPiece, Piece, PieceError, PieceKind};
pub use types::square::{BySquare, Direction, Square, SquareError, SquareOffset};
pub use types::value::{Bound, Value};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
