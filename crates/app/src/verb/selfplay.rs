//! `tesuji selfplay`: games of the engine against itself, as training data.

use crate::answer::{ExitStatus, Failure, read_file, write_json};
use crate::verb::book::files;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tesuji_book::{BUILTIN, BookFormat};
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_learn::selfplay::{DataFormat, GameRules, Openings, SelfplayPlan, SelfplayTally, run};

const EXAMPLES: &str = "\
Examples:
  tesuji selfplay data/gen0                          games from the start position, 8 random plies
  tesuji selfplay data/gen0 --openings games.txt --random-plies 1-3 --stray 5
                                                     from positions of given games, a few moves off
  tesuji selfplay data/gen0 --openings builtin --random-plies 2-4
                                                     from the lines of our own book
  tesuji selfplay data/gen1 --eval nnue:net0/nn.bin --nodes 1000 --games 100000 --threads 2

The folder gets a file of positions and a journal for each thread. A run that was ended in any way
goes on when the same command is given again: finished games stay, none is played twice. Other
settings need another folder.
`tesuji data` filters and shuffles what comes out, `tesuji train nnue` learns from it.

A file of openings has one position a line, `sfen ...` or `startpos moves ...`; a line with moves
stands for every position of that game. A book (.db, .ybb, .bin, .sbk, .book, .tbk, .sqlite, or
`builtin` for the one inside the program) stands for all of its positions.";

/// Plays games against itself and writes what the search said about every position
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Selfplay {
    /// The folder for positions and journals; made if it is not there
    folder: PathBuf,
    #[command(flatten)]
    setup: SelfplaySetup,
    /// How many threads play, each its own games
    #[arg(long, default_value_t = cores(), value_name = "N")]
    threads: usize,
    /// Print the totals as one JSON object
    #[arg(long)]
    json: bool,
}

// Which games are played. A plain comment: clap would take another one for the help of the verb.
#[derive(Args)]
pub(crate) struct SelfplaySetup {
    /// Which evaluation plays: builtin, material, relation, nnue:FILE, ...
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    pub(crate) eval: EvalSpec,
    /// How many games in all, those of earlier runs included
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub(crate) games: u64,
    /// How many nodes each move is searched with
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The transposition table of each thread, in megabytes
    #[arg(long, default_value_t = 8, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Positions or games to begin from, one a line, or a book of any format; `builtin` is our own
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// How many random moves follow the opening, from-to
    #[arg(long, default_value = "6-14", value_name = "N-M", value_parser = plies)]
    pub(crate) random_plies: RangeInclusive<u32>,
    /// Openings that the search values beyond this are not played
    #[arg(long, value_name = "VALUE")]
    opening_limit: Option<i32>,
    /// Of a hundred moves, how many are random ones
    #[arg(long, default_value_t = 0, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    stray: u32,
    /// After how many moves a game is drawn
    #[arg(long, default_value_t = 320, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_limit: u32,
    /// A game is won when both sides see this much for some moves
    #[arg(long, default_value_t = 3000, value_name = "VALUE")]
    resign: i32,
    /// Decides how games begin and where they stray
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
    /// How positions are written
    #[arg(long, value_enum, default_value_t = Format::Psv)]
    format: Format,
}

impl SelfplaySetup {
    pub(crate) fn rules(&self) -> GameRules {
        GameRules {
            nodes: self.nodes,
            stray_percent: self.stray,
            move_limit: self.move_limit,
            resign_value: self.resign,
            opening_limit: self.opening_limit,
            ..GameRules::default()
        }
    }

    pub(crate) fn table_bytes(&self) -> usize {
        (self.hash as usize) << 20
    }

    /// The file of openings and what it says: a text as it is, a book as its positions, one a line.
    pub(crate) fn openings_text(&self) -> Result<Option<(&PathBuf, String)>, Failure> {
        let Some(path) = &self.openings else {
            return Ok(None);
        };
        let is_book = path == Path::new(BUILTIN) || BookFormat::of_path(path).is_some();
        let text = match is_book {
            true => book_positions(path)?,
            false => read_file(path, |text| Ok::<_, (usize, String)>(text.to_owned()))?,
        };
        Ok(Some((path, text)))
    }

    pub(crate) fn format(&self) -> DataFormat {
        self.format.into()
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// PackedSfenValue: 40 bytes a position, read by every trainer
    Psv,
    /// Chains of moves: about 3 bytes a position
    Sbinpack,
}

impl From<Format> for DataFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Psv => Self::Psv,
            Format::Sbinpack => Self::Sbinpack,
        }
    }
}

