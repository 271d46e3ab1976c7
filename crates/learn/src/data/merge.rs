//! Files joined to one, some of them only in part and some of them several times.

use super::sink::DataWriter;
use super::source::{DataError, DataReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A file, and how much of it is taken.
///
/// ```
/// use tesuji_learn::data::MergePart;
/// let half: MergePart = "games.psv:0.5".parse().unwrap();
/// assert_eq!((half.path.to_str(), half.share), (Some("games.psv"), 0.5));
/// assert_eq!("games.psv".parse::<MergePart>().unwrap().share, 1.0);
/// assert!("games.psv:-1".parse::<MergePart>().is_err());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct MergePart {
    /// The file.
    pub path: PathBuf,
    /// How often its records are taken: the whole part of it as copies of the file, the rest as the
    /// chance of a record to be taken once more.
    pub share: f64,
}

/// A text that says no share.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}: the share behind the colon must be 0 or a number above")]
pub struct MergeError(String);

impl FromStr for MergePart {
    type Err = MergeError;

    fn from_str(text: &str) -> Result<Self, MergeError> {
        let number = |text: &str| text.parse::<f64>().ok();
        let parted = text.rsplit_once(':');
        let parted = parted.and_then(|(path, share)| Some((path, number(share)?)));
        let (path, share) = parted.unwrap_or((text, 1.0));
        match share.is_finite() && share >= 0.0 {
            true => Ok(Self {
                path: path.into(),
                share,
            }),
            false => Err(MergeError(text.to_owned())),
        }
    }
}

/// Writes the records of all parts, one part after the other; how many there were. Copies of a file
/// follow each other whole, so that games stay in one piece.
///
/// # Errors
/// If a file cannot be read or written. Then nothing is written.
pub fn merge(parts: &[MergePart], seed: u64, output: &Path) -> Result<u64, DataError> {
    let mut writer = DataWriter::create(output)?;
    let mut rng = fastrand::Rng::with_seed(seed);
    for part in parts {
        let copies = part.share.floor();
        for _ in 0..copies as u64 {
            for record in DataReader::open(&part.path)? {
                writer.write(&record?)?;
            }
        }
        let rest = part.share - copies;
        // A file of which nothing is taken must be one all the same.
        if rest > 0.0 || copies == 0.0 {
            for record in DataReader::open(&part.path)? {
                let record = record?;
                if rng.f64() < rest {
                    writer.write(&record)?;
                }
            }
        }
    }
    writer.finish()
}
