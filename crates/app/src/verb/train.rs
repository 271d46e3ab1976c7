//! `tesuji train`: from samples to weights.

mod bar;
mod nnue;

use crate::answer::{ExitStatus, Failure};
use clap::{Args, Subcommand};

/// Trains evaluations
#[derive(Args)]
pub(crate) struct Train {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Nnue(Box<nnue::Nnue>),
}

impl Train {
    /// Trains.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.what {
            What::Nnue(nnue) => nnue.run(),
        }
    }
}
