//! `tesuji train online`: pair tables from the moves of game records.

use super::bar::TrainingBar;
use super::folder::TrainingFolder;

use crate::answer::{ExitStatus, Failure, read_file, write_json};
use crate::arguments::numbers::{not_negative, plan_file, positive, share};
use crate::arguments::played;
use crate::interrupt::interrupt_flag;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;
use tesuji_eval::EvalSpec;
use tesuji_learn::data::scales;
use tesuji_learn::nnue::PlanFile;
use tesuji_learn::online::{
    Agreement, ExampleSource, Examples, LeafDepth, LearningMethod, Learnt, OnlineInput, OnlinePlan,
    PlayedPosition, Rates, Regression, RivalLoss, Tables, agreement_of, learn,
};

const EXAMPLES: &str = "\
Examples:
  tesuji train online games.tsv --out tables
        a table of kings and pieces and pairs of pieces, from the moves of a table of games
  tesuji train online games.tsv --out kppt --tables kppt --min-rating 2800 --passes 1
        the tables KK, KKP and KPP with the turn (KPPT) that Apery and its kin read: 0.9 GB
  tesuji train online records/*.csa --out bonanza --tables kpp --rivals 60 --depth 1
        Bonanza's fv.bin, from records, with leaves one ply deeper
  tesuji train online games.tsv --out full --method batch --rivals all --passes 30
        the Bonanza method: all rivals, and a step after all positions
  tesuji train online games.tsv --players players.tsv --out values --method regression
        towards the scores and the results of the games, as networks learn
  tesuji match kppp:tables/kppp.bin material --tc nodes=3000
        how strong it is

LearningMethod: positions are taken in random order. The move that was played is compared with rivals drawn
at random. Each is followed to the leaf of a short search, and the weights move so that the leaf
behind the played move gains on the others, unless it leads by more than a margin that grows during
the game. docs/learner.md tells all of it.

While it runs, OUT/index.html shows the curves in a browser (it loads itself anew), OUT/log.jsonl has
every number, and OUT/checkpoint.bin everything that is needed to go on: the same command after a
kill goes on, and with one thread it ends with the same tables, bit for bit. Ctrl-C writes a
checkpoint and the tables as they are. At the end OUT has the tables (kp.bin, pp.bin, kppp.bin, fv.bin,
or KK_, KKP_ and KPP_synthesized.bin), agreement.svg, and training.json with settings and results.

Games: tables as `tesuji data games` reads them (.tsv; games that ended abnormally are left out),
records (.csa, .kif, .kifu, .ki2, .jkf, .usi, .sfen) and samples with moves (.psv, .hcpe, .sbinpack, .hcpe3,
.pack).";

/// Learns pair tables from the moves of game records, position by position
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Online {
    /// Games to learn from
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The folder for tables, checkpoint, log and curves; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What is learnt
    #[arg(long, value_enum, default_value_t = TableName::Kppp)]
    tables: TableName,
    /// How the weights are moved
    #[arg(long, value_enum, default_value_t = MethodName::Online)]
    method: MethodName,
    /// How many other moves the played one is compared with: a number, or all
    #[arg(long, value_name = "N", default_value = "30", value_parser = rivals)]
    rivals: Rivals,
    /// Only moves of players rated at least this, where ratings are known
    #[arg(long, value_name = "RATING", default_value_t = 0)]
    min_rating: u32,
    /// How often every position is visited
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = positive)]
    passes: f64,
    /// Plies of full search before the quiescence whose leaves are compared
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=3))]
    depth: u32,
    /// Plies of quiescence
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=32))]
    quiescence: u32,
    /// Plies of quiescence in which a check is answered
    #[arg(long, value_name = "PLIES", default_value_t = LeafDepth::default().evasions, value_parser = clap::value_parser!(u32).range(0..=32))]
    evasions: u32,
    /// How steep the loss is, per point
    #[arg(long, value_name = "SLOPE", default_value_t = 7.0 / 256.0, value_parser = positive)]
    slope: f64,
    /// Rivals that are valued higher by this much are left alone
    #[arg(long, value_name = "POINTS", default_value_t = RivalLoss::default().window, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    window: i32,
    /// A played move that leads by this much is left alone; `off` for no limit
    #[arg(long, value_name = "POINTS", default_value = "80", value_parser = margin)]
    margin: Margin,
    /// By how much the margin grows in the course of a game
    #[arg(long, value_name = "POINTS", default_value_t = RivalLoss::default().margin_growth, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    margin_growth: i32,
    /// How much heavier a leaf counts that is in check; 1 for no difference
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = positive)]
    check_weight: f64,
    /// The first step of a weight of kings or of a single piece, in points
    #[arg(long, value_name = "POINTS", default_value_t = f64::from(Rates::default().single), value_parser = not_negative)]
    rate: f64,
    /// The first step of a weight of a pair, in points
    #[arg(long, value_name = "POINTS", default_value_t = f64::from(Rates::default().pair), value_parser = not_negative)]
    pair_rate: f64,
    /// The first step of a piece value, in points; 0 keeps them
    #[arg(long, value_name = "POINTS", default_value_t = f64::from(Rates::default().piece_value), value_parser = not_negative)]
    piece_value_rate: f64,
    /// How long the steps of weights for the turn are, to those for the board; 0 learns none
    #[arg(long, value_name = "SHARE", default_value_t = f64::from(Rates::default().turn_share), value_parser = share)]
    turn_rate: f64,
    /// By how much weights shrink towards zero at every position, as a share of their first step
    #[arg(long, value_name = "SHARE", default_value_t = f64::from(Rates::default().l1), value_parser = not_negative)]
    l1: f64,
    /// Regression: the scales on which players count, as `tesuji data games` takes them; scores of
    /// samples are taken as they are
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// Regression: the share of the score; the rest is the result of the game
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = share)]
    lambda: f64,
    /// Regression: the score that stands for odds of e to one
    #[arg(long, value_name = "POINTS", default_value_t = 600.0, value_parser = positive)]
    scale: f64,
    /// The share of the games that is only tested on
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    held_out: f64,
    /// Test on at most so many of their positions
    #[arg(long, value_name = "N", default_value_t = 4000)]
    held_out_limit: usize,
    /// Test on these positions, too: a file as `tesuji bench agreement` takes it
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Evaluators to measure on the same positions before learning; may be given several times
    #[arg(long, value_name = "SPEC")]
    beside: Vec<EvalSpec>,
    /// Positions that make a step, between which the threads wait for each other
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    step: u64,
    /// Steps between two checkpoints [default: a twentieth of all]
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: Option<u64>,
    /// Steps between two tests [default: a twentieth of all]
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    test_every: Option<u64>,
    /// Decides everything that is left to chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many threads work; only one always gives the same tables [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Begin anew, whatever lies in the folder
    #[arg(long)]
    restart: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableName {
    /// The own king and a piece: kp.bin
    Kp,
    /// Two pieces: pp.bin
    Pp,
    /// Both of these: kppp.bin
    Kppp,
    /// The own king and two pieces as Bonanza has them: fv.bin
    Kpp,
    /// Kings and two pieces with the turn, as Apery has them: KK, KKP and KPP_synthesized.bin
    Kppt,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// After every position (Kuma Shogi 2013)
    Online,
    /// After all positions, by the sign of the whole gradient (Bonanza 2006)
    Batch,
    /// Towards scores and results, as networks learn
    Regression,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Rivals(Option<usize>);

fn rivals(text: &str) -> Result<Rivals, String> {
    if text == "all" {
        return Ok(Rivals(None));
    }
    let number = text.parse().ok().filter(|&number| number > 0);
    let number = number.ok_or("expected a number above 0, or all")?;
    Ok(Rivals(Some(number)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Margin(Option<i32>);

fn margin(text: &str) -> Result<Margin, String> {
    if text == "off" {
        return Ok(Margin(None));
    }
    let number = text
        .parse()
        .ok()
        .filter(|number| (0..=30_000).contains(number));
    let number = number.ok_or("expected a number from 0 to 30000, or off")?;
    Ok(Margin(Some(number)))
}

/// More than any difference of two values: no margin.
const NO_MARGIN: i32 = 60_000;

impl Online {
    /// Reads, learns and writes.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut folder = TrainingFolder::claim(&self.out)?;
        let source = self.source()?;
        let examples = Examples::load(&source)?;
        let mut err = std::io::stderr();
        let _ = writeln!(
            err,
            "{} positions of {} games to learn from, {} of {} games to test on; {} games left out",
            examples.training.len(),
            examples.games,
            examples.held_out.len(),
            examples.games_held_out,
            examples.games_left_out
        );
        if examples.training.is_empty() {
            return Err(Failure::Usage(
                "there is no position to learn from: lower --min-rating or --held-out, or give \
                 --method regression the scales of its --players"
                    .to_owned(),
            ));
        }
        let others = match &self.test {
            Some(path) => read_file(path, played::parse)?,
            None => Vec::new(),
        };
        let plan = self.plan(examples.training.len() as u64)?;
        self.measure_others(&plan, &examples.held_out, &others)?;
        let input = OnlineInput {
            examples: &examples,
            others: &others,
            threads: self.thread_count(),
        };
        let flag = interrupt_flag().map_err(Failure::Output)?;
        let mut bar = TrainingBar::new().until(flag);
        folder.begin(self.restart)?;
        let learnt = learn(&plan, &input, &self.out, &mut bar)?;
        drop(bar);
        self.print(&learnt)?;
        Ok(ExitStatus::Yes)
    }

    fn thread_count(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or(cores, usize::from)
    }

    fn source(&self) -> Result<ExampleSource, Failure> {
        let is_regression = self.method == MethodName::Regression;
        let scales = match &self.players {
            Some(path) if is_regression => {
                let read = |text: &str| scales(text).map_err(|error| (error.line, error.what));
                Some((read_file(path, read)?, self.scale))
            }
            Some(_) => {
                return Err(Failure::Usage(
                    "--players is for --method regression: moves are learnt without scores"
                        .to_owned(),
                ));
            }
            None => None,
        };
        let is_table = |path: &PathBuf| path.extension().is_some_and(|name| name == "tsv");
        if is_regression && scales.is_none() && self.games.iter().any(is_table) {
            return Err(Failure::Usage(
                "--method regression needs --players FILE for the scores of a table".to_owned(),
            ));
        }
        Ok(ExampleSource {
            files: self.games.clone(),
            min_rating: self.min_rating,
            scales,
            held_out_share: self.held_out,
            held_out_limit: self.held_out_limit,
            seed: self.seed,
        })
    }

    fn plan(&self, positions: u64) -> Result<OnlinePlan, Failure> {
        let method = self.method.method();
        let visits = (self.passes * positions as f64).round().max(1.0) as u64;
        let (step, visits) = match method {
            LearningMethod::Batch => (positions, self.passes.ceil() as u64 * positions),
            _ => (self.step, visits),
        };
        let twentieth = (visits.div_ceil(step) / 20).max(1);
        let files: Result<Vec<PlanFile>, Failure> =
            self.games.iter().map(|path| plan_file(path)).collect();
        Ok(OnlinePlan {
            tables: self.tables.tables(),
            method,
            rivals: self.rivals.0,
            loss: RivalLoss {
                slope: self.slope as f32,
                window: self.window,
                margin: self.margin.0.unwrap_or(NO_MARGIN),
                margin_growth: self.margin_growth,
            },
            check_weight: self.check_weight as f32,
            depth: LeafDepth {
                full: self.depth,
                quiescence: self.quiescence,
                evasions: self.evasions,
            },
            rates: Rates {
                single: self.rate as f32,
                pair: self.pair_rate as f32,
                piece_value: self.piece_value_rate as f32,
                turn_share: self.turn_rate as f32,
                l1: self.l1 as f32,
            },
            regression: Regression {
                lambda: self.lambda as f32,
                scale: self.scale as f32,
            },
            visits,
            step,
            checkpoint_every: self.checkpoint.unwrap_or(twentieth),
            test_every: self.test_every.unwrap_or(twentieth),
            seed: self.seed,
            files: files?,
        })
    }

    /// Measures the evaluators to compare with.
    fn measure_others(
        &self,
        plan: &OnlinePlan,
        held_out: &[PlayedPosition],
        others: &[PlayedPosition],
    ) -> Result<(), Failure> {
        for spec in &self.beside {
            for (name, positions) in [("held-out games", held_out), ("test file", others)] {
                if positions.is_empty() {
                    continue;
                }
                let found = agreement_of(spec, plan.depth, positions, self.thread_count())?;
                let _ = writeln!(std::io::stderr(), "{spec}, {name}: {}", percent(&found));
            }
        }
        Ok(())
    }

    fn print(&self, learnt: &Learnt) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        if self.json {
            write_json(&mut out, learnt)?;
            return Ok(());
        }
        for file in &learnt.files {
            writeln!(
                out,
                "{}: {} bytes, {} of {} weights are not zero, {} clipped",
                file.path.display(),
                file.bytes,
                file.non_zero,
                file.weights,
                file.clipped
            )?;
        }
        writeln!(
            out,
            "{} positions in {:.0} s",
            learnt.visits, learnt.seconds
        )?;
        writeln!(out, "held-out games: {}", percent(&learnt.held_out))?;
        if let Some(others) = &learnt.others {
            writeln!(out, "test file: {}", percent(others))?;
        }
        for part in &learnt.weights {
            let share = 100.0 * part.non_zero as f64 / part.weights.max(1) as f64;
            let (name, weights) = (part.part, part.weights);
            writeln!(out, "{name}: {weights} weights, {share:.2} % not zero")?;
        }
        let values = learnt.piece_values.iter();
        let values: Vec<_> = values
            .map(|(name, value)| format!("{name} {value:.0}"))
            .collect();
        writeln!(out, "piece values: {}", values.join(", "))?;
        match learnt.compared {
            0 => writeln!(out, "the engine was not compared: weights were clipped")?,
            count => writeln!(out, "the engine agrees on {count} positions")?,
        }
        Ok(())
    }
}

fn percent(agreement: &Agreement) -> String {
    format!(
        "{} of {}, {:.2} ± {:.2} %",
        agreement.agreed,
        agreement.positions,
        100.0 * agreement.share(),
        100.0 * agreement.standard_error()
    )
}

impl TableName {
    const fn tables(self) -> Tables {
        match self {
            Self::Kp => Tables::Kp,
            Self::Pp => Tables::Pp,
            Self::Kppp => Tables::KpPp,
            Self::Kpp => Tables::Kpp,
            Self::Kppt => Tables::Kppt,
        }
    }
}

impl MethodName {
    const fn method(self) -> LearningMethod {
        match self {
            Self::Online => LearningMethod::Online,
            Self::Batch => LearningMethod::Batch,
            Self::Regression => LearningMethod::Regression,
        }
    }
}
