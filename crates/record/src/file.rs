//! Files that are whole or not there: written without a name, or under another one, and renamed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file in the making. It takes its name with [`NewFile::keep`]; dropped before, it disappears.
/// Where the system can, it has no name until then, so that a program that is killed leaves nothing.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<Unfinished>,
    path: PathBuf,
}

/// Where the bytes of a file in the making are.
#[derive(Debug)]
enum Unfinished {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(tempfile::NamedTempFile),
}

/// Files that anybody may read, as far as the user allows, and those for the user alone.
const PUBLIC: u32 = 0o666;
const PRIVATE: u32 = 0o600;

impl NewFile {
    /// Opens a file that will lie at `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::with_mode(path, PUBLIC)
    }

    fn with_mode(path: &Path, mode: u32) -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::new(Unfinished::create(folder_of(path), mode)?),
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
        file.keep(&self.path)
    }
}

/// A file in the making that has a name, for those who write by name. It takes its own with
/// [`NewNamedFile::keep`]; dropped before, it disappears.
#[derive(Debug)]
pub struct NewNamedFile {
    file: tempfile::NamedTempFile,
    path: PathBuf,
}

impl NewNamedFile {
    /// Makes an empty file beside `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: named(folder_of(path), PUBLIC)?,
            path: path.into(),
        })
    }

    /// Where it lies for the time being.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Gives the file its name; what had that name before is gone.
    pub fn keep(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let kept = self.file.persist(&self.path);
        kept.map(drop).map_err(|error| error.error)
    }
}

fn named(folder: &Path, mode: u32) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = part_names();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder.tempfile_in(folder)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

impl Unfinished {
    fn create(folder: &Path, mode: u32) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(folder, mode) {
            return Ok(Self::Unnamed(file));
        }
        Ok(Self::Named(named(folder, mode)?))
    }

    fn as_file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    fn keep(self, path: &Path) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => unnamed::keep(&file, path),
            Self::Named(file) => file.persist(path).map(drop).map_err(|error| error.error),
        }
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.as_file().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.as_file().flush()
    }
}

/// The names of files that are not whole yet.
fn part_names() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tesuji-").suffix(".part");
    builder
}

/// Files without a name (`O_TMPFILE`).
#[cfg(target_os = "linux")]
mod unnamed {
    use super::{folder_of, part_names};
    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    /// `None` if the file system has no such files, or the system no other way to name them.
    pub(super) fn create(folder: &Path, mode: u32) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode);
        let file = File::from(rustix::fs::openat(CWD, folder, flags, mode).ok()?);
        link(&file).exists().then_some(file)
    }

    fn link(file: &File) -> std::path::PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }

    /// A name cannot be given over another file, but a named file can be renamed over it.
    pub(super) fn keep(file: &File, path: &Path) -> io::Result<()> {
        let named = part_names().make_in(folder_of(path), |name| {
            let flags = AtFlags::SYMLINK_FOLLOW;
            Ok(rustix::fs::linkat(CWD, link(file), CWD, name, flags)?)
        })?;
        named.into_temp_path().persist(path)?;
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

/// Like [`save`], for the user alone.
pub fn save_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::with_mode(path, PRIVATE)?;
    file.write_all(bytes)?;
    file.keep()
}

/// Creates a folder and those above it, as far as they are missing, for the user alone.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
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
        let named = NewNamedFile::create(&path).unwrap();
        std::fs::write(named.path(), b"three").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        named.keep().unwrap();
        drop(NewNamedFile::create(&path).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"three");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn who_is_killed_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.csa");
        if unnamed::create(folder.path(), PUBLIC).is_none() {
            // This file system has only files with names.
            return;
        }
        let mut half = NewFile::create(&path).unwrap();
        half.write_all(&[7; 100_000]).unwrap();
        half.flush().unwrap();
        // Nothing is tidied up, as when the process is killed.
        std::mem::forget(half);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_private_stays_so() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let path = folder.path().join("secret");
        save(&path, b"public").unwrap();
        assert_eq!(mode(&path) & 0o600, 0o600);
        save_private(&path, b"private").unwrap();
        assert_eq!(mode(&path), 0o600);
        let inner = folder.path().join("a").join("b");
        create_private_folder(&inner).unwrap();
        create_private_folder(&inner).unwrap();
        assert_eq!(mode(&inner), 0o700);
    }
}
