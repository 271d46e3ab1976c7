//! A number for each king square and each place: the smallest table to learn with.

use super::cell::{Cell, Turned};
use super::error::PairError;
use super::index::{self, PLACES};
use super::sums::{Kings, PairTables, Sum, View};
use super::table::{Header, Table};
use super::worths::Worths;
use std::path::Path;
use tesuji_shogi::{Color, Piece, Square};

/// `[king 81][place 1548]`; each side adds up the places as its own king sees them.
///
/// ```
/// use tesuji_eval::{Evaluator, pairs::Kp};
/// use tesuji_shogi::Position;
/// let even = Kp::from_fn(|_, _| [0, 32]); // the turn is worth 38 pieces, two views, one point each
/// assert_eq!(even.evaluate(&Position::start()).points(), 76);
/// ```
#[derive(Clone, Debug)]
pub struct Kp(Table<Turned>);

impl Kp {
    const HEADER: Header = Header::new(*b"TESUJIKP");
    const CELLS: usize = 81 * PLACES;
    /// How long the file is.
    pub const SIZE: u64 = Self::HEADER.size::<Turned>(Self::CELLS);

    /// The table that says for a king square and a place: how good for the side that looks, how
    /// good for the side to move; 32 is one point.
    pub fn from_fn(mut number: impl FnMut(usize, usize) -> [i16; 2]) -> Self {
        Self(Self::HEADER.table(Self::CELLS, |i| number(i / PLACES, i % PLACES)))
    }

    /// Maps a file.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn open(path: &Path) -> Result<Self, PairError> {
        Self::HEADER.open(path, Self::CELLS).map(Self)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), PairError> {
        self.0.write_whole(path)
    }
}

impl PairTables for Kp {
    const KINGS: Kings = Kings::Own;
    const COUNTED: bool = false;

    #[inline(always)]
    fn standing(pov: Color, piece: Piece, square: Square) -> Option<u16> {
        index::standing(pov, piece, square)
    }

    #[inline(always)]
    fn held(pov: Color, piece: Piece, nth: u32) -> u16 {
        index::held(pov, piece, nth)
    }

    #[inline(always)]
    fn worths(&self) -> &Worths {
        &Worths::KPPT
    }

    #[inline(always)]
    fn pairs(&self, _: View, _: u16, _: &[u16]) -> Sum {
        Sum::ZERO
    }

    #[inline(always)]
    fn lone(&self, view: View, place: u16) -> Sum {
        let cell = |king| Turned::read(self.0.cells()[king * PLACES + usize::from(place)]);
        view.king().map_or(Sum::ZERO, cell)
    }
}
