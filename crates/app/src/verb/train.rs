//! `tesuji train`: from games and samples to weights.

mod bar;
mod folder;
mod nnue;
mod online;

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
    Online(Box<online::Online>),
}

impl Train {
    /// Trains.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.what {
            What::Nnue(nnue) => nnue.run(),
            What::Online(online) => online.run(),
        }
    }
}
