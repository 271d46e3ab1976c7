//! A number for each king square and each pair of places.

use super::cell::Cell;
use super::error::PairError;
use super::index::PLACES;
use super::sums::Sum;
use super::table::Table;
use std::path::Path;

/// `[king 81][place 1548][place 1548]`, symmetric in the places; the diagonal is not used.
#[derive(Clone, Debug)]
pub struct Kpp<C>(Table<C>);

impl<C: Cell> Kpp<C> {
    /// How many cells the file has.
    pub const CELLS: usize = 81 * PLACES * PLACES;
    /// How long the file is.
    pub const SIZE: u64 = (Self::CELLS * C::BYTES) as u64;

    /// Maps a file.
    ///
    /// # Errors
    /// If it is no file of this size.
    pub fn open(path: &Path) -> Result<Self, PairError> {
        Table::open(path, Self::CELLS).map(Self)
    }

    /// The numbers of a place with each of some others, for a king that sees itself on `king`.
    #[inline(always)]
    pub fn pairs(&self, king: usize, place: u16, others: &[u16]) -> Sum {
        let row = (king * PLACES + usize::from(place)) * PLACES;
        let row = &self.0.cells()[row..row + PLACES];
        let cell = |&other: &u16| C::read(row[usize::from(other)]);
        others.iter().map(cell).sum()
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }
}
