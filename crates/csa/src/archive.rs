//! Where records go: a folder, a format, and names that no server can misuse.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tesuji_record::{Encoding, Game, TextFormat, file};

/// A folder of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archive {
    folder: PathBuf,
    extension: String,
    format: TextFormat,
    encoding: Encoding,
}

/// The longest name that every file system takes, with room for an ending.
const LONGEST: usize = 180;

impl Archive {
    /// Makes the folder if it is not there. `extension` is one of a record format; `None` if it is
    /// none.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn open(folder: &Path, extension: &str) -> io::Result<Option<Self>> {
        let Some((format, encoding)) = TextFormat::from_name(extension) else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder)?;
        Ok(Some(Self {
            folder: folder.into(),
            extension: extension.into(),
            format,
            encoding,
        }))
    }

    /// A file for a game that does not exist yet.
    pub fn place(&self, id: &str) -> PathBuf {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-_@".contains(c);
        let name: String = id
            .chars()
            .take(LONGEST)
            .map(|c| if is_plain(c) { c } else { '_' })
            .collect();
        let path = |suffix: &str| {
            self.folder
                .join(format!("{name}{suffix}.{}", self.extension))
        };
        (2..)
            .map(|number| path(&format!("-{number}")))
            .find(|other| !other.exists())
            .filter(|_| path("").exists())
            .unwrap_or_else(|| path(""))
    }

    /// Writes a game, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path, game: &Game) -> io::Result<()> {
        let bytes = self.format.write_bytes(game, self.encoding);
        let bytes = bytes.or_else(|_| self.format.write_bytes(game, Encoding::Utf8));
        file::save(path, &bytes.map_err(io::Error::other)?)
    }
}

/// A time as records have it, in UTC: `2026/11/15 10:00:00`.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// let time = UNIX_EPOCH + Duration::from_secs(951_786_061);
/// assert_eq!(tesuji_csa::timestamp(time), "2000/02/29 01:01:01");
/// ```
pub fn timestamp(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March put the odd day last; 719 468 days lie between year 0 and 1970.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}/{month:02}/{date:02} {hour:02}:{minute:02}:{second:02}")
}
