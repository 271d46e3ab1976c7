//! What is asked and what is found out: two sets of values meet in a pair of games.

use crate::score::HalfPoints;
use serde::{Deserialize, Serialize};

/// Two sets of values that are to meet from both sides of an opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// The values of one player, in the order of the parameters.
    pub plus: Vec<i32>,
    /// The values of the other.
    pub minus: Vec<i32>,
    /// The number of the opening, counted on from trial to trial.
    pub opening: u64,
}

/// One step of a tuning: trials that do not depend on each other's outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TuningIteration {
    /// Its number, from 0.
    pub number: u64,
    /// Decides about chance, where a player needs some.
    pub seed: u64,
    /// What is to be played.
    pub trials: Vec<Trial>,
}

/// What came of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PairOutcome {
    /// What `plus` made of each game: 0, 1 or 2.
    pub points: [HalfPoints; 2],
    /// How many moves both games had.
    pub plies: u32,
    /// How many games somebody lost by what no player should do: time, an illegal move.
    pub faults: u32,
}

impl PairOutcome {
    /// Wins less losses of `plus`: from −2 to 2.
    pub fn difference(&self) -> f64 {
        f64::from(self.points[0]) + f64::from(self.points[1]) - 2.0
    }
}

/// Lets trials be played.
pub trait TrialPlayer {
    /// Why it cannot.
    type Error;

    /// The outcome of each trial, in the order of the trials.
    ///
    /// # Errors
    /// If the trials cannot be played.
    fn play(&mut self, iteration: &TuningIteration) -> Result<Vec<PairOutcome>, Self::Error>;
}