/// Every position of a book, as SFEN.
fn book_positions(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    for entry in files::entries(path, false)? {
        let entry = entry.map_err(|error| files::failure(path, error))?;
        text.push_str(&entry.pos.to_sfen());
        text.push('\n');
    }
    Ok(text)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => Err("give a range such as 6-14, or one number".to_owned()),
    }
}

/// The totals, for scripts.
#[derive(Serialize)]
struct Totals {
    games: u64,
    draws: u64,
    black_wins: u64,
    refused: u64,
    plies: u64,
    positions: u64,
    nodes: u64,
    seconds: f64,
}

impl Selfplay {
    /// Plays and writes.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let plies = self.setup.random_plies.clone();
        let openings = match self.setup.openings_text()? {
            None => Openings::start(plies),
            Some((path, text)) => Openings::parse(&text, plies).map_err(|error| Failure::Line {
                path: path.clone(),
                line: error.line,
                what: error.what.into(),
            })?,
        };
        let spec = &self.setup.eval;
        let eval = AnyEval::choose(spec, &EvalSettings::default())?;
        let (plan, start) = (self.plan(openings, spec.digest()?), Instant::now());
        std::fs::create_dir_all(&self.folder).map_err(|source| Failure::Write {
            path: self.folder.clone(),
            source,
        })?;
        let mut reporter = SelfplayReporter::new(self.setup.games);
        let tally = run(&plan, &eval, &AtomicBool::new(false), &mut |tally| {
            reporter.tell(tally);
        })?;
        self.print(&tally, start.elapsed())?;
        Ok(ExitStatus::Yes)
    }

    fn plan(&self, openings: Openings, eval_digest: u64) -> SelfplayPlan {
        SelfplayPlan {
            folder: self.folder.clone(),
            eval_name: self.setup.eval.to_string(),
            eval_digest: Some(eval_digest),
            format: self.setup.format(),
            seed: self.setup.seed,
            games: self.setup.games,
            threads: self.threads.max(1),
            table_bytes: self.setup.table_bytes(),
            openings,
            rules: self.setup.rules(),
            remembered: 1 << 24,
        }
    }

    fn print(&self, tally: &SelfplayTally, time: Duration) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        if self.json {
            let totals = Totals {
                games: tally.games,
                draws: tally.draws,
                black_wins: tally.black_wins,
                refused: tally.refused,
                plies: tally.plies,
                positions: tally.positions,
                nodes: tally.nodes,
                seconds: time.as_secs_f64(),
            };
            write_json(&mut out, &totals)?;
        } else {
            writeln!(out, "{}", summary(tally))?;
        }
        Ok(())
    }
}

/// Tells how far self-play is: a bar on a terminal, a line every few seconds otherwise.
struct SelfplayReporter {
    start: Instant,
    first: Option<SelfplayTally>,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl SelfplayReporter {
    const PAUSE: Duration = Duration::from_secs(10);

    fn new(games: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(games);
            let style =
                ProgressStyle::with_template("{bar:24} {pos}/{len} games  {msg}  {eta} left");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self {
            start: Instant::now(),
            first: None,
            last_line: Instant::now(),
            bar,
        }
    }

    fn tell(&mut self, tally: &SelfplayTally) {
        let is_first = self.first.is_none();
        let first = self.first.get_or_insert_with(|| tally.clone());
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        let rate = (tally.positions - first.positions) as f64 / seconds;
        let nps = (tally.nodes - first.nodes) as f64 / seconds;
        let line = format!(
            "{}, {rate:.0} positions/s, {nps:.0} nodes/s",
            summary(tally)
        );
        if let Some(bar) = &self.bar {
            bar.set_position(tally.games + tally.refused);
            if is_first {
                // What an earlier run has played was not played at once.
                bar.reset_eta();
            }
            bar.set_message(line);
        } else if self.last_line.elapsed() >= Self::PAUSE {
            self.last_line = Instant::now();
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
}

impl Drop for SelfplayReporter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn summary(tally: &SelfplayTally) -> String {
    let share = |part: u64| 100.0 * part as f64 / tally.games.max(1) as f64;
    format!(
        "{} games, {} positions, {:.1} % drawn, {:.1} % won by Black, {:.0} plies a game",
        tally.games,
        tally.positions,
        share(tally.draws),
        share(tally.black_wins),
        tally.plies as f64 / tally.games.max(1) as f64,
    )
}
