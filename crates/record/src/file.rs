//! Files that are whole or not there: written under another name and renamed.

use std::io::{self, Write};
use std::path::Path;

/// A file in the making. It takes its name with [`NewFile::keep`]; dropped before, it disappears.
#[derive(Debug)]
pub struct NewFile {
    file: io::BufWriter<tempfile::NamedTempFile>,
    path: std::path::PathBuf,
}

impl NewFile {
    /// Opens a file next to `path` under a temporary name.
    pub fn create(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tesuji-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary file is private by default; a result is as readable as any other file.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        Ok(Self {
            file: io::BufWriter::new(builder.tempfile_in(folder)?),
            path: path.into(),
        })
    }

    /// Gives the file its name; what had that name before is gone.
    pub fn keep(self) -> io::Result<()> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_data()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file at once; a crash leaves the old one or the new one, never half of one.
///
/// A game in progress is saved this way at every move:
///
/// ```no_run
/// # use tesuji_record::{Game, TextFormat, file};
/// # let (mut game, mv) = (Game::default(), "7g7f".parse().unwrap());
/// game.push(mv)?;
/// file::save("game.csa".as_ref(), TextFormat::Csa.write(&game)?.as_bytes())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.keep()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.csa");
        let mut half = NewFile::create(&path).unwrap();
        half.write_all(b"half").unwrap();
        drop(half);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        save(&path, b"one").unwrap();
        save(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    }
}
