//! `tesuji book make`: the book that grows by playing against itself.

use super::change::SideChoice;
use super::files::{failure, store_path};
use super::made_games::{MadeGames, MadeGamesHeader, games_path, read_games, refusal, rule_name};
use super::page::BookPage;
use super::think::challenger;
use crate::answer::{ExitStatus, Failure};
use clap::{Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_book::make::{
    BookMaker, ChallengeOrder, Challenger, GameReport, MakeError, MakePlan, MakeProgress,
};
use tesuji_book::store::FactStore;
use tesuji_book::{BookOutcome, Graph, RepetitionRule, open_store};
use tesuji_match::player_spec::{PlayerSpec, PlayerSpecError, opening};
use tesuji_shogi::{ByColor, Color, Position};

const EXAMPLES: &str = "\
Examples:
  tesuji book make win.sqlite --budget 10k-1M --wins 100
  tesuji book make win.sqlite --start positions.sfen --threads 2 --html win.html
  tesuji book make win.sqlite --black builtin --white './engine option.Threads=1' --follow black

Games are played from the start positions. Whoever has a move that won against everything tried so
far plays it; otherwise it thinks, over a number of positions drawn anew for every game, and the move
is stored. A side that wins N games in a row from every start has won against N challenges: that is
no proof. The same command goes on where it was stopped; at most the running games are lost.
With one thread and the same seed the same book is made.";

/// Makes a book whose lines win, by playing against itself
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Make {
    /// The book, a .sqlite or .tbk file; made if it is not there
    #[arg(value_parser = store_path)]
    book: PathBuf,
    #[command(flatten)]
    setup: BookSetup,
    /// How many games are played at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Write a page with the tree and the streaks, anew every few seconds
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

// Which games are played. A plain comment: clap would take another one for the help of the verb.
#[derive(Args)]
pub(crate) struct BookSetup {
    /// A file of positions to begin with (SFEN, or startpos moves …); without it the start position
    #[arg(long, value_name = "FILE")]
    pub(crate) start: Option<PathBuf>,
    /// Over how many positions a move is thought about, drawn anew for every game
    #[arg(long, value_name = "LEAST-MOST", default_value = "1M-100M", value_parser = budget)]
    pub(crate) budget: (u64, u64),
    /// Who thinks for Black: an evaluation of this program or a USI command
    #[arg(long, value_name = "ENGINE", default_value = "builtin")]
    pub(crate) black: PlayerSpec,
    /// Who thinks for White
    #[arg(long, value_name = "ENGINE", default_value = "builtin")]
    pub(crate) white: PlayerSpec,
    /// Whose winning moves are followed
    #[arg(long, value_name = "SIDE", default_value = "both")]
    pub(crate) follow: SideChoice,
    /// Whom a repetition loses the game
    #[arg(long, value_name = "WHO", default_value = "black")]
    pub(crate) repetition: RepetitionChoice,
    /// In which share of the loser's turns refuted moves are forbidden. More than 0 widens the book,
    /// and weakens it: worse moves come in that were challenged once
    #[arg(long, value_name = "0..1", default_value_t = 0.0, value_parser = share)]
    pub(crate) exclude: f64,
    /// Which position is challenged next
    #[arg(long, value_name = "ORDER", default_value = "in-turn")]
    pub(crate) order: OrderChoice,
    /// Stop when every position has so many wins in a row
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) wins: Option<u32>,
    /// Stop after so many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: Option<u64>,
    /// Give a game up after so many moves
    #[arg(long, value_name = "N", default_value_t = 320)]
    pub(crate) max_moves: usize,
    /// Resign when it is worse off than this
    #[arg(long, value_name = "VALUE", default_value_t = 3000)]
    pub(crate) resign_value: i32,
    /// The transposition table of each player in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub(crate) hash: usize,
    /// Look for a mate over so many positions before anybody thinks; what is found is stored as
    /// proven. 0 for never
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) mate_nodes: u64,
    /// The numbers that budgets are drawn with
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Whom a repetition loses the game, as people write it.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum RepetitionChoice {
    Black,
    White,
    Draw,
}

impl RepetitionChoice {
    pub(super) fn rule(self) -> RepetitionRule {
        match self {
            Self::Black => RepetitionRule::Loses(Color::Black),
            Self::White => RepetitionRule::Loses(Color::White),
            Self::Draw => RepetitionRule::Draw,
        }
    }
}

/// The order of challenges, as people write it.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum OrderChoice {
    InTurn,
    FewestWins,
    FewestChallenges,
}

