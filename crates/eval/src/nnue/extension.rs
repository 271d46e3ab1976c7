//! What a network needs beyond the layers that others know, told by braces at the end of its
//! description.
//!
//! A network that is trained on little data does better when it corrects an evaluation made by hand
//! than when it has to learn everything: the value is the sum of both (the residual connection of
//! He and others 2015, around the whole network).

use super::buckets::{BucketKind, Buckets};
use super::error::NnueError;
use super::shape::{Activation, NetworkShape};
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

/// What a network needs beyond the usual layers. The default is nothing.
///
/// ```
/// use tesuji_eval::nnue::{BucketKind, Buckets, Extension, Skip};
/// let extension = Extension {
///     skip: Skip::Relation,
///     is_squared: true,
///     buckets: Buckets::new(BucketKind::Material, 8),
/// };
/// assert_eq!(extension.to_string(), "{Skip=Relation,Activation=SCReLU,Buckets=Material8}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extension {
    /// What is added to the output.
    pub skip: Skip,
    /// Whether the activations of the first layer are squared.
    pub is_squared: bool,
    /// What chooses between several stacks of layers.
    pub buckets: Option<Buckets>,
}

impl Extension {
    /// The shape that a usual one becomes.
    pub fn of(&self, shape: NetworkShape) -> NetworkShape {
        NetworkShape {
            activation: match self.is_squared {
                true => Activation::SquaredClippedRelu,
                false => shape.activation,
            },
            stacks: self.buckets.map_or(shape.stacks, |buckets| buckets.count()),
            ..shape
        }
    }

    /// The extension at the end of a description.
    pub(super) fn described(text: &str) -> Result<Self, NnueError> {
        let unknown = || NnueError::Extension(text.chars().take(300).collect());
        let (_, braces) = text.rsplit_once('{').ok_or_else(unknown)?;
        let inside = braces.strip_suffix('}').ok_or_else(unknown)?;
        let mut extension = Self::default();
        for setting in inside.split(',') {
            match setting.split_once('=') {
                Some(("Skip", name)) => extension.skip = name.parse()?,
                Some(("Activation", "SCReLU")) => extension.is_squared = true,
                Some(("Buckets", name)) => {
                    extension.buckets = Some(buckets_named(name).ok_or_else(unknown)?);
                }
                _ => return Err(unknown()),
            }
        }
        Ok(extension)
    }
}

const KINDS: [(&str, BucketKind); 2] = [
    ("Material", BucketKind::Material),
    ("Progress", BucketKind::Progress),
];

fn buckets_named(text: &str) -> Option<Buckets> {
    let (name, kind) = KINDS.into_iter().find(|(name, _)| text.starts_with(name))?;
    Buckets::new(kind, text[name.len()..].parse().ok()?)
}

impl fmt::Display for Extension {
    /// In braces; nothing for the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = Vec::new();
        if self.skip != Skip::Nothing {
            settings.push(format!("Skip={}", self.skip.name()));
        }
        if self.is_squared {
            settings.push("Activation=SCReLU".to_owned());
        }
        if let Some(buckets) = self.buckets {
            settings.push(format!("Buckets={:?}{}", buckets.kind(), buckets.count()));
        }
        match settings.as_slice() {
            [] => Ok(()),
            settings => write!(f, "{{{}}}", settings.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FeatureSet, NetworkFile, NetworkShape};
    use super::*;

    #[test]
    fn extensions_are_read_back_and_unknown_ones_refused() {
        let shape = NetworkShape::clipped_relu(FeatureSet::KP, [256, 32, 32]);
        for skip in Skip::ALL {
            for (is_squared, buckets) in [
                (false, None),
                (true, Buckets::new(BucketKind::Material, 8)),
                (false, Buckets::new(BucketKind::Progress, 2)),
            ] {
                let extension = Extension {
                    skip,
                    is_squared,
                    buckets,
                };
                let file = NetworkFile::blank(extension.of(shape)).extended(extension);
                assert_eq!(NetworkFile::read(&file.write()), Ok(file));
            }
        }
        let plain = NetworkFile::blank(shape);
        assert_eq!(plain.clone().extended(Extension::default()), plain);
        let mut odd = plain.extended(Extension {
            skip: Skip::Relation,
            ..Extension::default()
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
