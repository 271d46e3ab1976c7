//! A table of cells, mapped from a file or held in memory.

use super::cell::{Cell, Turned};
use super::error::PairError;
use super::sums::Sum;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use tesuji_kernels::MappedFile;

/// Where the bytes of tables are.
#[derive(Debug)]
pub(super) enum Store {
    Mapped(MappedFile),
    Owned(Vec<u8>),
}

impl Store {
    /// Maps a file that has one of these sizes.
    pub(super) fn open(path: &Path, sizes: &[u64]) -> Result<Self, PairError> {
        size_among(path, sizes)?;
        let map = MappedFile::open(path).map_err(PairError::io(path))?;
        // Between the two looks the file may have changed: only what is mapped counts.
        check(path, map.bytes().len() as u64, sizes)?;
        Ok(Self::Mapped(map))
    }

    #[inline(always)]
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map.bytes(),
            Self::Owned(bytes) => bytes,
        }
    }
}

/// The size of a file, if it is one of these.
pub(super) fn size_among(path: &Path, sizes: &[u64]) -> Result<u64, PairError> {
    let about = fs::metadata(path).map_err(PairError::io(path))?;
    if !about.is_file() {
        let what = std::io::Error::other("not a regular file");
        return Err(PairError::io(path)(what));
    }
    check(path, about.len(), sizes)
}

fn check(path: &Path, found: u64, sizes: &[u64]) -> Result<u64, PairError> {
    if sizes.contains(&found) {
        return Ok(found);
    }
    Err(PairError::Size {
        path: path.to_path_buf(),
        found,
        expected: sizes.to_vec(),
    })
}

/// A table of cells in rows of equal length. Cheap to clone: the bytes are shared.
#[derive(Clone, Debug)]
pub struct Table<C> {
    store: Arc<Store>,
    part: Range<usize>,
    cell: PhantomData<C>,
}

impl<C: Cell> Table<C> {
    /// The table that fills a whole file of exactly so many cells.
    pub(super) fn open(path: &Path, cells: usize) -> Result<Self, PairError> {
        let size = cells * C::BYTES;
        let store = Store::open(path, &[size as u64])?;
        Ok(Self::part(&Arc::new(store), 0..size))
    }

    /// The table in a part of some bytes.
    pub(super) fn part(store: &Arc<Store>, part: Range<usize>) -> Self {
        assert!(part.end <= store.bytes().len(), "the part lies in the file");
        Self {
            store: Arc::clone(store),
            part,
            cell: PhantomData,
        }
    }

    /// All cells.
    #[inline(always)]
    pub fn cells(&self) -> &[C::Raw] {
        C::cells(&self.store.bytes()[self.part.clone()])
    }

    /// The bytes, as in the file.
    pub fn bytes(&self) -> &[u8] {
        &self.store.bytes()[self.part.clone()]
    }

    /// Writes the file that the table is a part of.
    pub(super) fn write_whole(&self, path: &Path) -> Result<(), PairError> {
        save(path, |out| out.write_all(self.store.bytes()))
    }
}

/// Writes a file under another name and renames it, so that a file of this name that is mapped
/// somewhere, perhaps the very source of the bytes, stays as it is.
pub(super) fn save(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), PairError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = Path::new(&name);
    let write = || {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(part)?);
        fill(&mut out)?;
        out.flush()?;
        drop(out);
        fs::rename(part, path)
    };
    write().map_err(|source| {
        // Half a file helps nobody; that it cannot be removed either says nothing new.
        let _ = fs::remove_file(part);
        PairError::io(path)(source)
    })
}

/// How a file of our own begins: eight letters and the number of the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header([u8; 8]);

/// The number of the one layout there is.
const LAYOUT: u64 = 1;

impl Header {
    /// How long it is.
    const BYTES: usize = 16;

    pub(super) const fn new(letters: [u8; 8]) -> Self {
        Self(letters)
    }

    /// How long a file of so many cells is.
    pub(super) const fn size<C: Cell>(self, cells: usize) -> u64 {
        (Self::BYTES + cells * C::BYTES) as u64
    }

    fn bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.0);
        bytes[8..].copy_from_slice(&LAYOUT.to_le_bytes());
        bytes
    }

    /// A table in memory, as it would stand in a file.
    pub(super) fn table(
        self,
        cells: usize,
        mut number: impl FnMut(usize) -> [i16; 2],
    ) -> Table<Turned> {
        let mut bytes = self.bytes().to_vec();
        bytes.reserve_exact(cells * Turned::BYTES);
        for i in 0..cells {
            let [board, turn] = number(i).map(i32::from);
            bytes.extend(Turned::write(Sum { board, turn }));
        }
        let part = Self::BYTES..bytes.len();
        Table::part(&Arc::new(Store::Owned(bytes)), part)
    }

    /// Maps a file that begins with this header.
    pub(super) fn open(self, path: &Path, cells: usize) -> Result<Table<Turned>, PairError> {
        let size = self.size::<Turned>(cells);
        let store = Store::open(path, &[size])?;
        let found = &store.bytes()[..Self::BYTES];
        if found != self.bytes() {
            return Err(PairError::Header {
                path: path.to_path_buf(),
                found: found.to_vec(),
                expected: self.bytes().to_vec(),
            });
        }
        Ok(Table::part(&Arc::new(store), Self::BYTES..size as usize))
    }
}
