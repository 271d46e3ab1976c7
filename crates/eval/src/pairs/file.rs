//! The weights of a table, mapped from a file or held in memory.

use super::error::PairError;
use super::eval_sum::EvalSum;
use super::weight::{Turn16, WeightFormat};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tesuji_kernels::{MappedFile, require_regular};

/// Where the bytes of tables are.
#[derive(Debug)]
pub(super) enum TableBytes {
    Mapped(MappedFile),
    Owned(Vec<u8>),
}

impl TableBytes {
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
    require_regular(&about).map_err(PairError::io(path))?;
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

/// The weights of a table. Cheap to clone: the bytes are shared.
#[derive(Clone, Debug)]
pub(super) struct TableWeights<W> {
    store: Arc<TableBytes>,
    part: Range<usize>,
    format: PhantomData<W>,
}

impl<W: WeightFormat> TableWeights<W> {
    /// The weights that fill a whole file of exactly so many.
    pub(super) fn open(path: &Path, count: usize) -> Result<Self, PairError> {
        let size = count * W::BYTES;
        let store = TableBytes::open(path, &[size as u64])?;
        Ok(Self::part(&Arc::new(store), 0..size))
    }

    /// The weights in a part of some bytes.
    pub(super) fn part(store: &Arc<TableBytes>, part: Range<usize>) -> Self {
        assert!(part.end <= store.bytes().len(), "the part lies in the file");
        Self {
            store: Arc::clone(store),
            part,
            format: PhantomData,
        }
    }

    /// All weights, as in the file.
    #[inline(always)]
    pub(super) fn raw(&self) -> &[W::Raw] {
        W::weights(&self.store.bytes()[self.part.clone()])
    }

    /// The first weights, and those behind them.
    pub(super) fn split(self, first: usize) -> (Self, Self) {
        let middle = self.part.start + first * W::BYTES;
        let part = |part| Self::part(&self.store, part);
        (part(self.part.start..middle), part(middle..self.part.end))
    }

    /// The bytes, as in the file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.store.bytes()[self.part.clone()]
    }

    /// Writes the file that the weights are a part of.
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

/// What became of a table that was written weight by weight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenTable {
    /// The file.
    pub path: PathBuf,
    /// How many weights it has.
    pub weights: u64,
    /// How many of them are not zero.
    pub non_zero: u64,
    /// How many there was no room for and that were clipped.
    pub clipped: u64,
}

/// A table that is being written weight by weight.
pub(super) struct TableWriter<'a, W> {
    out: &'a mut BufWriter<File>,
    counts: WrittenTable,
    format: PhantomData<W>,
}

impl<W: WeightFormat> TableWriter<'_, W> {
    /// Writes a weight, clipped to what there is room for.
    pub(super) fn put(&mut self, sum: EvalSum) -> std::io::Result<()> {
        let fitting = W::clip(sum);
        self.counts.weights += 1;
        self.counts.non_zero += u64::from(fitting != EvalSum::ZERO);
        self.counts.clipped += u64::from(fitting != sum);
        self.out.write_all(W::bytes(&[W::write(fitting)]))
    }
}

/// Writes a file that is nothing but a table.
pub(super) fn write_table<W: WeightFormat>(
    path: &Path,
    fill: impl FnOnce(&mut TableWriter<'_, W>) -> std::io::Result<()>,
) -> Result<WrittenTable, PairError> {
    let mut counts = WrittenTable {
        path: path.into(),
        weights: 0,
        non_zero: 0,
        clipped: 0,
    };
    save(path, |out| {
        let mut writer = TableWriter {
            out,
            counts: counts.clone(),
            format: PhantomData,
        };
        fill(&mut writer)?;
        counts = writer.counts;
        Ok(())
    })?;
    Ok(counts)
}

/// How a file of our own begins: eight letters and the number of the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileHeader([u8; 8]);

/// The number of the one layout there is.
const LAYOUT: u64 = 1;

impl FileHeader {
    /// How long it is.
    const BYTES: usize = 16;

    pub(super) const fn new(letters: [u8; 8]) -> Self {
        Self(letters)
    }

    /// How long a file of so many weights is.
    pub(super) const fn size<W: WeightFormat>(self, count: usize) -> u64 {
        (Self::BYTES + count * W::BYTES) as u64
    }

    fn bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.0);
        bytes[8..].copy_from_slice(&LAYOUT.to_le_bytes());
        bytes
    }

    /// TableWeights in memory, as they would stand in a file.
    pub(super) fn weights(
        self,
        count: usize,
        mut weight: impl FnMut(usize) -> [i16; 2],
    ) -> TableWeights<Turn16> {
        let mut bytes = self.bytes().to_vec();
        bytes.reserve_exact(count * Turn16::BYTES);
        for i in 0..count {
            let [board, turn] = weight(i).map(i32::from);
            bytes.extend(Turn16::write(EvalSum { board, turn }));
        }
        let part = Self::BYTES..bytes.len();
        TableWeights::part(&Arc::new(TableBytes::Owned(bytes)), part)
    }

    /// Maps a file that begins with this header.
    pub(super) fn open(self, path: &Path, count: usize) -> Result<TableWeights<Turn16>, PairError> {
        let size = self.size::<Turn16>(count);
        let store = TableBytes::open(path, &[size])?;
        let found = &store.bytes()[..Self::BYTES];
        if found != self.bytes() {
            return Err(PairError::FileHeader {
                path: path.to_path_buf(),
                found: found.to_vec(),
                expected: self.bytes().to_vec(),
            });
        }
        Ok(TableWeights::part(
            &Arc::new(store),
            Self::BYTES..size as usize,
        ))
    }
}
