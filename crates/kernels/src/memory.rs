//! Large memory: files mapped and read page by page when touched; tables shared between threads.
//!
//! Large pages for large tables, and entries fetched before they are asked for: Crafty, Stockfish.

use crate::aligned::{CHUNK, Column};
use crate::input::open_input;
use memmap2::{Mmap, MmapMut, MmapRaw};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// A file mapped for reading. Opening it costs nothing however large it is; the pages that are read
/// are shared with every other process that maps the same file.
///
/// The one assumption: while it is mapped, nobody shortens the file or writes into it. Whoever
/// replaces such a file writes a new one and renames it over the old name, which leaves the mapped
/// one as it was.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a whole file.
    ///
    /// # Errors
    /// If it cannot be opened, is not a regular file, or the system refuses to map it.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Nothing is read before it is touched, so that no size is too large.
        let file = open_input(path, u64::MAX)?;
        // SAFETY: the map is private to this type and only lent as `&[u8]`. That the file is not
        // shortened or written while mapped is the documented duty of whoever owns the files.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self(map))
    }

    /// The bytes of the file.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Words that many threads read and write, all zero at first, in large pages where the system has
/// them. Nothing is touched until somebody does, so that a large table costs nothing to make.
#[derive(Debug)]
pub struct AtomicWords(MmapRaw);

impl AtomicWords {
    /// So many words.
    ///
    /// # Errors
    /// If the system has no room for them.
    pub fn new(words: usize) -> io::Result<Self> {
        let bytes = words.checked_mul(size_of::<AtomicU64>());
        let bytes = bytes.ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let map = MmapMut::map_anon(bytes.max(1))?;
        // Only advice: without large pages the table is merely slower.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map.into()))
    }

    /// The words.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        let (start, words) = (self.0.as_mut_ptr(), self.0.len() / size_of::<AtomicU64>());
        // SAFETY: the map begins at a page, so that it is aligned; it holds that many words, lives
        // as long as the borrow, and any bytes are an `AtomicU64`. The pointer may write: it comes
        // from the system and not from a `&`. The memory is never lent in another form.
        unsafe { std::slice::from_raw_parts(start.cast::<AtomicU64>(), words) }
    }
}

/// Numbers of 16 bits for one thread, all the same at first, in large pages where the system has them: tables
/// that are read all over the place suffer less from it.
#[derive(Debug)]
pub struct HugePageArray(MmapMut);

impl HugePageArray {
    /// So many numbers.
    ///
    /// # Errors
    /// If the system has no room for them.
    pub fn new(numbers: usize, value: i16) -> io::Result<Self> {
        let mut numbers = Self::zeroed(numbers)?;
        numbers.as_mut_slice().fill(value);
        Ok(numbers)
    }

    /// The same numbers as some others.
    ///
    /// # Errors
    /// If the system has no room for them.
    pub fn copied(numbers: &[i16]) -> io::Result<Self> {
        let mut copy = Self::zeroed(numbers.len())?;
        copy.as_mut_slice()[..numbers.len()].copy_from_slice(numbers);
        Ok(copy)
    }

    /// The advice comes before anything is touched: what was touched keeps its small pages.
    fn zeroed(numbers: usize) -> io::Result<Self> {
        let bytes = numbers.checked_mul(size_of::<i16>());
        let bytes = bytes.ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let map = MmapMut::map_anon(bytes.max(1))?;
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }

    /// The numbers.
    #[inline(always)]
    pub fn as_slice(&self) -> &[i16] {
        let (start, len) = (self.0.as_ptr(), self.0.len() / size_of::<i16>());
        // SAFETY: the map begins at a page, so that it is aligned; it holds that many numbers, lives
        // as long as the borrow, and any bytes are numbers.
        unsafe { std::slice::from_raw_parts(start.cast::<i16>(), len) }
    }

    /// The numbers, to be changed.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [i16] {
        let (start, len) = (self.0.as_mut_ptr(), self.0.len() / size_of::<i16>());
        // SAFETY: as in `as_slice`; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(start.cast::<i16>(), len) }
    }
}

impl HugePageArray {
    /// The numbers as columns; what does not fill a column is left out.
    #[inline(always)]
    pub fn columns<const N: usize>(&self) -> &[Column<N>] {
        const { assert!(N.is_multiple_of(CHUNK), "columns are made of chunks") };
        let (start, len) = (self.0.as_ptr(), self.0.len() / size_of::<Column<N>>());
        // SAFETY: the map begins at a page and so on a cache line; it holds that many columns, lives
        // as long as the borrow, and a column is `N` numbers and nothing else.
        unsafe { std::slice::from_raw_parts(start.cast::<Column<N>>(), len) }
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn columns_mut<const N: usize>(&mut self) -> &mut [Column<N>] {
        const { assert!(N.is_multiple_of(CHUNK), "columns are made of chunks") };
        let (start, len) = (self.0.as_mut_ptr(), self.0.len() / size_of::<Column<N>>());
        // SAFETY: as in `columns`; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(start.cast::<Column<N>>(), len) }
    }
}

/// Asks for the cache line of a value that will be needed soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and never faults; SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn gives_the_bytes_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.bin");
        for bytes in [&b""[..], b"tesuji", &[7; 10_000]] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(MappedFile::open(&path).unwrap().bytes(), bytes);
        }
    }

    #[test]
    fn shared_words_are_zero_and_keep_what_is_written() {
        use std::sync::atomic::Ordering::Relaxed;
        let table = AtomicWords::new(10_000).unwrap();
        assert_eq!(table.words().len(), 10_000);
        assert!(table.words().iter().all(|word| word.load(Relaxed) == 0));
        std::thread::scope(|scope| {
            for half in table.words().chunks(5_000) {
                scope.spawn(move || half.iter().for_each(|word| word.store(7, Relaxed)));
            }
        });
        prefetch(&table.words()[9_999]);
        assert!(table.words().iter().all(|word| word.load(Relaxed) == 7));
        assert!(AtomicWords::new(usize::MAX).is_err());
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of numbers take Miri minutes")]
    fn large_numbers_keep_what_is_written() {
        let mut numbers = HugePageArray::new(3_000_000, -5).unwrap();
        assert_eq!(numbers.as_slice().len(), 3_000_000);
        assert!(numbers.as_slice().iter().all(|&number| number == -5));
        numbers.as_mut_slice()[2_999_999] = 7;
        assert_eq!(numbers.as_slice()[2_999_999], 7);
    }

    #[test]
    fn columns_are_the_numbers_in_order() {
        let counted: Vec<i16> = (0..7 * 64 + 5).collect();
        let mut numbers = HugePageArray::copied(&counted).unwrap();
        assert_eq!(numbers.as_slice(), counted);
        let columns = numbers.columns::<64>();
        assert_eq!(columns.len(), 7, "the rest fills no column");
        for (column, part) in columns.iter().zip(counted.chunks_exact(64)) {
            assert_eq!(column.0, part);
        }
        numbers.columns_mut::<64>()[6].0[63] = -1;
        assert_eq!(numbers.as_slice()[7 * 64 - 1], -1);
    }

    #[test]
    fn refuses_what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let missing = MappedFile::open(&folder.path().join("none.bin"));
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(MappedFile::open(folder.path()).is_err());
    }
}
