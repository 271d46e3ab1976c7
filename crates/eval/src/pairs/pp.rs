//! A number for each pair of places, wherever the kings are.

use super::cell::{Cell, Turned};
use super::error::PairError;
use super::index::{self, PLACES};
use super::sums::{Kings, PairTables, Sum, View};
use super::table::{Header, Table};
use super::worths::Worths;
use std::path::Path;
use tesuji_shogi::{Color, Piece, Square};

/// `[place 1548][place 1548]`, symmetric; the diagonal is the number of a place alone. Each side
/// adds up the places as it sees them.
#[derive(Clone, Debug)]
pub struct Pp(Table<Turned>);

impl Pp {
    const HEADER: Header = Header::new(*b"TESUJIPP");
    const CELLS: usize = PLACES * PLACES;
    /// How long the file is.
    pub const SIZE: u64 = Self::HEADER.size::<Turned>(Self::CELLS);

    /// The table that says for two places, the higher one first: how good for the side that looks,
    /// how good for the side to move; 32 is one point.
    pub fn from_fn(mut number: impl FnMut(usize, usize) -> [i16; 2]) -> Self {
        let mut ordered = |p: usize, q: usize| number(p.max(q), p.min(q));
        Self(Self::HEADER.table(Self::CELLS, |i| ordered(i / PLACES, i % PLACES)))
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

impl PairTables for Pp {
    const KINGS: Kings = Kings::Unseen;
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
    fn pairs(&self, _: View, place: u16, others: &[u16]) -> Sum {
        let row = usize::from(place) * PLACES;
        let row = &self.0.cells()[row..row + PLACES];
        let cell = |&other: &u16| Turned::read(row[usize::from(other)]);
        others.iter().map(cell).sum()
    }

    #[inline(always)]
    fn lone(&self, _: View, place: u16) -> Sum {
        Turned::read(self.0.cells()[usize::from(place) * (PLACES + 1)])
    }
}