/// The positions of a file, or the start position.
pub(super) fn starts(path: Option<&Path>) -> Result<Vec<Position>, Failure> {
    let Some(path) = path else {
        return Ok(vec![Position::start()]);
    };
    let starts = crate::answer::read_file(path, |text| {
        let mut starts = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let start = opening(line).map_err(|error| (number + 1, error))?;
            starts.extend(start);
        }
        Ok::<_, (usize, PlayerSpecError)>(starts)
    })?;
    match starts.is_empty() {
        true => Err(Failure::File {
            path: path.into(),
            what: "there is no position in it".into(),
        }),
        false => Ok(starts),
    }
}

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("{text:?} is no share: expected a number from 0 to 1"))
}

/// Reads `10k-1M`.
pub(super) fn budget(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("{text:?} is no budget: expected something like 10k-1M");
    let number = |text: &str| {
        let (digits, scale) = match text.trim().to_ascii_lowercase() {
            text if text.ends_with('k') => (text.trim_end_matches('k').to_owned(), 1000),
            text if text.ends_with('m') => (text.trim_end_matches('m').to_owned(), 1_000_000),
            text => (text, 1),
        };
        digits.parse::<u64>().ok()?.checked_mul(scale)
    };
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let (least, most) = number(least).zip(number(most)).ok_or_else(wrong)?;
    match 0 < least && least <= most {
        true => Ok((least, most)),
        false => Err(wrong()),
    }
}

impl BookSetup {
    /// What is asked for.
    pub(crate) fn plan(&self) -> Result<MakePlan, Failure> {
        let starts = starts(self.start.as_deref())?;
        Ok(MakePlan {
            starts,
            budget: self.budget,
            follows: ByColor(Color::ALL.map(|color| self.follow.includes(color))),
            repetition: self.repetition.rule(),
            exclude: self.exclude,
            longest: self.max_moves,
            resign_value: self.resign_value,
            order: match self.order {
                OrderChoice::InTurn => ChallengeOrder::InTurn,
                OrderChoice::FewestWins => ChallengeOrder::FewestWins,
                OrderChoice::FewestChallenges => ChallengeOrder::FewestChallenges,
            },
            wins: self.wins,
            seed: self.seed,
            learns: true,
        })
    }
}

