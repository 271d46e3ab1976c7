//! Pair tables: a weight for every two pieces, seen from a king.
//!
//! The family that Hoki's Bonanza (2006) began and Hiraoka's Apery (2014) refined: a side looks at
//! the board from its king, lists the [BonaPieces](crate::bona_piece) of all pieces, and adds up a
//! weight for each pair of them. [`PairTable`] is the one table that all are made of: [`Kppt`] adds
//! whose turn it is; [`Kp`], [`Pp`] and both of them, [`KpPp`], are small tables to learn with. [`FvBin`] reads the older
//! file. Files are mapped, not read; sums are updated move by move ([`PairAccumulator`]).

mod accumulator;
mod bona_piece_list;
mod error;
mod eval_sum;
mod file;
mod fv_bin;
mod kppt;
mod piece_values;
pub mod synthetic;
mod table;
mod weight;

pub use accumulator::{KingView, KingsSeen, PairAccumulator, PairTables};
pub use error::PairError;
pub use eval_sum::EvalSum;
pub use file::WrittenTable;
pub use fv_bin::FvBin;
pub use kppt::{AnyKppt, Kk, Kkp, Kpp, Kppt, KpptFormat, KpptWeights, open_kppt, write_kppt};
pub use piece_values::PieceValues;
pub use table::{BothKings, KingIndex, Kp, KpPp, NoKing, OwnFile, OwnKing, PairEvaluator};
pub use table::{PairTable, Pp, TableTerms};
pub use weight::{Board16, Turn16, Turn32, WeightFormat};
