//! `tesuji data`: training data filtered, shuffled, split, scored anew and described.

mod comparisons;
mod openings;
mod page;
mod problems;
mod visited;

use crate::answer::{ExitStatus, Failure, read_file, write_json};
use crate::arguments::numbers::{plan_file, positive};
use crate::progress::Progress;
use clap::{Args, Subcommand};
use comparisons::ComparisonsArgs;
use openings::OpeningsArgs;
use problems::ProblemsArgs;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_learn::data::{
    DataReader, DataStats, DataWriter, Filter, Kept, MergePart, Rescore, Shuffle, Split,
    import_games, merge, replace_by_leaves, rescore, scales, shuffle, split,
};
use visited::VisitedArgs;

const EXAMPLES: &str = "\
Examples:
  tesuji data games games.tsv players.tsv public.psv   scored games of other programs, on one scale
  tesuji data split gen0/games-0.psv train.psv valid.psv --share 20
                                                       whole games apart to validate with
  tesuji data filter train.psv quiet.psv --in-check --tactical --decided 3000 --repeated
  tesuji data leaves train.psv quiet.psv               what a search asks its evaluation about
  tesuji data visited games.psv visited.psv             positions out of the trees of searches
  tesuji data comparisons moves.psv games.tsv --min-rating 2800
                                                       moves of strong players beside others
  tesuji data comparisons moves.psv games.tsv --nodes 1000
                                                       beside what a search would have played
  tesuji data rescore quiet.psv newer.psv --eval nnue:nn.bin --nodes 500
  tesuji data scale public.psv half.psv --factor 0.5    scores of another program, on our scale
  tesuji data merge mixed.psv newer.psv public.psv:0.2  a fifth of the public positions
  tesuji data shuffle shuffled.psv newer.psv public.psv
  tesuji data stats shuffled.psv --html stats.html
  tesuji data openings match.jsonl --plies 40           first moves, castles
  tesuji data problems games.usi problems.txt           mates and brinkmates to train with

Formats by extension: psv (or bin), hcpe, sbinpack, hcpe3 and pack are read; psv, hcpe and sbinpack
are written. Every record is checked. A file is written under another name and renamed when it is whole. `rescore` goes on where
it was killed.";

/// Prepares training data
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Data {
    #[command(subcommand)]
    work: DataWork,
}

#[derive(Subcommand)]
enum DataWork {
    /// Reads scored games of other programs, brought to one scale
    Games(GamesArgs),
    /// Writes the records of all inputs in random order, whatever their size
    Shuffle(ShuffleArgs),
    /// Leaves out what teaches little
    Filter(FilterArgs),
    /// Puts whole games apart for validation
    Split(SplitArgs),
    /// Replaces every position by the leaf of its quiescence search
    Leaves(LeavesArgs),
    /// Draws positions that a search visits, to be scored in their turn
    Visited(VisitedArgs),
    /// Puts the moves of strong players beside moves that they did not choose
    Comparisons(ComparisonsArgs),
    /// Searches every position anew with another evaluation
    Rescore(RescoreArgs),
    /// Multiplies every score: programs count on scales of their own
    Scale(ScaleArgs),
    /// Joins files, some of them only in part
    Merge(Merge),
    /// Describes positions: values, plies, results, and how values predict results
    Stats(StatsArgs),
    /// Counts how games begin: first moves, files of the rooks, castles
    Openings(OpeningsArgs),
    /// Makes mate problems out of games
    Problems(ProblemsArgs),
}

#[derive(Args)]
struct GamesArgs {
    /// The table of games
    games: PathBuf,
    /// The table of players with their scales
    players: PathBuf,
    /// The file to write
    output: PathBuf,
    /// The scale to bring values to: the value at which the chance of winning is 73 %
    #[arg(long, default_value_t = 600.0, value_name = "POINTS", value_parser = positive)]
    scale: f64,
}

#[derive(Args)]
struct ShuffleArgs {
    /// The file to write
    output: PathBuf,
    /// The files to read
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Decides the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many megabytes of records are held in memory
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
}

#[derive(Args)]
struct FilterArgs {
    /// The file to read
    input: PathBuf,
    /// The file to write
    output: PathBuf,
    /// Leave out positions in check
    #[arg(long)]
    in_check: bool,
    /// Leave out positions whose move takes or promotes
    #[arg(long)]
    tactical: bool,
    /// Leave out positions worth at least this much to either side
    #[arg(long, value_name = "VALUE")]
    decided: Option<u16>,
    /// Leave out positions before this ply
    #[arg(long, default_value_t = 0, value_name = "PLY")]
    before: u16,
    /// Leave out positions that came before (eight bytes of memory for each)
    #[arg(long)]
    repeated: bool,
}