impl Make {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let plan = self.setup.plan()?;
        // Who cannot play is told before there is a file.
        let players = self.players()?;
        let path = games_path(&self.book);
        let header = MadeGamesHeader::of(&plan);
        let before = read_games(&path, &header)?;
        let (graph, store) = self.open(&plan, !before.is_empty())?;
        let games = MadeGames::open(&path, &header, !before.is_empty())?;
        let work = MakeWork {
            make: self,
            maker: BookMaker::new(plan.clone(), graph, Some(store), &before),
            games: Mutex::new(games),
            games_before: before.len(),
            reports: Mutex::new(before),
            stop: AtomicBool::new(false),
            begun: Instant::now(),
            told: Mutex::new(Instant::now()),
        };
        let outcomes: Vec<Result<(), String>> = std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> = players
                .into_iter()
                .map(|players| scope.spawn(move || work.play_on(players)))
                .collect();
            let ends = threads.into_iter().map(|thread| thread.join());
            ends.map(|end| end.unwrap_or(Ok(()))).collect()
        });
        work.write_page(&plan)?;
        let progress = work.maker.progress();
        self.tell(&progress)?;
        let outcome = outcomes.into_iter().collect::<Result<(), String>>();
        outcome.map_err(|why| Failure::File {
            path: self.book.clone(),
            what: why.into(),
        })?;
        Ok(match self.setup.wins.is_none() || progress.is_done {
            true => ExitStatus::Yes,
            false => ExitStatus::No,
        })
    }

    /// Black and White for every thread.
    fn players(&self) -> Result<Vec<ByColor<Box<dyn Challenger>>>, Failure> {
        let setup = &self.setup;
        let player = |spec| challenger(spec, setup.hash, setup.mate_nodes);
        (0..self.threads.max(1))
            .map(|_| Ok(ByColor([player(&setup.black)?, player(&setup.white)?])))
            .collect()
    }

    /// Opens the book that games are added to, or begins it; `is_begun` if there are games of it.
    fn open(
        &self,
        plan: &MakePlan,
        is_begun: bool,
    ) -> Result<(Graph, Box<dyn FactStore>), Failure> {
        let games = games_path(&self.book);
        let lost = || refusal(&games, "its games are not in the book, which is empty");
        if is_begun && !self.book.exists() {
            return Err(lost());
        }
        let mut graph = Graph::default();
        let opened = open_store(&self.book, &mut |entry| {
            // An entry of a store has both kings: they are in its key.
            let _ = graph.add_entry(&entry);
        });
        let (store, cut) = opened.map_err(|error| failure(&self.book, error))?;
        if cut > 0 {
            writeln!(
                std::io::stderr(),
                "{cut} bytes of an unfinished game were cut off"
            )?;
        }
        if is_begun && graph.node_count() == 0 {
            return Err(lost());
        }
        match graph.repetition().filter(|&rule| rule != plan.repetition) {
            None => Ok((graph, store)),
            Some(rule) => {
                let rule = rule_name(rule);
                let what = format!("it was begun with --repetition {rule}, and means nothing else");
                Err(Failure::File {
                    path: self.book.clone(),
                    what: what.into(),
                })
            }
        }
    }

    /// Says how every start stands.
    fn tell(&self, progress: &MakeProgress) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{}: {} positions, {} moves, {} games, {} nodes",
            self.book.display(),
            progress.positions,
            progress.moves,
            progress.games,
            progress.nodes
        )?;
        for (number, streak) in progress.streaks.iter().enumerate() {
            let side = match streak.winner {
                Some(Color::Black) => "Black",
                Some(Color::White) => "White",
                None => "nobody",
            };
            let known = match progress.outcomes[number] {
                BookOutcome::Unknown => "open".to_owned(),
                BookOutcome::Win(_) if progress.are_proven[number] => {
                    "won by the side to move, proven by the mate solver".into()
                }
                BookOutcome::Win(plies) => format!("won by the side to move in {plies}"),
                BookOutcome::Loss(plies) => format!("lost for the side to move in {plies}"),
                BookOutcome::WinByRepetition => "won by the side to move, by repetition".into(),
                BookOutcome::LossByRepetition => "lost for the side to move, by repetition".into(),
            };
            writeln!(
                out,
                "start {}: {side} won against {} challenges in a row (longest {}), {} games; {known}",
                number + 1,
                streak.wins,
                streak.longest,
                streak.games
            )?;
        }
        Ok(())
    }
}

/// How many of the moves of the last games the book knew, in percent.
fn coverage(reports: &[GameReport]) -> f64 {
    const LAST: usize = 20;
    let last = &reports[reports.len().saturating_sub(LAST)..];
    let followed: usize = last.iter().map(|report| report.followed).sum();
    let plies: usize = last.iter().map(|report| report.plies).sum();
    100.0 * followed as f64 / plies.max(1) as f64
}

