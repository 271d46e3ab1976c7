//! Files as input: regular files only, their size checked before a byte is read.
//!
//! A named pipe waits for whoever may write into it, a device such as `/dev/zero` never ends, and a
//! sparse file can be larger than the memory. Whoever reads a file that a user names opens it here.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The largest text file that is read as a whole: settings, lists of positions, openings.
pub const LARGEST_TEXT: u64 = 1 << 30;

/// Opens a regular file of at most so many bytes for reading. A reader that needs no memory for
/// what it has read may allow [`u64::MAX`].
///
/// # Errors
/// If it cannot be opened, is not a regular file, or is larger.
pub fn open_input(path: &Path, most_bytes: u64) -> io::Result<File> {
    // Asked before it is opened, because to open a pipe is to wait.
    require_regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    require_regular(&metadata)?;
    match metadata.len() <= most_bytes {
        true => Ok(file),
        false => Err(too_large(most_bytes)),
    }
}

/// Reads a whole file of at most so many bytes.
///
/// # Errors
/// If it cannot be opened or read, is not a regular file, or is larger.
pub fn read_input(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open_input(path, most_bytes)?;
    let mut bytes = Vec::new();
    let size = usize::try_from(file.metadata()?.len());
    let size = size.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    bytes.try_reserve_exact(size)?;
    // It may grow while it is read.
    file.take(most_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= most_bytes {
        true => Ok(bytes),
        false => Err(too_large(most_bytes)),
    }
}

/// Reads a whole text file of at most [`LARGEST_TEXT`] bytes.
///
/// # Errors
/// If it cannot be opened or read, is not a regular file, is larger, or is no UTF-8.
pub fn read_input_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read_input(path, LARGEST_TEXT)?);
    text.map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        let what = format!("line {} is not UTF-8", line + 1);
        io::Error::new(io::ErrorKind::InvalidData, what)
    })
}

/// Refuses everything but a regular file.
///
/// # Errors
/// If the metadata is that of something else.
pub fn require_regular(metadata: &Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => {
            let what = format!("{}, not a regular file", name_of(metadata.file_type()));
            Err(io::Error::new(io::ErrorKind::InvalidInput, what))
        }
    }
}

fn name_of(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    if kind.is_dir() { "a folder" } else { "special" }
}

fn too_large(most_bytes: u64) -> io::Error {
    let what = match most_bytes >> 20 {
        0 => format!("larger than {most_bytes} bytes, the most that such a file can have"),
        megabytes => format!("larger than {megabytes} MB, the most that such a file can have"),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, what)
}

#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use super::*;

    #[test]
    fn regular_files_are_read_up_to_their_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.txt");
        std::fs::write(&path, "tesuji").unwrap();
        assert_eq!(read_input(&path, 6).unwrap(), b"tesuji");
        let error = read_input(&path, 5).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_input_text(&path).unwrap(), "tesuji");
        std::fs::write(&path, b"one\ntwo \xff").unwrap();
        let error = read_input_text(&path).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is not UTF-8");
        let none = open_input(&folder.path().join("none"), 1).unwrap_err();
        assert_eq!(none.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_sparse_file_is_refused_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        File::create(&path).unwrap().set_len(200 << 30).unwrap();
        let error = read_input_text(&path).unwrap_err().to_string();
        assert_eq!(
            error,
            "larger than 1024 MB, the most that such a file can have"
        );
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_regular_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for (path, name) in [
            (pipe.as_path(), "a named pipe"),
            (Path::new("/dev/zero"), "a device"),
            (folder.path(), "a folder"),
        ] {
            let error = read_input(path, u64::MAX).unwrap_err().to_string();
            assert_eq!(error, format!("{name}, not a regular file"));
        }
    }
}
