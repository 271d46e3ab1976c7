//! `tesuji bench`: fixed positions to a fixed depth; the number of nodes is the signature.

use crate::answer::{ExitStatus, Failure, write_json};
use crate::progress::Progress;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use tesuji_engine::bench::{DEPTH, POSITIONS, TABLE_BYTES, run};
use tesuji_engine::{SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::{Phase, SearchControl};

/// What the signature is made with.
#[derive(Args)]
pub(crate) struct Signature {
    /// How deep to search each position
    #[arg(long, default_value_t = DEPTH, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Which evaluator: builtin, material, relation, nnue:FILE, kppt:DIR, bonanza:FILE, or a path
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    /// Print one JSON object per position and one for the whole
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SignatureLine<'a> {
    sfen: Option<&'a str>,
    nodes: u64,
    millis: u128,
    nps: Option<u64>,
}

impl Signature {
    /// Searches and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let settings = EvalSettings::default();
        let mut search = TournamentFactory.make(&self.eval, &settings, 1, TABLE_BYTES)?;
        let control = SearchControl::new(Phase::Thinking, None);
        let progress = Progress::new("positions", POSITIONS.len() as u64);
        let mut rows = Vec::new();
        let total = run(search.as_mut(), self.depth, &control, |row| {
            rows.push(row.clone());
            progress.tick();
        });
        drop(progress);
        let mut out = std::io::stdout().lock();
        if !self.json {
            writeln!(out, "{total}")?;
            return Ok(ExitStatus::Yes);
        }
        for row in &rows {
            let line = SignatureLine {
                sfen: Some(row.sfen),
                nodes: row.nodes,
                millis: row.time.as_millis(),
                nps: None,
            };
            write_json(&mut out, &line)?;
        }
        let whole = SignatureLine {
            sfen: None,
            nodes: total.nodes,
            millis: total.time.as_millis(),
            nps: Some(total.nps()),
        };
        write_json(&mut out, &whole)?;
        Ok(ExitStatus::Yes)
    }
}
