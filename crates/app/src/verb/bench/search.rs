//! `tesuji bench search`: nodes per second of the search, by evaluator and number of threads.

use crate::answer::{ExitStatus, Failure, write_json};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use tesuji_engine::bench::{DEPTH, TABLE_BYTES, run};
use tesuji_engine::{SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::{Phase, SearchControl};

const EXAMPLES: &str = "\
Examples:
  tesuji bench search
  tesuji bench search --eval relation --eval nnue:nn.bin --threads 1 --threads 2 --depth 14

With one thread the number of nodes is always the same; with more it changes from run to run.";

/// Times the search with every evaluator and number of threads side by side
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Searches {
    /// Which evaluators; may be given several times
    #[arg(long, value_name = "SPEC", default_values = ["material", "relation"])]
    eval: Vec<EvalSpec>,
    /// How many threads; may be given several times
    #[arg(long, value_name = "N", default_values_t = [1], value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Vec<u16>,
    /// How deep to search each position
    #[arg(long, default_value_t = DEPTH, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// The size of the transposition table in megabytes
    #[arg(long, default_value_t = TABLE_BYTES >> 20, value_name = "MB")]
    hash: usize,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SearchRow {
    evaluator: String,
    threads: u16,
    depth: u32,
    nodes: u64,
    millis: u128,
    nps: u64,
}

impl Searches {
    /// Measures and prints row by row.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut out = std::io::stdout().lock();
        if !self.json {
            writeln!(
                out,
                "{:<32} {:>7} {:>12} {:>9} {:>10}",
                "evaluator", "threads", "nodes", "ms", "nps"
            )?;
        }
        for spec in &self.eval {
            for &threads in &self.threads {
                let row = self.measure(spec, threads)?;
                if self.json {
                    write_json(&mut out, &row)?;
                } else {
                    writeln!(
                        out,
                        "{:<32} {:>7} {:>12} {:>9} {:>10}",
                        row.evaluator, row.threads, row.nodes, row.millis, row.nps
                    )?;
                }
                out.flush()?;
            }
        }
        Ok(ExitStatus::Yes)
    }

    fn measure(&self, spec: &EvalSpec, threads: u16) -> Result<SearchRow, Failure> {
        let bytes = self.hash.saturating_mul(1 << 20);
        let mut search =
            TournamentFactory.make(spec, &EvalSettings::default(), threads.into(), bytes)?;
        let control = SearchControl::new(Phase::Thinking, None);
        let total = run(search.as_mut(), self.depth, &control, |_| {});
        Ok(SearchRow {
            evaluator: spec.to_string(),
            threads,
            depth: self.depth,
            nodes: total.nodes,
            millis: total.time.as_millis(),
            nps: total.nps(),
        })
    }
}
