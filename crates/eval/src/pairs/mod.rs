//! Pair tables: a number for every two pieces, seen from a king.
//!
//! The family that Hoki's Bonanza (2006) began and Apery (2014) refined: a side looks at the board
//! from its king, lists the places of all pieces ([`index`]), and adds up a number for each pair
//! of places. [`Kppt`] adds whose turn it is; [`FvBin`] reads the older file; [`Kp`] and [`Pp`] are
//! the small tables to learn with. Files are mapped, not read ([`Table`]); sums are kept move by
//! move ([`PairTables`]).

mod cell;
mod error;
mod fv;
pub mod index;
mod kp;
mod kpp;
mod kppt;
mod list;
mod pp;
mod sums;
pub mod synthetic;
mod table;
mod worths;

pub use cell::{Cell, Plain, Turned, Wide};
pub use error::PairError;
pub use fv::FvBin;
pub use kp::Kp;
pub use kpp::Kpp;
pub use kppt::{AnyKppt, Kppt, Shape, open};
pub use list::List;
pub use pp::Pp;
pub use sums::{Kings, PairTables, Seen, Sum, View};
pub use table::Table;
pub use worths::Worths;