#[derive(Args)]
struct SplitArgs {
    /// The file to read, not shuffled
    input: PathBuf,
    /// The file for training
    training: PathBuf,
    /// The file for validation
    validation: PathBuf,
    /// How many games of a thousand are for validation
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..1000))]
    share: u32,
    /// Decides which games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Args)]
struct LeavesArgs {
    /// The file to read
    input: PathBuf,
    /// The file to write
    output: PathBuf,
    /// Which evaluation decides what is taken
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
}

#[derive(Args)]
struct RescoreArgs {
    /// The file to read
    input: PathBuf,
    /// The file to write, as psv
    output: PathBuf,
    /// Which evaluation searches
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    /// How many nodes each position is searched with
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// The transposition table of each thread, in megabytes
    #[arg(long, default_value_t = 8, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
}

#[derive(Args)]
struct ScaleArgs {
    /// The file to read
    input: PathBuf,
    /// The file to write
    output: PathBuf,
    /// By how much; `data stats` shows the spread of values and how they predict results
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    factor: f64,
}

#[derive(Args)]
struct Merge {
    /// The file to write
    output: PathBuf,
    /// The files to read; FILE:0.2 takes a fifth of it at random, FILE:2.5 all of it twice and a half
    #[arg(required = true)]
    inputs: Vec<MergePart>,
    /// Decides which records are taken
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Args)]
struct StatsArgs {
    /// The files to read
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Write a page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Data {
    /// Does the work that was asked for.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.work {
            DataWork::Games(args) => args.run(),
            DataWork::Shuffle(args) => args.run(),
            DataWork::Filter(args) => args.run(),
            DataWork::Split(args) => args.run(),
            DataWork::Leaves(args) => args.run(),
            DataWork::Visited(args) => args.run(),
            DataWork::Comparisons(args) => args.run(),
            DataWork::Rescore(args) => args.run(),
            DataWork::Scale(args) => args.run(),
            DataWork::Merge(args) => args.run(),
            DataWork::Stats(args) => args.run(),
            DataWork::Openings(args) => args.run(),
            DataWork::Problems(args) => return args.run(),
        }?;
        Ok(ExitStatus::Yes)
    }
}

fn say(text: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stdout(), "{text}")?)
}

fn total(inputs: &[PathBuf]) -> u64 {
    inputs
        .iter()
        .filter_map(|path| DataReader::count(path))
        .sum()
}

impl GamesArgs {
    fn run(&self) -> Result<(), Failure> {
        let players = read_file(&self.players, |text| {
            scales(text).map_err(|error| (error.line, error.what))
        })?;
        let read = |source| Failure::Read {
            path: self.games.clone(),
            source,
        };
        let file = BufReader::new(tesuji_kernels::open_input(&self.games, u64::MAX).map_err(read)?);
        let mut writer = DataWriter::create(&self.output)?;
        for (line, row) in (1..).zip(file.lines()) {
            let row = row.map_err(read)?;
            if row.starts_with('#') || row.is_empty() {
                continue;
            }
            let records = import_games(&row, &players, self.scale);
            let records = records.map_err(|what| Failure::Line {
                path: self.games.clone(),
                line,
                what: what.into(),
            })?;
            for record in &records {
                writer.write(record)?;
            }
        }
        say(&format!("{} positions", writer.finish()?))
    }
}

impl ShuffleArgs {
    fn run(&self) -> Result<(), Failure> {
        let plan = Shuffle {
            inputs: self.inputs.clone(),
            seed: self.seed,
            memory: (self.memory << 20) / 40,
        };
        let progress = Progress::new("records", total(&self.inputs));
        let written = shuffle(&plan, &self.output, &mut |done| progress.at(done))?;
        drop(progress);
        say(&format!("{written} positions"))
    }
}

impl FilterArgs {
    fn run(&self) -> Result<(), Failure> {
        let filter = Filter {
            in_check: self.in_check,
            tactical: self.tactical,
            decided: self.decided,
            before_ply: self.before,
            repeated: self.repeated,
        };
        let mut writer = DataWriter::create(&self.output)?;
        let mut seen = HashSet::new();
        let mut left_out: BTreeMap<&str, u64> = BTreeMap::new();
        let progress = Progress::new("records", total(std::slice::from_ref(&self.input)));
        for (number, record) in (1u64..).zip(DataReader::open(&self.input)?) {
            let record = record?;
            let kept = filter
                .look(&record, &mut seen)
                .map_err(|error| Failure::File {
                    path: self.input.clone(),
                    what: format!("record {number}: {error}").into(),
                })?;
            match reason(kept) {
                None => writer.write(&record)?,
                Some(reason) => *left_out.entry(reason).or_default() += 1,
            }
            if number % 65_536 == 0 {
                progress.at(number);
            }
        }
        drop(progress);
        say(&format!("{} positions", writer.finish()?))?;
        for (reason, count) in left_out {
            say(&format!("{count} left out: {reason}"))?;
        }
        Ok(())
    }
}

