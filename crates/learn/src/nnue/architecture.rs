//! The architectures that can be trained: which features, how wide, how many outputs.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tesuji_eval::nnue::{BucketKind, Buckets, Extension, FeatureSet, NetworkShape, Skip};

/// An architecture, written as in `kp-256x2-32-32` or `zones9-256x2-32-32-screlu-material8`.
///
/// ```
/// use tesuji_learn::nnue::Architecture;
/// let small: Architecture = "kp-256x2-32-32".parse().unwrap();
/// assert_eq!(small.parameters(), 1710 * 256 + 256 + 512 * 32 + 32 + 32 * 32 + 32 + 32 + 1);
/// let large: Architecture = "zones9-512x2-16-32-screlu-progress4".parse().unwrap();
/// assert_eq!(large.to_string(), "zones9-512x2-16-32-screlu-progress4");
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
    /// Whether the activations of the first layer are squared.
    pub is_squared: bool,
    /// What chooses between several stacks of the layers above the first.
    pub buckets: Option<Buckets>,
}

/// Why a text names no architecture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no architecture: expected FEATURES-WIDTHx2-SECOND-THIRD, as in kp-256x2-32-32, with \
     features {features}, a width of {widths:?}, and up to 64 outputs of the other layers; behind \
     it -screlu for squared activations and -materialN or -progressN for 2 to 16 output buckets",
    features = NAMES.map(|(name, _)| name).join(", "),
    widths = Architecture::WIDTHS
)]
pub struct ArchitectureError(String);

const NAMES: [(&str, FeatureSet); 9] = [
    ("kp", FeatureSet::KP),
    ("halfkp", FeatureSet::HALF_KP),
    ("halfkpvm", FeatureSet::HALF_KP_VM),
    ("halfka", FeatureSet::HALF_KA),
    ("halfkahm", FeatureSet::HALF_KA_HM),
    ("halfka2", FeatureSet::HALF_KA_2),
    ("halfkahm2", FeatureSet::HALF_KA_HM_2),
    ("zones5", FeatureSet::ZONES_5),
    ("zones9", FeatureSet::ZONES_9),
];

const BUCKETS: [(&str, BucketKind); 2] = [
    ("material", BucketKind::Material),
    ("progress", BucketKind::Progress),
];

impl Architecture {
    /// The widths of a first layer that the engine can run.
    pub const WIDTHS: [usize; 5] = [256, 512, 768, 1024, 1536];

    /// The same as the engine describes it.
    pub fn shape(&self) -> NetworkShape {
        let [second, third] = self.hidden;
        let shape = NetworkShape::clipped_relu(self.features, [self.width, second, third]);
        self.extension(Skip::Nothing).of(shape)
    }

    /// What the file says beyond its shape.
    pub fn extension(&self, skip: Skip) -> Extension {
        Extension {
            skip,
            is_squared: self.is_squared,
            buckets: self.buckets,
        }
    }

    /// How many stacks of layers there are.
    pub fn stacks(&self) -> usize {
        self.buckets.map_or(1, |buckets| buckets.count())
    }

    /// How many numbers the network has.
    pub fn parameters(&self) -> usize {
        let layers = self.shape().layers();
        let above = layers
            .iter()
            .map(|(inputs, outputs)| (inputs + 1) * outputs);
        (self.features.count() + 1) * self.width + self.stacks() * above.sum::<usize>()
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

fn buckets_named(text: &str) -> Option<Buckets> {
    let mut kinds = BUCKETS.into_iter();
    let (name, kind) = kinds.find(|(name, _)| text.starts_with(name))?;
    Buckets::new(kind, text[name.len()..].parse().ok()?)
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Self, ArchitectureError> {
        let parse = || {
            let mut parts = text.split('-');
            let name = parts.next()?;
            let (_, features) = NAMES.into_iter().find(|(known, _)| *known == name)?;
            let width = parts.next()?.strip_suffix("x2")?.parse().ok()?;
            let mut output = || {
                let outputs = parts.next()?.parse().ok();
                outputs.filter(|n| (1..=64).contains(n))
            };
            let mut architecture = Self {
                features,
                width,
                hidden: [output()?, output()?],
                is_squared: false,
                buckets: None,
            };
            for part in parts {
                match part {
                    "screlu" => architecture.is_squared = true,
                    _ => architecture.buckets = Some(buckets_named(part)?),
                }
            }
            Self::WIDTHS.contains(&width).then_some(architecture)
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
        write!(f, "{name}-{}x2-{second}-{third}", self.width)?;
        if self.is_squared {
            write!(f, "-screlu")?;
        }
        if let Some(buckets) = self.buckets {
            let mut kinds = BUCKETS.into_iter();
            let kind = kinds.find(|(_, kind)| *kind == buckets.kind());
            write!(f, "-{}{}", kind.map_or("?", |kind| kind.0), buckets.count())?;
        }
        Ok(())
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
            is_squared: false,
            buckets: None,
        }
    }
}
