//! `tesuji match`: players against each other.

mod reporter;
mod table;

use crate::answer::{ExitStatus, Failure, save};
use clap::Args;
use reporter::MatchReporter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tesuji_match::adjudicate::{Adjudication, DrawRule, ResignRule};
use tesuji_match::crosstable::Crosstable;
use tesuji_match::games::{GameLine, GamesFile};
use tesuji_match::limit::ThinkingLimit;
use tesuji_match::plan::MatchPlan;
use tesuji_match::player_spec::{PlayerSpec, opening};
use tesuji_match::report::MatchReport;
use tesuji_match::runner::MatchRunner;
use tesuji_match::sprt::{Decision, Sprt};
use tesuji_shogi::{DeclarationRule, Position};

const EXAMPLES: &str = "\
Examples:
  tesuji match relation material --tc 5+0.1 --rounds 20
  tesuji match kuma2013 'tenuki2019 eval=kppt:eval' osl2003 --tc move=0.1 --rounds 50
  tesuji match 'search=classic table=best-move' 'search=classic table=bounds' --tc nodes=20000
  tesuji match 'builtin name=new' './old usi name=old' --tc move=0.1 --openings suite.sfen
  tesuji match './new option.EvalFile=nn.bin' '/opt/other option.Threads=1 tc=nodes=100000' \\
      --tc 0b1 --openings suite.sfen --rounds 500 --concurrency 2 --sprt 0,5 --games new.jsonl

A player is a USI program with its arguments, or one of this program: an evaluation (builtin,
material, relation, nnue:FILE, …) or a player of the past (kuma2013, tenuki2019, osl2003). Words may
follow: name=NAME, option.NAME=VALUE, dir=FOLDER, and tc=CONTROL for a clock of its own; and the parts
that a player of this program is put together from:
  search=      minimax negamax alpha-beta nega-alpha-beta fail-soft pvs mtdf deepening full-width
               full-width-mtdf realization realization-mtdf realization-forcing classic tournament
  board=       position mailbox scan
  table=       none best-move bounds
  eval=        an evaluation, as above
  quiescence=  on off; and for search=classic null-move= futility= reductions= mate= on off

A time control is 60 (seconds for the game), 60+0.5 (and added for each move), 60b10 (and byoyomi),
move=0.1 (seconds for each move), nodes=N or depth=N.

Openings are lines with an SFEN or with `startpos moves …`; each is played twice, from both sides.
Every game is kept in the file of the match the moment it ends. The same command goes on where a
match was interrupted. With --sprt, exit code 1 means that the first hypothesis was accepted.";

/// How long a page may be behind the match.
const PAGE_PAUSE: Duration = Duration::from_secs(10);

/// Lets players play a match and says who is stronger
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Match {
    #[command(flatten)]
    setup: MatchSetup,
    /// How many games are played at a time
    #[arg(long, default_value_t = 1, value_name = "N")]
    concurrency: usize,
    /// The file that keeps the games
    #[arg(long, default_value = "games.jsonl", value_name = "FILE")]
    games: PathBuf,
    /// Write a page with tables and a graph, anew every few seconds
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the results as JSON, one object per player and one for the match
    #[arg(long)]
    json: bool,
}

// Who plays, how, and until when. A plain comment: clap would take another one for the help of the verb.
#[derive(Args)]
pub(crate) struct MatchSetup {
    /// Who plays
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// How long everybody may think
    #[arg(long, default_value = "10+0.1", value_name = "CONTROL")]
    tc: ThinkingLimit,
    /// A file of openings; without it all games begin with the start position
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many openings everybody plays against everybody, two games each
    #[arg(long, default_value_t = 50, value_name = "N")]
    rounds: usize,
    /// Let only the first player meet the others
    #[arg(long)]
    gauntlet: bool,
    /// Let players think on each other's time
    #[arg(long)]
    ponder: bool,
    /// Set an option of all players
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Stop when it is clear which difference in Elo is true
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// How often the second hypothesis may be accepted wrongly
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = chance)]
    alpha: f64,
    /// How often the first hypothesis may be accepted wrongly
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = chance)]
    beta: f64,
    /// How many milliseconds an answer may come too late
    #[arg(long, default_value_t = 100, value_name = "MS")]
    margin: u64,
    /// How many seconds a player may say nothing when no clock runs
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    patience: u64,
    /// After how many moves a game is drawn; 0 for never
    #[arg(long, default_value_t = 512, value_name = "N")]
    max_moves: u32,
    /// By which rule a king enters
    #[arg(long, default_value_t = DeclarationRule::Points27, value_name = "RULE")]
    declaration: DeclarationRule,
    /// End games that both players see as won by so much
    #[arg(long, value_name = "VALUE")]
    resign_value: Option<i32>,
    /// In how many moves of each player in a row
    #[arg(long, default_value_t = 4, value_name = "N")]
    resign_moves: usize,
    /// End games that both players see as even within so much
    #[arg(long, value_name = "VALUE")]
    draw_value: Option<i32>,
    /// In how many moves of each player in a row
    #[arg(long, default_value_t = 8, value_name = "N")]
    draw_moves: usize,
    /// But not before this move
    #[arg(long, default_value_t = 160, value_name = "N")]
    draw_after: u32,
}

