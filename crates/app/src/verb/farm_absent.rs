//! `tesuji farm` and `tesuji work` where the program was built without them: how to get them.

use crate::answer::{ExitStatus, Failure};
use clap::Args;

/// Shares work between many machines (this build has no database driver)
#[derive(Args)]
pub(crate) struct FarmAbsent {
    /// Whatever belongs to the verb
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _rest: Vec<String>,
}

impl FarmAbsent {
    /// Says how to get the verb.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        Err(Failure::Usage(
            "this build has no database driver, which takes long to compile: cargo build --release \
             -p tesuji --features farm builds a program with farm and work (docs/farm.md)"
                .into(),
        ))
    }
}
