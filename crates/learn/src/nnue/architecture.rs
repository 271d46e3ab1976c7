//! The architectures that can be trained: which features, how wide, how many outputs.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tesuji_eval::nnue::{FeatureSet, NetworkShape};

/// An architecture, written as in `kp-256x2-32-32`.
///
/// ```
/// use tesuji_learn::nnue::Architecture;
/// let small: Architecture = "kp-256x2-32-32".parse().unwrap();
/// assert_eq!(small.parameters(), 1710 * 256 + 256 + 512 * 32 + 32 + 32 * 32 + 32 + 32 + 1);
/// assert!("kp-250x2-32-32".parse::<Architecture>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Architecture {
    /// What the first layer looks at.
    pub features: FeatureSet,
    /// How wide the first layer is, for each point of view.
    pub width: usize,
    /// How many outputs the second and the third layer have.
    pub hidden: [usize; 2],
}

/// Why a text names no architecture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no architecture: expected FEATURES-WIDTHx2-SECOND-THIRD, as in kp-256x2-32-32, with \
     features {features}, a width of {widths:?}, and up to 64 outputs of the other layers",
    features = NAMES.map(|(name, _)| name).join(", "),
    widths = Architecture::WIDTHS
)]
pub struct ArchitectureError(String);

const NAMES: [(&str, FeatureSet); 7] = [
    ("kp", FeatureSet::KP),
    ("halfkp", FeatureSet::HALF_KP),
    ("halfkpvm", FeatureSet::HALF_KP_VM),
    ("halfka", FeatureSet::HALF_KA),
    ("halfkahm", FeatureSet::HALF_KA_HM),
    ("halfka2", FeatureSet::HALF_KA_2),
    ("halfkahm2", FeatureSet::HALF_KA_HM_2),
];

impl Architecture {
    /// The widths of a first layer that the engine can run.
    pub const WIDTHS: [usize; 5] = [256, 512, 768, 1024, 1536];

    /// The same as the engine describes it.
    pub fn shape(&self) -> NetworkShape {
        let [second, third] = self.hidden;
        NetworkShape::clipped_relu(self.features, [self.width, second, third])
    }

    /// How many numbers are trained.
    pub fn parameters(&self) -> usize {
        let layers = self.shape().layers();
        let above = layers
            .iter()
            .map(|(inputs, outputs)| (inputs + 1) * outputs);
        (self.features.count() + 1) * self.width + above.sum::<usize>()
    }

    /// How many features are active in every position, for each point of view.
    pub fn active(&self) -> usize {
        if self.features.kings.is_some() {
            40
        } else {
            38
        }
    }
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Self, ArchitectureError> {
        let parse = || {
            let mut parts = text.split('-');
            let name = parts.next()?;
            let (_, features) = NAMES.into_iter().find(|(known, _)| *known == name)?;
            let width = parts.next()?.strip_suffix("x2")?.parse().ok()?;
            let mut output = || parts.next()?.parse().ok().filter(|n| (1..=64).contains(n));
            let hidden = [output()?, output()?];
            let is_whole = parts.next().is_none() && Self::WIDTHS.contains(&width);
            is_whole.then_some(Self {
                features,
                width,
                hidden,
            })
        };
        parse().ok_or_else(|| ArchitectureError(text.into()))
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = NAMES.into_iter();
        let name = names.find(|(_, features)| *features == self.features);
        let [second, third] = self.hidden;
        let name = name.map_or("?", |(name, _)| name);
        write!(f, "{name}-{}x2-{second}-{third}", self.width)
    }
}

impl From<Architecture> for String {
    fn from(architecture: Architecture) -> Self {
        architecture.to_string()
    }
}

impl TryFrom<String> for Architecture {
    type Error = ArchitectureError;

    fn try_from(text: String) -> Result<Self, ArchitectureError> {
        text.parse()
    }
}

impl Default for Architecture {
    fn default() -> Self {
        Self {
            features: FeatureSet::KP,
            width: 256,
            hidden: [32, 32],
        }
    }
}
