//! What the training of a network says about itself.

use crate::training::log::LogEntry;
use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum NnueLogEntry {
    /// Steps of training.
    Train {
        /// The last of the steps, from 1.
        step: u64,
        epoch: u32,
        /// The mean over the steps.
        loss: f64,
        rate: f32,
        /// Samples per second of the steps.
        speed: f64,
    },
    /// A test on samples that are not trained on.
    Test { step: u64, epoch: u32, loss: f64 },
    /// A test on comparisons that are not trained on.
    Comparisons {
        step: u64,
        epoch: u32,
        loss: f64,
        /// The share in which the chosen move is valued highest.
        agreement: f64,
    },
}

impl LogEntry for NnueLogEntry {
    fn step(&self) -> u64 {
        match self {
            Self::Train { step, .. } | Self::Test { step, .. } | Self::Comparisons { step, .. } => {
                *step
            }
        }
    }
}

/// The loss of the last test.
pub(super) fn last_test(entries: &[NnueLogEntry]) -> Option<f64> {
    entries.iter().rev().find_map(|entry| match entry {
        NnueLogEntry::Test { loss, .. } => Some(*loss),
        NnueLogEntry::Train { .. } | NnueLogEntry::Comparisons { .. } => None,
    })
}
