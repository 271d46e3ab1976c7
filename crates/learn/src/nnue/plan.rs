//! Everything that decides what a training makes of its data: written into every checkpoint, so that
//! a training that goes on goes on as it began.

use super::architecture::Architecture;
use super::loss::Target;
use super::optimizer::AdamW;
use super::schedule::Schedule;
use crate::data::Filter;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use tesuji_eval::nnue::Skip;
use tesuji_kernels::digest_input;

/// A file that a training reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlanFile {
    /// Where it lies.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// What its bytes are told by: another file may lie there when the training goes on.
    #[serde(default)]
    pub digest: u64,
}

impl PlanFile {
    /// Looks at a file as it is now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.into(),
            bytes: std::fs::metadata(path)?.len(),
            digest: digest_input(path)?,
        })
    }
}

/// What comparisons count for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ComparisonPlan {
    /// What the mean loss of comparisons counts beside that of positions.
    pub weight: f32,
    /// How many points more make a leaf e times as likely to be the chosen one.
    pub temperature: f32,
    /// The file they are in.
    pub file: PlanFile,
}

/// What is trained, on what, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The network.
    pub architecture: Architecture,
    /// Whether what is common to all sections of the first layer is trained beside them.
    pub has_factorizer: bool,
    /// What the network corrects.
    #[serde(with = "skip_name")]
    pub skip: Skip,
    /// What it is trained towards.
    pub target: Target,
    /// The learning rate.
    pub schedule: Schedule,
    /// The optimizer.
    pub adam: AdamW,
    /// How often each sample is seen.
    pub epochs: u32,
    /// How many samples make a step.
    pub batch: usize,
    /// How many samples in a hundred are mirrored left to right.
    pub mirrored_percent: u8,
    /// The share of the training, at its end, that feels the integers of the file.
    pub quantized_share: f32,
    /// Over how many checkpoints at the end the network is averaged; less than two mean the last.
    pub average: u32,
    /// How many steps lie between two checkpoints.
    pub checkpoint_every: u64,
    /// How many samples are tested on at most.
    pub validation_limit: usize,
    /// The share of the games that is only tested on.
    pub validation_share: f64,
    /// What is left out.
    pub filter: Filter,
    /// Decides everything that is left to chance.
    pub seed: u64,
    /// Into how many files the samples were too many for memory; one if they were not.
    pub shards: usize,
    /// How many threads work; sums depend on it in their last bits.
    pub threads: usize,
    /// The files to learn from.
    pub files: Vec<PlanFile>,
    /// The files to be tested on.
    pub validation_files: Vec<PlanFile>,
    /// Moves of strong players beside their rivals, if they are learnt too.
    #[serde(default)]
    pub comparisons: Option<ComparisonPlan>,
    /// The network that the training begins with.
    pub initial: Option<PlanFile>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            architecture: Architecture::default(),
            has_factorizer: false,
            skip: Skip::Nothing,
            target: Target::default(),
            schedule: Schedule::default(),
            adam: AdamW::default(),
            epochs: 3,
            batch: 16_384,
            mirrored_percent: 50,
            quantized_share: 0.25,
            average: 0,
            checkpoint_every: 250,
            validation_limit: 200_000,
            validation_share: 0.02,
            filter: Filter::for_training(),
            seed: 1,
            shards: 1,
            threads: 1,
            files: Vec::new(),
            validation_files: Vec::new(),
            comparisons: None,
            initial: None,
        }
    }
}

impl Plan {
    /// How many steps it takes to see so many samples once.
    pub(super) fn steps_of(&self, samples: usize) -> u64 {
        samples.div_ceil(self.batch.max(1)) as u64
    }

    /// The first step that feels the integers of the file.
    pub(super) fn first_quantized(&self, total: u64) -> u64 {
        total - (total as f64 * f64::from(self.quantized_share)).round() as u64
    }

    /// Whether the parameters after a step, counted from 1, are averaged over.
    pub(super) fn is_averaged(&self, step: u64, total: u64) -> bool {
        let behind = (total - step) / self.checkpoint_every;
        let is_kept = step == total || step.is_multiple_of(self.checkpoint_every);
        self.average > 1 && is_kept && behind < u64::from(self.average)
    }
}

/// A skip by its name.
mod skip_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tesuji_eval::nnue::Skip;

    pub(super) fn serialize<S: Serializer>(skip: &Skip, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(skip.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Skip, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
