//! Everything that decides what a training makes of its games: written into every checkpoint, so
//! that a training that goes on goes on as it began.

use super::layout::Tables;
use super::loss::RivalLoss;
use super::update::Rates;
use crate::leaf_search::LeafDepth;
use crate::nnue::PlanFile;
use serde::{Deserialize, Serialize};

/// How the weights are moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LearningMethod {
    /// After every position, by its own gradient (Kuma Shogi 2013).
    Online,
    /// After all positions, by the sign of the whole gradient (Bonanza, Hoki 2006).
    Batch,
    /// After every position, towards its score and the result of its game (as networks learn).
    Regression,
}

/// What a position is worth when it is learnt by regression.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Regression {
    /// The share of the score; the rest is the result of the game.
    pub lambda: f32,
    /// The score that stands for odds of e to one.
    pub scale: f32,
}

/// What is learnt, from what, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OnlinePlan {
    /// The tables.
    pub tables: Tables,
    /// How the weights are moved.
    pub method: LearningMethod,
    /// How many rivals a played move is compared with; all if `None`.
    pub rivals: Option<usize>,
    /// What a comparison costs.
    pub loss: RivalLoss,
    /// How often heavier a leaf counts that is in check.
    pub check_weight: f32,
    /// How far the searches go whose leaves are compared.
    pub depth: LeafDepth,
    /// How fast is learnt, and how fast is forgotten.
    pub rates: Rates,
    /// What is learnt towards by regression.
    pub regression: Regression,
    /// How many positions are visited in all.
    pub visits: u64,
    /// How many positions make a step: between two steps the threads wait for each other.
    pub step: u64,
    /// How many steps lie between two checkpoints.
    pub checkpoint_every: u64,
    /// How many steps lie between two tests.
    pub test_every: u64,
    /// Decides everything that is left to chance.
    pub seed: u64,
    /// The files to learn from.
    pub files: Vec<PlanFile>,
}

impl Default for OnlinePlan {
    fn default() -> Self {
        Self {
            tables: Tables::KpPp,
            method: LearningMethod::Online,
            rivals: Some(30),
            loss: RivalLoss::default(),
            check_weight: 2.0,
            depth: LeafDepth::default(),
            rates: Rates::default(),
            regression: Regression {
                lambda: 0.9,
                scale: 600.0,
            },
            visits: 0,
            step: 4096,
            checkpoint_every: 16,
            test_every: 16,
            seed: 1,
            files: Vec::new(),
        }
    }
}

impl OnlinePlan {
    /// How many steps there are.
    pub fn steps(&self) -> u64 {
        self.visits.div_ceil(self.step.max(1))
    }
}
