//! The methods of tuning by name.

use super::clop::Clop;
use super::local::LocalSearch;
use super::optimizer::{Optimizer, TuneSchedule};
use super::parameter::TunedParameter;
use super::spsa::Spsa;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TuningMethod {
    /// Simultaneous perturbation: all parameters at once, each up or down by chance.
    #[default]
    Spsa,
    /// One parameter after the other, one step at a time, kept if a test accepts it.
    Local,
    /// A quadratic model of the winning chance, fitted where it is high: for few parameters.
    Clop,
}

/// No method has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no method: spsa, local or clop")]
pub struct TuningMethodError(String);

impl FromStr for TuningMethod {
    type Err = TuningMethodError;

    fn from_str(text: &str) -> Result<Self, TuningMethodError> {
        match text {
            "spsa" => Ok(Self::Spsa),
            "local" => Ok(Self::Local),
            "clop" => Ok(Self::Clop),
            _ => Err(TuningMethodError(text.chars().take(40).collect())),
        }
    }
}

impl fmt::Display for TuningMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spsa => "spsa",
            Self::Local => "local",
            Self::Clop => "clop",
        })
    }
}

impl TuningMethod {
    /// The most parameters it is meant for, if it is for few.
    pub const fn most_parameters(self) -> Option<usize> {
        match self {
            Self::Clop => Some(6),
            Self::Spsa | Self::Local => None,
        }
    }

    /// An optimizer that has heard nothing yet.
    pub fn optimizer(
        self,
        parameters: &[TunedParameter],
        schedule: &TuneSchedule,
    ) -> Box<dyn Optimizer> {
        match self {
            Self::Spsa => Box::new(Spsa::new(parameters, schedule)),
            Self::Local => Box::new(LocalSearch::new(parameters, schedule)),
            Self::Clop => Box::new(Clop::new(parameters)),
        }
    }
}