/// What the threads share.
struct MakeWork<'a> {
    make: &'a Make,
    maker: BookMaker,
    games: Mutex<MadeGames>,
    /// How many games earlier runs played.
    games_before: usize,
    reports: Mutex<Vec<GameReport>>,
    stop: AtomicBool,
    begun: Instant,
    told: Mutex<Instant>,
}

impl MakeWork<'_> {
    /// Plays games until enough were played; what goes wrong ends the work of all threads.
    fn play_on(&self, players: ByColor<Box<dyn Challenger>>) -> Result<(), String> {
        self.play_games(players).map_err(|failure| {
            self.stop.store(true, Relaxed);
            failure.to_string()
        })
    }

    fn play_games(&self, mut players: ByColor<Box<dyn Challenger>>) -> Result<(), Failure> {
        let make = self.make;
        while !self.stop.load(Relaxed) {
            let progress = self.maker.progress();
            let is_enough = make
                .setup
                .games
                .is_some_and(|games| progress.games >= games);
            if progress.is_done || is_enough {
                break;
            }
            let report = self.maker.play(&mut players).map_err(|error| match error {
                MakeError::Store(error) => failure(&make.book, error),
                error => Failure::File {
                    path: make.book.clone(),
                    what: error.into(),
                },
            })?;
            self.keep(report)?;
        }
        Ok(())
    }

    fn keep(&self, report: GameReport) -> Result<(), Failure> {
        if let Ok(mut games) = self.games.lock() {
            games.add(&report)?;
        }
        if let Ok(mut reports) = self.reports.lock() {
            reports.push(report);
        }
        let pause = Duration::from_secs(if std::io::stderr().is_terminal() {
            1
        } else {
            5
        });
        let is_due = self.told.lock().is_ok_and(|mut told| {
            let is_due = told.elapsed() >= pause;
            if is_due {
                *told = Instant::now();
            }
            is_due
        });
        if is_due {
            self.say();
            self.write_page(&self.make.setup.plan()?)?;
        }
        Ok(())
    }

    /// One line about the work.
    fn say(&self) {
        let progress = self.maker.progress();
        let streaks: Vec<String> = progress
            .streaks
            .iter()
            .take(8)
            .map(|streak| {
                let side = streak.winner.map_or('-', |color| color.letter());
                format!("{side}{}", streak.wins)
            })
            .collect();
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        let (played, coverage) = self.reports.lock().map_or((0, 0.0), |reports| {
            (reports.len() - self.games_before, coverage(&reports))
        });
        let forecast = self.make.setup.wins.map_or(String::new(), |wins| {
            let missing: u64 = progress
                .streaks
                .iter()
                .map(|streak| u64::from(wins.saturating_sub(streak.wins)))
                .sum();
            let rate = played as f64 / seconds;
            format!(
                ", at least {missing} games ({:.0} s) to go",
                missing as f64 / rate.max(1e-9)
            )
        });
        let end = if std::io::stderr().is_terminal() {
            "\r"
        } else {
            "\n"
        };
        let _ = write!(
            std::io::stderr(),
            "{} games, {} positions, in a row {}, {coverage:.0} % of the last moves from the book, \
             {} nodes{forecast}{end}",
            progress.games,
            progress.positions,
            streaks.join(" "),
            progress.nodes
        );
    }

    fn write_page(&self, plan: &MakePlan) -> Result<(), Failure> {
        let Some(path) = &self.make.html else {
            return Ok(());
        };
        let reports = self.reports.lock().map(|reports| reports.clone());
        let reports = reports.unwrap_or_default();
        let text = self.maker.with_book(|graph, wins| {
            BookPage {
                graph,
                wins,
                plan,
                reports: &reports,
            }
            .write()
        });
        tesuji_record::file::save(path, text.as_bytes()).map_err(|source| Failure::Write {
            path: path.clone(),
            source,
        })
    }
}
