//! `tesuji tune`: numbers of the search, moved by the results of games.

mod report;
mod simulation;

use crate::answer::{ExitStatus, Failure, read_file, save};
use crate::interrupt::interrupt_flag;
use crate::progress::Progress;
use crate::verb::r#match::read_openings;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_match::adjudicate::{Adjudication, ResignRule};
use tesuji_match::journal::Journal;
use tesuji_match::limit::ThinkingLimit;
use tesuji_match::player_spec::fingerprint;
use tesuji_match::tune::{
    IterationLine, Method, TuneHeader, TuneSchedule, TunedParameter, Tuning, TuningGames,
    TuningGamesError, page, parse_parameters, patch_of, select_parameters,
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
    /// Which parameters: names, `*` for any letters, separated by commas
    #[arg(long, value_name = "PATTERNS", conflicts_with = "file")]
    params: Option<String>,
    /// A file with a name, its start, least and most value and its step on each line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// List the parameters that fit, as --file reads them, and do nothing else
    #[arg(long, value_name = "PATTERNS", num_args = 0..=1, default_missing_value = "*")]
    list: Option<String>,
    /// How values are chosen: spsa, local or clop
    #[arg(long, default_value_t = Method::Spsa, value_name = "METHOD")]
    method: Method,
    /// Which evaluation plays
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    /// Another evaluation for the other player; both sides of a trial play with both
    #[arg(long, value_name = "SPEC")]
    against: Option<EvalSpec>,
    /// How long everybody may think: nodes=N, move=SECONDS, 10+0.1, ...
    #[arg(long, default_value = "nodes=2000", value_name = "CONTROL")]
    tc: ThinkingLimit,
    /// A file of openings, each played from both sides
    #[arg(long, value_name = "FILE", required_unless_present_any = ["simulate", "list"])]
    openings: Option<PathBuf>,
    /// How many games in all, those of earlier runs included
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    games: u64,
    /// How many pairs of games make an iteration; twice the concurrency if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    batch: Option<u64>,
    /// How many pairs are played at a time
    #[arg(long, default_value_t = cores(), value_name = "N")]
    concurrency: usize,
    /// By which share of a step a pair that is won moves a parameter at the end (spsa)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    rate: Option<f64>,
    /// How many Elo a step must promise to be taken (local)
    #[arg(long, default_value_t = 10.0, value_name = "ELO")]
    elo: f64,
    /// Decides about chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The transposition table of each player, in megabytes
    #[arg(long, default_value_t = 8, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// After how many moves a game is drawn; 0 for never
    #[arg(long, default_value_t = 320, value_name = "N")]
    max_moves: u32,
    /// End games that both players see as won by so much; 0 for never
    #[arg(long, default_value_t = 3000, value_name = "VALUE")]
    resign_value: i32,
    /// In how many moves of each player in a row
    #[arg(long, default_value_t = 4, value_name = "N")]
    resign_moves: usize,
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

fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    let share = share.filter(|share| (1e-6..=1.0).contains(share));
    share.ok_or_else(|| "expected a share of a step, as 0.01".into())
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
        let parameters = self.parameters()?;
        if let Some(most) = self.method.most_parameters()
            && parameters.len() > most
        {
            let (method, found) = (self.method, parameters.len());
            return Err(Failure::Usage(format!(
                "{method} is for up to {most} parameters, and these are {found}: use --method spsa"
            )));
        }
        match self.simulate {
            Some(elo) => simulation::run(self, &parameters, elo),
            None => self.tune(parameters),
        }
    }

    fn parameters(&self) -> Result<Vec<TunedParameter>, Failure> {
        match (&self.params, &self.file) {
            (Some(patterns), _) => {
                select_parameters(patterns).map_err(|error| Failure::Usage(error.to_string()))
            }
            (None, Some(path)) => read_file(path, parse_parameters),
            (None, None) => Err(Failure::Usage(
                "say what is to be tuned, with --params 'razor_*' or --file group.tsv".into(),
            )),
        }
    }

    fn schedule(&self) -> TuneSchedule {
        let batch = self
            .batch
            .map_or(2 * self.concurrency, |batch| batch as usize);
        let mut schedule = TuneSchedule::new(self.games.div_ceil(2), batch);
        schedule.rate = self.rate.unwrap_or(schedule.rate);
        schedule.elo = self.elo.max(0.1);
        schedule
    }

    fn tune(&self, parameters: Vec<TunedParameter>) -> Result<ExitStatus, Failure> {
        let mut games = self.tuning_games(&parameters)?;
        let header = self.header(parameters, &games);
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
        let progress = Progress::new("games", self.games);
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

    fn tuning_games(&self, parameters: &[TunedParameter]) -> Result<TuningGames, Failure> {
        let openings = match &self.openings {
            Some(path) => read_openings(path)?,
            None => return Err(Failure::Usage("games need --openings".into())),
        };
        let settings = EvalSettings::default();
        let eval = AnyEval::choose(&self.eval, &settings)?;
        let against = match &self.against {
            Some(spec) => AnyEval::choose(spec, &settings)?,
            None => eval.clone(),
        };
        let mut games = TuningGames::new(parameters, [eval, against], self.tc, openings);
        games.table_bytes = (self.hash as usize) << 20;
        games.rules.move_limit = Some(self.max_moves).filter(|&limit| limit > 0);
        games.concurrency = self.concurrency;
        games.adjudication = Adjudication {
            resign: (self.resign_value > 0).then_some(ResignRule {
                value: self.resign_value,
                moves: self.resign_moves,
            }),
            draw: None,
        };
        games.interrupt = interrupt_flag().map_err(Failure::Output)?;
        Ok(games)
    }

    fn header(&self, parameters: Vec<TunedParameter>, games: &TuningGames) -> TuneHeader {
        let against = self.against.as_ref().unwrap_or(&self.eval);
        TuneHeader {
            method: self.method,
            parameters,
            schedule: self.schedule(),
            seed: self.seed,
            players: format!(
                "{} – {against}, {}, {} MB, {:?}, {:?}",
                self.eval, self.tc, self.hash, games.rules, games.adjudication
            ),
            openings: fingerprint(&games.openings),
        }
    }
}