/// Why a record was left out.
fn reason(kept: Kept) -> Option<&'static str> {
    match kept {
        Kept::Yes => None,
        Kept::Early => Some("too early in the game"),
        Kept::Decided => Some("decided"),
        Kept::Repeated => Some("came before"),
        Kept::InCheck => Some("in check"),
        Kept::Tactical => Some("the move takes or promotes"),
    }
}

impl SplitArgs {
    fn run(&self) -> Result<(), Failure> {
        let plan = Split {
            inputs: vec![self.input.clone()],
            per_mille: self.share,
            seed: self.seed,
        };
        let (training, validation) = split(&plan, &self.training, &self.validation)?;
        say(&format!(
            "{training} positions for training, {validation} for validation"
        ))
    }
}

impl LeavesArgs {
    fn run(&self) -> Result<(), Failure> {
        let eval = AnyEval::choose(&self.eval, &EvalSettings::default())?;
        let progress = Progress::new("positions", total(std::slice::from_ref(&self.input)));
        let counts = replace_by_leaves(&eval, &self.input, &self.output, &mut |done| {
            progress.at(done)
        })?;
        drop(progress);
        say(&format!(
            "{} positions as they were, {} leaves, {} left out without a quiet one",
            counts.unchanged, counts.replaced, counts.left_out
        ))
    }
}

impl RescoreArgs {
    /// What decides the values: names, and what the files hold that have them now.
    fn settings(&self) -> Result<String, Failure> {
        let input = plan_file(&self.input)?;
        Ok(format!(
            "{} ({:016x}) {} nodes, {} MB, {} ({:016x})",
            self.eval,
            self.eval.digest()?,
            self.nodes,
            self.hash,
            self.input.display(),
            input.digest
        ))
    }

    fn run(&self) -> Result<(), Failure> {
        let eval = AnyEval::choose(&self.eval, &EvalSettings::default())?;
        let plan = Rescore {
            eval: &eval,
            settings: self.settings()?,
            nodes: self.nodes,
            threads: self.threads,
            table_bytes: (self.hash as usize) << 20,
        };
        let progress = Progress::new("positions", total(std::slice::from_ref(&self.input)));
        let count = rescore(&plan, &self.input, &self.output, &mut |done| {
            progress.at(done)
        })?;
        drop(progress);
        say(&format!("{count} positions"))
    }
}

impl ScaleArgs {
    fn run(&self) -> Result<(), Failure> {
        let mut writer = DataWriter::create(&self.output)?;
        let progress = Progress::new("records", total(std::slice::from_ref(&self.input)));
        for record in DataReader::open(&self.input)? {
            let mut record = record?;
            // A float becomes the nearest number that fits.
            record.set_score((f64::from(record.score()) * self.factor).round() as i16);
            writer.write(&record)?;
            progress.tick();
        }
        drop(progress);
        say(&format!("{} positions", writer.finish()?))
    }
}

impl Merge {
    fn run(&self) -> Result<(), Failure> {
        let written = merge(&self.inputs, self.seed, &self.output)?;
        say(&format!("{written} positions"))
    }
}

/// The figures, for scripts.
#[derive(Serialize)]
struct Described {
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    mean: f64,
    deviation: f64,
    scale: Option<f64>,
    error: Option<f64>,
}

impl StatsArgs {
    fn run(&self) -> Result<(), Failure> {
        let mut stats = DataStats::default();
        for path in &self.inputs {
            for record in DataReader::open(path)? {
                stats.add(&record?);
            }
        }
        let ((mean, deviation), fit) = (stats.spread(), stats.fit());
        let [won, drawn, lost] = stats.results;
        if let Some(path) = &self.html {
            let page = page::page(&stats);
            tesuji_record::file::save(path, page.as_bytes()).map_err(|source| Failure::Write {
                path: path.clone(),
                source,
            })?;
        }
        if self.json {
            let described = Described {
                positions: stats.records,
                won,
                drawn,
                lost,
                mean,
                deviation,
                scale: fit.map(|fit| fit.scale),
                error: fit.map(|fit| fit.error),
            };
            write_json(&mut std::io::stdout().lock(), &described)?;
            return Ok(());
        }
        say(&format!(
            "{} positions: {won} won, {drawn} drawn, {lost} lost by the side to move",
            stats.records
        ))?;
        say(&format!(
            "values within 3000: mean {mean:.0}, deviation {deviation:.0}"
        ))?;
        if let Some(fit) = fit {
            say(&format!(
                "chance of winning = 1 / (1 + exp(-value / {:.0})), squared error {:.4}",
                fit.scale, fit.error
            ))?;
        }
        say(&page::table(&stats))
    }
}