fn hypotheses(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once(',').and_then(|(low, high)| {
        let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (f64::abs(low) < 1000.0 && f64::abs(high) < 1000.0 && low < high).then_some((low, high))
    });
    numbers.ok_or_else(|| "expected two numbers, the smaller first, as 0,5".into())
}

fn chance(text: &str) -> Result<f64, String> {
    let chance: Option<f64> = text.parse().ok();
    let chance = chance.filter(|chance| (1e-6..0.5).contains(chance));
    chance.ok_or_else(|| "expected a probability below a half".into())
}

impl Match {
    /// Plays and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let plan = self.setup.plan()?;
        let own = std::env::current_exe().map_err(Failure::Engine)?;
        let runner = plan.runner(&own, self.concurrency);
        let (mut file, played) = GamesFile::open(&self.games, &plan.header(&runner))?;
        let in_schedule = played.iter().filter(|game| game.id < runner.schedule.len());
        let mut games: Vec<_> = in_schedule.cloned().collect();
        let mut crosstable = Crosstable::default();
        for game in &games {
            crosstable.add(&runner.schedule, game);
        }
        let mut reporter = MatchReporter::new(&runner, self.setup.sprt());
        reporter.begin(&crosstable);
        // A page that cannot be written is noticed before hours are played for it.
        self.write_page(&runner, &games)?;
        let mut page_time = Instant::now();
        let mut page = Ok(());
        let decided = |crosstable: &Crosstable| {
            let sprt = self.setup.sprt().filter(|_| runner.entrants.len() == 2)?;
            let decision = sprt.decide(&crosstable.between(0, 1).pairs);
            Some(decision).filter(|&decision| decision != Decision::GoOn)
        };
        if decided(&crosstable).is_none() {
            runner.run(&mut file, &played, |game| {
                crosstable.add(&runner.schedule, game);
                reporter.tell(game, &crosstable);
                games.push(game.clone());
                if page_time.elapsed() >= PAGE_PAUSE {
                    page = self.write_page(&runner, &games);
                    page_time = Instant::now();
                }
                match decided(&crosstable) {
                    None if page.is_ok() => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            })?;
        }
        page?;
        self.write_page(&runner, &games)?;
        table::print(&runner, &crosstable, &games, self.setup.sprt(), self.json)?;
        Ok(match decided(&crosstable) {
            Some(Decision::Reject) => ExitStatus::No,
            _ => ExitStatus::Yes,
        })
    }

    /// Writes the page, whole or not at all.
    fn write_page(&self, runner: &MatchRunner, games: &[GameLine]) -> Result<(), Failure> {
        let Some(path) = &self.html else {
            return Ok(());
        };
        let names: Vec<_> = runner
            .entrants
            .iter()
            .map(|entrant| entrant.name.as_str())
            .collect();
        let summary = MatchReport {
            names: &names,
            schedule: &runner.schedule,
            games,
            sprt: self.setup.sprt(),
        };
        save(path, &summary.page())
    }
}

impl MatchSetup {
    fn sprt(&self) -> Option<Sprt> {
        self.sprt.map(|(elo0, elo1)| Sprt {
            elo0,
            elo1,
            alpha: self.alpha,
            beta: self.beta,
        })
    }

    /// What is asked for, ready to be played here or anywhere else.
    pub(crate) fn plan(&self) -> Result<MatchPlan, Failure> {
        let openings = match &self.openings {
            None => vec![Position::start()],
            Some(path) => read_openings(path)?,
        };
        Ok(MatchPlan {
            players: self.players.clone(),
            options: self.option.iter().map(|option| split(option)).collect(),
            limit: self.tc,
            openings,
            seed: self.seed,
            rounds: self.rounds,
            gauntlet: self.gauntlet,
            ponder: self.ponder,
            margin: self.margin,
            patience: self.patience,
            max_moves: self.max_moves,
            declaration: self.declaration,
            adjudication: self.adjudication(),
            sprt: self.sprt(),
        })
    }

    fn adjudication(&self) -> Adjudication {
        Adjudication {
            resign: self.resign_value.map(|value| ResignRule {
                value,
                moves: self.resign_moves,
            }),
            draw: self.draw_value.map(|value| DrawRule {
                value,
                moves: self.draw_moves,
                after: self.draw_after,
            }),
        }
    }
}

fn split(option: &str) -> (String, String) {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    (name.into(), value.into())
}

/// The openings of a file, one a line.
pub(super) fn read_openings(path: &Path) -> Result<Vec<Position>, Failure> {
    let text = tesuji_kernels::read_input_text(path).map_err(|source| Failure::Read {
        path: path.into(),
        source,
    })?;
    let mut openings = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let read = opening(text).map_err(|what| Failure::Line {
            path: path.into(),
            line,
            what: what.into(),
        })?;
        openings.extend(read);
    }
    if openings.is_empty() {
        return Err(Failure::Line {
            path: path.into(),
            line: 1,
            what: "there is no opening in this file".into(),
        });
    }
    Ok(openings)
}
