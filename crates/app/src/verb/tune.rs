//! `tesuji tune`: numbers of the search, moved by the results of games.

mod report;
mod setup;
mod simulation;

pub(crate) use setup::TuneSetup;

use crate::answer::{ExitStatus, Failure, save};
use crate::interrupt::interrupt_flag;
use crate::progress::Progress;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tesuji_match::journal::Journal;
use tesuji_match::tune::{
    IterationLine, TunedParameter, Tuning, TuningGames, TuningGamesError, page, patch_of,
};

const EXAMPLES: &str = "\
Examples:
  tesuji tune --list 'lmr_*'                   what can be tuned: name, start, least, most, step
  tesuji tune --list 'lmr_*' > group.tsv       edit the file, then:
  tesuji tune --file group.tsv --openings suite.sfen --games 20000 --html tune.html
  tesuji tune --params 'razor_*,rfp_slope' --method clop --tc nodes=2000 --openings suite.sfen
  tesuji tune --params 'rfp_*' --eval builtin --against nnue:nn.bin --openings suite.sfen
  tesuji tune --params 'lmr_*' --games 20000 --simulate 50 --runs 10
                                               does it find an optimum 50 Elo away in so many games?

Two sets of values meet in pairs of games, one from each side of an opening, on all cores and
without processes. spsa changes all parameters at once and suits many of them, clop fits a model
and suits up to six, local tries one step after the other and keeps what a test accepts.

Every iteration is a line of the journal, and the same command goes on where a tuning was ended,
in whatever way. --patch gets the result as a change of params.rs, for `git apply`.
A step should cost a few Elo: too small a step shows nothing, too large a one shows another place.

Exit codes: 0 done, 2 wrong usage or bad input, 130 interrupted.";

/// How long a page may be behind the tuning.
const PAGE_PAUSE: Duration = Duration::from_secs(10);

/// Tunes numbers of the search by games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Tune {
    #[command(flatten)]
    setup: TuneSetup,
    /// List the parameters that fit, as --file reads them, and do nothing else
    #[arg(long, value_name = "PATTERNS", num_args = 0..=1, default_missing_value = "*")]
    list: Option<String>,
    /// How many pairs are played at a time
    #[arg(long, default_value_t = cores(), value_name = "N")]
    concurrency: usize,
    /// The file that keeps every iteration
    #[arg(long, default_value = "tune.jsonl", value_name = "FILE")]
    journal: PathBuf,
    /// Write a page with the path of every parameter, anew every few seconds
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the result as a change of params.rs
    #[arg(long, value_name = "FILE")]
    patch: Option<PathBuf>,
    /// Play no games: draw results by chance, with an optimum so many Elo above the start
    #[arg(long, value_name = "ELO", value_parser = positive)]
    simulate: Option<f64>,
    /// How many simulations, each with another optimum
    #[arg(long, default_value_t = 5, value_name = "N")]
    runs: u64,
    /// Print the results as JSON, one object per parameter or simulation
    #[arg(long)]
    json: bool,
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn positive(text: &str) -> Result<f64, String> {
    let elo: Option<f64> = text.parse().ok();
    let elo = elo.filter(|elo| (0.1..=1000.0).contains(elo));
    elo.ok_or_else(|| "expected Elo between 0.1 and 1000".into())
}

impl Tune {
    /// Tunes and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        if let Some(patterns) = &self.list {
            return report::list(patterns);
        }
        let parameters = self.setup.parameters()?;
        match self.simulate {
            Some(elo) => simulation::run(self, &parameters, elo),
            None => self.tune(parameters),
        }
    }

    fn tune(&self, parameters: Vec<TunedParameter>) -> Result<ExitStatus, Failure> {
        let openings = self.setup.openings()?;
        let header = self.setup.header(parameters, &openings, self.concurrency);
        let mut games = self.setup.tuning_games(&header.parameters, openings)?;
        games.concurrency = self.concurrency;
        games.interrupt = interrupt_flag().map_err(Failure::Output)?;
        let (mut journal, lines) = Journal::open::<_, IterationLine>(&self.journal, &header)?;
        let mut tuning = Tuning::new(header);
        for line in &lines {
            tuning.replay(line);
        }
        if tuning.games() > 0 {
            let _ = writeln!(
                std::io::stderr(),
                "{} games were played before",
                tuning.games()
            );
        }
        // A page that cannot be written is noticed before hours are played for it.
        self.write_page(&mut tuning)?;
        let ended = self.play(&mut tuning, &mut games, &mut journal)?;
        self.write_page(&mut tuning)?;
        report::print(&mut tuning, self.json)?;
        if let Some(path) = &self.patch {
            let patch = patch_of(&tuning.result());
            save(
                path,
                &patch.map_err(|error| Failure::Usage(error.to_string()))?,
            )?;
        }
        Ok(ended)
    }

    fn play(
        &self,
        tuning: &mut Tuning,
        games: &mut TuningGames,
        journal: &mut Journal,
    ) -> Result<ExitStatus, Failure> {
        let progress = Progress::new("games", self.setup.games);
        let mut page_time = Instant::now();
        loop {
            match tuning.step(games) {
                Ok(None) => return Ok(ExitStatus::Yes),
                Ok(Some(line)) => journal.add(&line)?,
                Err(TuningGamesError::Interrupted) => return Ok(ExitStatus::Interrupted),
                Err(error) => return Err(error.into()),
            }
            progress.at(tuning.games());
            if page_time.elapsed() >= PAGE_PAUSE {
                self.write_page(tuning)?;
                page_time = Instant::now();
            }
        }
    }

    fn write_page(&self, tuning: &mut Tuning) -> Result<(), Failure> {
        match &self.html {
            Some(path) => save(path, &page(tuning)),
            None => Ok(()),
        }
    }
}
