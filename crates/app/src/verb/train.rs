//! `tesuji train`: from games and samples to weights.

mod bar;
mod nnue;
mod online;

use crate::answer::{ExitStatus, Failure};
use clap::{Args, Subcommand};
use std::path::Path;

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

/// Makes the folder of a training; if it is to begin anew, without what an earlier one left.
fn prepare_folder(folder: &Path, restart: bool) -> Result<(), Failure> {
    let failed = |source| Failure::Write {
        path: folder.into(),
        source,
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    if restart {
        for name in ["checkpoint.bin", "log.jsonl"] {
            match std::fs::remove_file(folder.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(failed(error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
