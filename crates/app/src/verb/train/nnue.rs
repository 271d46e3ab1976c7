//! `tesuji train nnue`: a network from samples.

use super::bar::TrainingBar;
use super::folder::TrainingFolder;
use crate::answer::{ExitStatus, Failure, write_json};
use crate::arguments::Switch;
use crate::arguments::numbers::{not_negative, plan_file, positive, share};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use tesuji_eval::LARGEST_NETWORK;
use tesuji_eval::nnue::{NetworkFile, Skip};
use tesuji_kernels::read_input;
use tesuji_learn::data::{Filter, InputFormat};
use tesuji_learn::nnue::{
    AdamW, Architecture, ComparisonPlan, Comparisons, Finished, Loss, Plan, PlanFile, Schedule,
    Target, TrainingSet, TrainingSource, require_start, train,
};

const EXAMPLES: &str = "\
Examples:
  tesuji train nnue games/*.psv --out net1
        a K-P network from the positions of self-play, every setting by the number of positions
  tesuji train nnue games --out net1 --skip relation --lambda 0.95
        the network corrects the evaluation `relation`: the best start with few positions
  tesuji train nnue new.psv --validation other.psv --out net2 --init net1/nn.bin --lr 3e-4
        goes on from a network, tested on the positions of another file
  tesuji train nnue games --out net3 --arch zones9-256x2-32-32-screlu-material8 --epochs 8
        a larger network for more positions: nine zones of the own king, eight output buckets
  tesuji data comparisons moves.psv games.tsv --min-rating 2800
  tesuji train nnue games --out net4 --skip relation --comparisons moves.psv
        learns from the moves of strong players as well
  tesuji match nnue:net1/nn.bin relation --tc nodes=20000
        how strong it is

While it runs, OUT/index.html shows the curves in a browser (it loads itself anew), OUT/log.jsonl
has every number, and OUT/checkpoint.bin everything that is needed to go on: the same command
after a kill, a crash or a full disk ends with the same network, bit for bit, as if nothing had
happened. At the end OUT/nn.bin is the network, OUT/loss.svg the curves and OUT/training.json the
settings and results.

Data: files of records (.psv, .bin as psv, .hcpe), chains (.sbinpack) or games (.hcpe3, .pack), or
folders of them. Every record is checked. Left out are positions in check, positions whose move takes or promotes, and scores of
3000 and more. A position is learnt towards

    lambda · sigmoid(score / scale) + (1 - lambda) · result

Few games want a lambda near 1 (0.95 below 30,000 games, 0.85 at 100,000): single results are noise.
Validation takes whole games, as long as the records are in the order of the games; shuffled files
want --validation FILE.

With --skip the value is the sum of the network and another evaluation; the file says so, engines
that do not know of it refuse it, and this one loads it as nnue:FILE like any other.";

/// Trains a network (NNUE) on positions with scores and results
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Nnue {
    /// Files of samples, or folders of them
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The folder for network, checkpoint, log and curves; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// FEATURES-WIDTHx2-SECOND-THIRD; features are kp, halfkp, halfkpvm, halfka, halfkahm, halfka2,
    /// halfkahm2, zones5 and zones9; behind it -screlu, and -materialN or -progressN for N output
    /// buckets
    #[arg(long, value_name = "NAME", default_value_t = Architecture::default())]
    arch: Architecture,
    /// Train what is common to all places of the own king beside each of them [default: on where the
    /// king chooses a section of the first layer]
    #[arg(long, value_enum)]
    factorizer: Option<Switch>,
    /// What the network corrects
    #[arg(long, value_enum, default_value_t = SkipName::None)]
    skip: SkipName,
    /// Begin with this network instead of noise
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// The share of the score in what is learnt; the rest is the result of the game
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = share)]
    lambda: f64,
    /// The score that stands for odds of e to one
    #[arg(long, value_name = "POINTS", default_value_t = 600.0, value_parser = positive)]
    scale: f64,
    /// How far a guess is off
    #[arg(long, value_enum, default_value_t = LossName::Mse)]
    loss: LossName,
    /// How often every position is seen
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions per step [default: 1024, 4096 or 16384: below 0.5 million, 5 million, above]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=1 << 20))]
    batch: Option<u32>,
    /// The highest learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1e-3, value_parser = positive)]
    lr: f64,
    /// The learning rate at the end [default: 2.4e-6, or the highest if that is less]
    #[arg(long, value_name = "RATE", value_parser = positive)]
    lr_end: Option<f64>,
    /// Steps until the learning rate is highest
    #[arg(long, value_name = "STEPS", default_value_t = 100)]
    warmup: u64,
    /// By how much weights shrink, times the learning rate [default: 0.1 below 5 million positions,
    /// 0.01 above]
    #[arg(long, value_name = "RATE", value_parser = not_negative)]
    decay: Option<f64>,
    /// Positions in a hundred that are mirrored left to right
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u8).range(0..=100))]
    mirror: u8,
    /// The last share of the training that already computes with the integers of the file
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = share)]
    quantize: f64,
    /// The network is the mean of so many last checkpoints
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    average: u32,
    /// Learn the moves of strong players, too: a file of `tesuji data comparisons`
    #[arg(long, value_name = "FILE")]
    comparisons: Option<PathBuf>,
    /// What the mean loss of comparisons counts beside that of positions
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.05, value_parser = positive)]
    comparison_weight: f64,
    /// How many points more make a leaf e times as likely to be the chosen one
    #[arg(long, value_name = "POINTS", default_value_t = 150.0, value_parser = positive)]
    comparison_temperature: f64,
    /// Steps between two checkpoints
    #[arg(long, value_name = "STEPS", default_value_t = 250, value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: u64,
    /// Files of samples to test on, or folders of them; nothing is learnt from these
    #[arg(long, value_name = "DATA")]
    validation: Vec<PathBuf>,
    /// Without --validation: the share of the games that is only tested on
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    validation_share: f64,
    /// Test on at most so many positions
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    validation_limit: u32,
    /// Keep positions in check
    #[arg(long)]
    keep_checks: bool,
    /// Keep positions whose move takes or promotes
    #[arg(long)]
    keep_tactical: bool,
    /// Leave out scores of so much and more
    #[arg(long, value_name = "POINTS", default_value_t = 3000, value_parser = clap::value_parser!(u16).range(1..32768))]
    max_score: u16,
    /// Leave out the moves of a game before this one
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    min_ply: u16,
    /// Decides everything that is left to chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Megabytes of memory for the positions; more of them go into temporary files in the folder
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: u64,
    /// How many threads work; the same number gives the same network [default: all cores]
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
enum SkipName {
    /// Nothing: the network stands alone, and other engines can read it
    None,
    /// The values of the pieces
    PieceValues,
    /// The evaluation `relation`
    Relation,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LossName {
    /// The squared error of the winning probability
    Mse,
    /// Its relative entropy
    Ce,
}

/// The learning rate at the end, unless another is said.
const LAST_RATE: f64 = 2.4e-6;

impl Nnue {
    /// Loads, trains and writes.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        if self.factorizer == Some(Switch::On) && self.arch.features.king_buckets() == 1 {
            return Err(Failure::Usage(format!(
                "--factorizer on: the first layer of {} has no sections to factor",
                self.arch
            )));
        }
        let schedule = self.schedule()?;
        let mut folder = TrainingFolder::claim(&self.out)?;
        let [training, validation] = [files(&self.data)?, files(&self.validation)?];
        let source = TrainingSource {
            training: training.iter().map(|file| file.path.clone()).collect(),
            validation: validation.iter().map(|file| file.path.clone()).collect(),
            validation_share: self.validation_share,
            filter: self.filter(),
            skip: self.skip.skip(),
            seed: self.seed,
            memory: self.memory << 20,
            temporary: self.out.clone(),
        };
        let initial = self.init.as_deref().map(read_network).transpose()?;
        let mut data = load(&source, &[&training, &validation])?;
        let mut plan = self.plan(data.training.len(), schedule);
        plan.shards = data.training.count();
        plan.files = training;
        plan.validation_files = validation;
        if let Some(path) = &self.init {
            plan.initial = Some(plan_file(path)?);
        }
        if let Some(path) = &self.comparisons {
            data.comparisons = Comparisons::load(path, source.skip, self.validation_share)?;
            plan.comparisons = Some(ComparisonPlan {
                weight: self.comparison_weight as f32,
                temperature: self.comparison_temperature as f32,
                file: plan_file(path)?,
            });
        }
        let initial = initial.as_ref();
        require_start(&plan, initial)?;
        folder.begin(self.restart)?;
        let mut bar = TrainingBar::new();
        let finished = train(&plan, &data, &self.out, initial, &mut bar)?;
        drop(bar);
        self.print(&finished)?;
        Ok(ExitStatus::Yes)
    }

    fn schedule(&self) -> Result<Schedule, Failure> {
        let end = self.lr_end.unwrap_or(LAST_RATE.min(self.lr));
        if end > self.lr {
            return Err(Failure::Usage(format!(
                "--lr-end {end} is above --lr {}: the learning rate only falls",
                self.lr
            )));
        }
        Ok(Schedule {
            peak: self.lr as f32,
            end: end as f32,
            warmup: self.warmup,
        })
    }

    fn filter(&self) -> Filter {
        Filter {
            in_check: !self.keep_checks,
            tactical: !self.keep_tactical,
            decided: Some(self.max_score),
            before_ply: self.min_ply,
            repeated: false,
        }
    }

    fn plan(&self, positions: usize, schedule: Schedule) -> Plan {
        let batch = match positions {
            0..500_000 => 1024,
            500_000..5_000_000 => 4096,
            _ => 16_384,
        };
        let decay = if positions < 5_000_000 { 0.1 } else { 0.01 };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Plan {
            architecture: self.arch,
            has_factorizer: match self.factorizer {
                Some(switch) => switch == Switch::On,
                None => self.arch.features.king_buckets() > 1,
            },
            skip: self.skip.skip(),
            target: Target {
                lambda: self.lambda as f32,
                scale: self.scale as f32,
                loss: match self.loss {
                    LossName::Mse => Loss::SquaredError,
                    LossName::Ce => Loss::CrossEntropy,
                },
            },
            schedule,
            adam: AdamW {
                decay: self.decay.unwrap_or(decay) as f32,
                ..AdamW::default()
            },
            epochs: self.epochs,
            batch: self.batch.map_or(batch, |batch| batch as usize),
            mirrored_percent: self.mirror,
            quantized_share: self.quantize as f32,
            average: self.average,
            checkpoint_every: self.checkpoint,
            validation_limit: self.validation_limit as usize,
            validation_share: self.validation_share,
            filter: self.filter(),
            seed: self.seed,
            threads: self.threads.map_or(cores, usize::from),
            ..Plan::default()
        }
    }

    fn print(&self, finished: &Finished) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        if self.json {
            write_json(&mut out, finished)?;
            return Ok(());
        }
        let Finished {
            network,
            steps,
            seconds,
            mean_error,
            max_error,
            compared,
            ..
        } = finished;
        writeln!(out, "{}", network.display())?;
        writeln!(out, "{steps} steps in {seconds:.0} s")?;
        if let Some(loss) = finished.validation {
            writeln!(out, "validation loss {loss:.6}")?;
        }
        let pair = (finished.validation_floats, finished.validation_integers);
        if let (Some(float), Some(integer)) = pair {
            writeln!(
                out,
                "on the first of these positions {float:.6}, with integers {integer:.6}"
            )?;
        }
        if let Some(share) = finished.agreement {
            writeln!(
                out,
                "the chosen move is valued highest in {:.2} % of the comparisons",
                100.0 * share
            )?;
        }
        writeln!(
            out,
            "integers change values by {mean_error:.2} points on average, {max_error:.1} at most; \
             the engine agrees on {compared} positions"
        )?;
        Ok(())
    }
}

impl SkipName {
    const fn skip(self) -> Skip {
        match self {
            Self::None => Skip::Nothing,
            Self::PieceValues => Skip::PieceValues,
            Self::Relation => Skip::Relation,
        }
    }
}

fn load(source: &TrainingSource, files: &[&[PlanFile]]) -> Result<TrainingSet, Failure> {
    let total: u64 = files
        .iter()
        .flat_map(|files| files.iter())
        .map(|file| file.bytes)
        .sum();
    let mut done = 0;
    let mut last = std::time::Instant::now();
    let data = TrainingSet::load(source, |bytes| {
        done += bytes;
        if last.elapsed().as_secs() >= 3 {
            last = std::time::Instant::now();
            let (done, total) = (done >> 20, total >> 20);
            let _ = writeln!(std::io::stderr(), "{done} of {total} MB read");
        }
    })?;
    let mut err = std::io::stderr();
    let counts = data.counts;
    let _ = writeln!(
        err,
        "{} positions read; left out: {} early, {} decided, {} in check, {} tactical, {} without a \
         result; {} to learn from, {} to test on",
        counts.read,
        counts.early,
        counts.decided,
        counts.in_check,
        counts.tactical,
        counts.no_result,
        data.training.len(),
        data.validation.len()
    );
    if data.is_shuffled && source.validation.is_empty() && source.validation_share > 0.0 {
        let _ = writeln!(
            err,
            "the records are shuffled, so that games cannot be told apart: the validation loss \
             is too good; give --validation a file of other games"
        );
    }
    Ok(data)
}

/// The files of a list of files and folders, those of a folder in order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PlanFile>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(plan_file(path)?);
            continue;
        }
        let unreadable = |source| Failure::Read {
            path: path.clone(),
            source,
        };
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if InputFormat::of(&file).is_ok() {
                inside.push(plan_file(&file)?);
            }
        }
        inside.sort_by(|a, b| a.path.cmp(&b.path));
        files.append(&mut inside);
    }
    Ok(files)
}

fn read_network(path: &Path) -> Result<NetworkFile, Failure> {
    let bytes = read_input(path, LARGEST_NETWORK).map_err(|source| Failure::Read {
        path: path.into(),
        source,
    })?;
    NetworkFile::read(&bytes).map_err(|what| Failure::File {
        path: path.into(),
        what: what.into(),
    })
}
