//! `tesuji bench agreement`: how often a search plays the moves of strong players.

use crate::answer::{ExitStatus, Failure, read_file, write_json};
use crate::arguments::played;
use crate::progress::Progress;
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{NoListener, Phase, Search, SearchControl, SearchLimits, SearchRequest};
use tesuji_shogi::{Move, Position};

const EXAMPLES: &str = "\
Examples:
  tesuji bench agreement val.jsonl --nodes 1000
  tesuji bench agreement val.jsonl --depth 1 --nodes 1000 --eval builtin --eval nnue:nn.bin

A file has one position a line: JSON with the fields `sfen` and `bestmove`, or `SFEN moves MOVE`
(what follows a tab is left alone). Every position is searched with an empty table.";

/// Counts how often the search plays the expected move, by evaluator and effort
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MoveAgreement {
    /// Positions with the moves that strong players chose
    file: PathBuf,
    /// Which evaluators; may be given several times
    #[arg(long, value_name = "SPEC", default_value = "builtin")]
    eval: Vec<EvalSpec>,
    /// How many nodes a position is searched with; may be given several times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// How many plies deep; may be given several times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Vec<u32>,
    /// Only the first so many positions
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// The transposition table of each search, in megabytes
    #[arg(long, default_value_t = 16, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct AgreementRow {
    evaluator: String,
    effort: String,
    positions: usize,
    agreed: usize,
    percent: f64,
    standard_error: f64,
}

impl MoveAgreement {
    /// Searches and prints row by row.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut positions = read_file(&self.file, played::parse)?;
        positions.truncate(self.limit);
        let mut efforts: Vec<_> = self
            .depth
            .iter()
            .map(|&depth| (format!("depth {depth}"), SearchLimits::depth(depth)))
            .collect();
        let nodes = self.nodes.iter();
        efforts.extend(nodes.map(|&n| (format!("{n} nodes"), SearchLimits::nodes(n))));
        if efforts.is_empty() {
            efforts.push(("1000 nodes".to_owned(), SearchLimits::nodes(1000)));
        }
        let mut out = std::io::stdout().lock();
        for (effort, limits) in &efforts {
            for spec in &self.eval {
                let row = self.measure(spec, effort, limits, &positions)?;
                match self.json {
                    true => write_json(&mut out, &row)?,
                    false => writeln!(
                        out,
                        "{:<32} {:>14}  {:>6} of {:>6}  {:>5.1} ± {:.1} %",
                        row.evaluator,
                        row.effort,
                        row.agreed,
                        row.positions,
                        row.percent,
                        row.standard_error
                    )?,
                }
                out.flush()?;
            }
        }
        Ok(ExitStatus::Yes)
    }

    fn measure(
        &self,
        spec: &EvalSpec,
        effort: &str,
        limits: &SearchLimits,
        positions: &[(Position, Move)],
    ) -> Result<AgreementRow, Failure> {
        let eval = AnyEval::choose(spec, &EvalSettings::default())?;
        let progress = Progress::new("positions", positions.len() as u64);
        let bytes = (self.hash as usize) << 20;
        let agrees = |search: &mut std::io::Result<AnyTournament>, (pos, mv)| {
            let search = search.as_mut().map_err(|error| error.to_string())?;
            progress.tick();
            Ok(plays(search, limits, pos, mv))
        };
        let agreed: Result<Vec<bool>, String> = positions
            .par_iter()
            .map(|(pos, mv)| (pos, *mv))
            .map_init(|| AnyTournament::new(eval.clone(), 1, bytes), agrees)
            .collect();
        let agreed = agreed.map_err(|error| Failure::Output(std::io::Error::other(error)))?;
        let (count, agreed) = (agreed.len(), agreed.iter().filter(|&&yes| yes).count());
        let share = agreed as f64 / count.max(1) as f64;
        Ok(AgreementRow {
            evaluator: spec.to_string(),
            effort: effort.to_owned(),
            positions: count,
            agreed,
            percent: 100.0 * share,
            standard_error: 100.0 * (share * (1.0 - share) / count.max(1) as f64).sqrt(),
        })
    }
}

fn plays(search: &mut AnyTournament, limits: &SearchLimits, pos: &Position, mv: Move) -> bool {
    search.new_game();
    let request = SearchRequest::new(pos.clone()).with_limits(limits.clone());
    let control = SearchControl::new(Phase::Thinking, None);
    let best = search.think(&request, &control, &mut NoListener);
    best.pv.first() == Some(&mv)
}
