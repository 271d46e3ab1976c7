//! `tesuji data comparisons`: moves of strong players beside moves that they did not choose.

use super::say;
use crate::answer::Failure;
use crate::arguments::numbers::positive;
use crate::progress::Progress;
use clap::Args;
use std::path::PathBuf;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_learn::data::{RivalDraw, write_comparisons};
use tesuji_learn::online::{ExampleSource, Examples};

#[derive(Args)]
pub(super) struct ComparisonsArgs {
    /// The file to write, as psv: `tesuji train nnue --comparisons FILE` learns from it
    output: PathBuf,
    /// Games: tables as `tesuji data games` reads them, records, or samples with moves
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Only moves of players rated at least this, where ratings are known
    #[arg(long, value_name = "RATING", default_value_t = 0)]
    min_rating: u32,
    /// How many moves stand beside the one that was played
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    rivals: u16,
    /// A move that quiescence values so many points higher is drawn e times as often
    #[arg(long, value_name = "POINTS", default_value_t = 100.0, value_parser = positive)]
    temperature: f64,
    /// Search every position over so many nodes: the rivals are the moves that the search holds for
    /// best, and the leaves stand at the end of its lines. Without it quiescence alone leads there
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "temperature")]
    nodes: Option<u64>,
    /// At most so many positions, taken evenly from all games
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Which evaluation leads to the leaves
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    /// Decides which moves are drawn; with --nodes none are
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads work; the comparisons are the same with any number [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl ComparisonsArgs {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let eval = AnyEval::choose(&self.eval, &EvalSettings::default())?;
        let source = ExampleSource {
            files: self.games.clone(),
            min_rating: self.min_rating,
            scales: None,
            held_out_share: 0.0,
            held_out_limit: 0,
            seed: self.seed,
        };
        let mut played = Examples::load(&source)?.training;
        if let Some(most) = self.positions.filter(|&most| most < played.len()) {
            let count = played.len();
            played = (0..most)
                .map(|place| played[place * count / most])
                .collect();
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let draw = RivalDraw {
            rivals: self.rivals.into(),
            nodes: self.nodes,
            temperature: self.temperature,
            seed: self.seed,
            threads: self.threads.map_or_else(cores, usize::from),
        };
        let progress = Progress::new("positions", played.len() as u64);
        let counts = write_comparisons(&eval, &played, &draw, &self.output, &mut |done| {
            progress.at(done)
        })?;
        drop(progress);
        say(&format!(
            "{} comparisons, {} positions left out: decided, in check at the leaf, or too few moves",
            counts.written, counts.left_out
        ))
    }
}
