//! `tesuji data visited`: positions out of the trees of searches.

use super::{say, total};
use crate::answer::Failure;
use crate::progress::Progress;
use clap::Args;
use std::path::PathBuf;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_learn::data::{VisitedDraw, write_visited};

const AFTERWARDS: &str = "\
A search asks its evaluation about positions that no game reaches. They have no score yet:
  tesuji data visited games.psv visited.psv
  tesuji data leaves visited.psv quiet.psv
  tesuji data rescore quiet.psv scored.psv --nodes 500
Results are those of the games that the searches began in: train with --lambda 1.";

#[derive(Args)]
#[command(after_help = AFTERWARDS)]
pub(super) struct VisitedArgs {
    /// The file to read
    input: PathBuf,
    /// The file to write
    output: PathBuf,
    /// Which evaluation searches
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    /// How many nodes each position is searched with
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many positions are drawn from each search
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    samples: u16,
    /// Decides which
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
}

impl VisitedArgs {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let eval = AnyEval::choose(&self.eval, &EvalSettings::default())?;
        let plan = VisitedDraw {
            eval: &eval,
            nodes: self.nodes,
            samples: self.samples.into(),
            seed: self.seed,
            threads: self.threads,
            table_bytes: 1 << 20,
        };
        let progress = Progress::new("positions", total(std::slice::from_ref(&self.input)));
        let count = write_visited(&plan, &self.input, &self.output, &mut |done| {
            progress.at(done)
        })?;
        drop(progress);
        say(&format!("{count} positions"))
    }
}
