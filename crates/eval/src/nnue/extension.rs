//! What a network needs beyond its layers, told by braces at the end of its description.
//!
//! A network that is trained on little data does better when it corrects an evaluation made by hand
//! than when it has to learn everything: the value is the sum of both (the residual connection of
//! He and others 2015, around the whole network).

use super::error::NnueError;
use std::fmt;
use std::str::FromStr;

/// An evaluation that is added to the output of a network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Skip {
    /// The network stands alone.
    #[default]
    Nothing,
    /// The values of the pieces.
    PieceValues,
    /// Pieces in relation to the kings and to each other.
    Relation,
}

impl Skip {
    /// Every kind of skip.
    pub const ALL: [Self; 3] = [Self::Nothing, Self::PieceValues, Self::Relation];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "None",
            Self::PieceValues => "PieceValues",
            Self::Relation => "Relation",
        }
    }
}

impl FromStr for Skip {
    type Err = NnueError;

    fn from_str(text: &str) -> Result<Self, NnueError> {
        let mut all = Self::ALL.into_iter();
        all.find(|skip| skip.name() == text)
            .ok_or_else(|| NnueError::Extension(text.into()))
    }
}

/// What a network needs beyond its layers. The default is nothing.
///
/// ```
/// use tesuji_eval::nnue::{Extension, Skip};
/// let skip = Skip::Relation;
/// assert_eq!(Extension { skip }.to_string(), "{Skip=Relation}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extension {
    /// What is added to the output.
    pub skip: Skip,
}

impl Extension {
    /// The extension at the end of a description.
    pub(super) fn described(text: &str) -> Result<Self, NnueError> {
        let unknown = || NnueError::Extension(text.chars().take(300).collect());
        let (_, braces) = text.rsplit_once('{').ok_or_else(unknown)?;
        let inside = braces.strip_suffix('}').ok_or_else(unknown)?;
        let mut extension = Self::default();
        for setting in inside.split(',') {
            match setting.split_once('=') {
                Some(("Skip", name)) => extension.skip = name.parse()?,
                _ => return Err(unknown()),
            }
        }
        Ok(extension)
    }
}

impl fmt::Display for Extension {
    /// In braces; nothing for the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.skip {
            Skip::Nothing => Ok(()),
            skip => write!(f, "{{Skip={}}}", skip.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FeatureSet, NetworkFile, NetworkShape};
    use super::*;

    #[test]
    fn extensions_are_read_back_and_unknown_ones_refused() {
        let plain = NetworkFile::blank(NetworkShape::clipped_relu(FeatureSet::KP, [256, 32, 32]));
        for skip in Skip::ALL {
            let file = plain.clone().extended(Extension { skip });
            assert_eq!(NetworkFile::read(&file.write()), Ok(file));
        }
        assert_eq!(plain.clone().extended(Extension::default()), plain);
        let mut odd = plain.extended(Extension {
            skip: Skip::Relation,
        });
        let end = odd.description.len() - 1;
        for (at, byte) in [(end, b')'), (end - 1, b'm'), (end - 9, b'_')] {
            let kept = std::mem::replace(&mut odd.description[at], byte);
            let read = NetworkFile::read(&odd.write());
            assert!(matches!(read, Err(NnueError::Extension(_))), "{read:?}");
            odd.description[at] = kept;
        }
    }
}
