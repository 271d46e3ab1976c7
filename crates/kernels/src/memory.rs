//! Large files as memory: mapped, shared between processes, read page by page when touched.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// A file mapped for reading. Opening it costs nothing however large it is; the pages that are read
/// are shared with every other process that maps the same file.
///
/// The one assumption: while it is mapped, nobody shortens the file or writes into it. Whoever
/// replaces such a file writes a new one and renames it over the old name, which leaves the mapped
/// one as it was.
#[derive(Debug)]
pub struct FileMap(Mmap);

impl FileMap {
    /// Maps a whole file.
    ///
    /// # Errors
    /// If it cannot be opened, is not a regular file, or the system refuses to map it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            let what = "not a regular file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_bytes_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.bin");
        for bytes in [&b""[..], b"tesuji", &[7; 10_000]] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(FileMap::open(&path).unwrap().bytes(), bytes);
        }
    }

    #[test]
    fn refuses_what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let missing = FileMap::open(&folder.path().join("none.bin"));
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(FileMap::open(folder.path()).is_err());
    }
}
