//! `tesuji csa serve`: a server for local leagues.

use super::crash::ServerReporter;
use super::stop_signal;
use crate::answer::{ExitStatus, Failure, read_file, write_json};
use clap::Args;
use std::io::Write;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tesuji_csa::Archive;
use tesuji_csa::server::{
    Ratings, ResultLine, ScheduledGame, Server, ServerConfig, ServerLimits, read_schedule,
    round_robin, standings,
};
use tesuji_game::TimeControl;
use tesuji_record::{Game, ReadError, TextFormat};
use tesuji_shogi::rules::Counting;
use tesuji_shogi::{ByColor, DeclarationRule, RuleSet};

const EXAMPLES: &str = "\
Examples:
  tesuji csa serve --port 4081                        clients that ask for the same game are paired
  tesuji csa serve --rounds 20 --stay --games 20      everybody meets everybody so often
  tesuji csa serve --openings suite.sfen --address 0.0.0.0
  tesuji csa serve --round-robin ann,bob,eve --ratings ratings.tsv --stay
  tesuji csa serve --schedule day1.txt                lines with two players, Black first
  tesuji csa serve --every 30                         pair at the full and the half hour, as floodgate

A client asks for a game by its password: league-300-10F is five minutes and ten seconds more for
every move, league-60-5 a minute and then five seconds for every move; -B or -W behind it asks for a
side, and whatever follows a comma must be the same every time the player comes.

Openings are lines with an SFEN or with `startpos moves …`; moves are sent as already played. Each is
played from both sides. Records are written at every move, results are appended to results.tsv in the
same folder. A mated side is expected to resign. Begun seconds are not counted; who uses exactly all
of its time has lost. A clock runs from the moment the opponent's move was delivered.

A player whose connection breaks logs in again with the same name and password and is offered its game
anew with the moves played so far; its clock has not stopped. What cannot be written, on a full disk,
is kept and tried again while the games go on. Clients that say too much are made to wait, and sent
away if they go on. If the program itself makes a mistake, one game is given up and a report is written
beside the records. Ctrl-C ends the server; the records of games that are being played are kept, and the
standings printed.";

/// A server for local leagues: pairs, clocks, rules, records, results
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Serve {
    /// Who may connect: 127.0.0.1 is this machine alone, 0.0.0.0 everybody
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    address: IpAddr,
    /// Where to listen; 0 for any free port, which is then printed
    #[arg(long, default_value_t = 4081, value_name = "N")]
    port: u16,
    /// What the league is called
    #[arg(long, default_value = "tesuji", value_name = "NAME", value_parser = event)]
    event: String,
    /// The folder for records and results
    #[arg(long, default_value = "league", value_name = "FOLDER")]
    folder: PathBuf,
    /// In which format records are written
    #[arg(long, default_value = "csa", value_name = "FORMAT")]
    format: String,
    /// After how many moves a game is drawn; 0 for never
    #[arg(long, default_value_t = 320, value_name = "N")]
    max_moves: u32,
    /// By which rule a king enters
    #[arg(long, default_value_t = DeclarationRule::Points27, value_name = "RULE", value_parser = declaration)]
    declaration: DeclarationRule,
    /// Do not count the first position for repetitions, as shogi-server does not
    #[arg(long)]
    moves_only: bool,
    /// Black's clock in every game, such as 60+1 or 60b10, whatever the game is called
    #[arg(long, value_name = "CONTROL", requires = "white")]
    black: Option<TimeControl>,
    /// White's clock
    #[arg(long, value_name = "CONTROL", requires = "black")]
    white: Option<TimeControl>,
    /// What a move costs at least, in seconds
    #[arg(long, default_value_t = 0, value_name = "SECONDS")]
    least: u64,
    /// A file of openings
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How often two players meet; 0 for as often as they come
    #[arg(long, default_value_t = 0, value_name = "N")]
    rounds: u32,
    /// Let players wait for their next game instead of sending them away
    #[arg(long)]
    stay: bool,
    /// How many seconds a player whose connection broke in a game may take to come back; 0 for none
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    reconnect: u64,
    /// A file of Elo ratings, to go on with and to keep
    #[arg(long, value_name = "FILE")]
    ratings: Option<PathBuf>,
    /// Play only the games in this file: two players on a line, Black first
    #[arg(long, value_name = "FILE", conflicts_with = "round_robin")]
    schedule: Option<PathBuf>,
    /// Play only these players, everybody against everybody with both sides
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    round_robin: Vec<String>,
    /// Pair players only when the clock (UTC) shows a multiple of so many minutes; 0 for at once
    #[arg(long, default_value_t = 0, value_name = "MINUTES")]
    every: u64,
    /// How many clients may be connected at once
    #[arg(long, default_value_t = 2000, value_name = "N")]
    connections: usize,
    /// How many of them from one address
    #[arg(long, default_value_t = 1000, value_name = "N")]
    per_address: usize,
    /// End after so many games; 0 for never, or for all of a schedule
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: usize,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

fn event(text: &str) -> Result<String, String> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match !text.is_empty() && text.len() <= 32 && text.chars().all(is_letter) {
        true => Ok(text.into()),
        false => Err("expected up to 32 letters and digits, - and _".into()),
    }
}

fn declaration(text: &str) -> Result<DeclarationRule, String> {
    let rule: DeclarationRule = text.parse().map_err(|error| format!("{error}"))?;
    match rule {
        // A try is a move: the protocol has no word for winning by one.
        DeclarationRule::TryRule => Err("servers do not know the try rule".into()),
        rule => Ok(rule),
    }
}

impl Serve {
    /// Serves until enough games were played.
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let failed = |source| Failure::Write {
            path: self.folder.clone(),
            source,
        };
        let archive = Archive::open(&self.folder, &self.format).map_err(failed)?;
        let archive = archive.ok_or_else(|| Failure::File {
            path: self.format.clone().into(),
            what: "no format of records: expected csa, csa3, kif, kifu, ki2, jkf or usi".into(),
        })?;
        let config = self.config()?;
        let games = match (self.games, &config.schedule) {
            (0, Some(schedule)) => schedule.len(),
            (games, _) => games,
        };
        let server = Server::bind((self.address, self.port), config);
        let server = server.map_err(|source| Failure::File {
            path: format!("{}:{}", self.address, self.port).into(),
            what: format!("cannot listen there: {source}").into(),
        })?;
        let reporter = ServerReporter::new(self.folder.clone());
        let mut server = server
            .keeping(archive, &self.folder)
            .with_observer(move |event| reporter.tell(event));
        if let Some(path) = &self.ratings {
            server = server.rating(read_ratings(path)?, path.clone());
        }
        let address = server.address()?;
        let _ = writeln!(std::io::stderr(), "listening on {address}");
        let stop = stop_signal("now, games are left as they are")?;
        let mut results: Vec<ResultLine> = Vec::new();
        server
            .run(&stop, |result| {
                self.tell(result);
                results.push(result.clone());
                match games > 0 && results.len() >= games {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
            .map_err(failed)?;
        if !self.json {
            let ratings = self.ratings.as_deref().map(read_ratings).transpose()?;
            print_standings(&results, ratings.as_ref())?;
        }
        Ok(ExitStatus::Yes)
    }

    fn tell(&self, result: &ResultLine) {
        let mut out = std::io::stdout();
        let written = match self.json {
            true => write_json(&mut out, result),
            false => writeln!(out, "{result}"),
        };
        // Who does not want to know the result does not stop the games.
        let _ = written.and_then(|()| out.flush());
    }

    fn config(&self) -> Result<ServerConfig, Failure> {
        let times = match (self.black, self.white) {
            (Some(black), Some(white)) => {
                let clocks = [black, white].map(|control| self.counted(control));
                Some(ByColor(clocks))
            }
            _ => None,
        };
        Ok(ServerConfig {
            event: self.event.clone(),
            rules: RuleSet {
                counting: match self.moves_only {
                    true => Counting::MovesOnly,
                    false => Counting::WithStart,
                },
                declaration: self.declaration,
                move_limit: Some(self.max_moves).filter(|&limit| limit > 0),
                ..RuleSet::default()
            },
            times,
            least: Duration::from_secs(self.least),
            openings: match &self.openings {
                Some(path) => read_openings(path)?,
                None => Vec::new(),
            },
            rounds: self.rounds,
            stay: self.stay,
            reconnect: Duration::from_secs(self.reconnect),
            schedule: match &self.schedule {
                Some(path) => Some(read_file(path, read_schedule)?),
                None if self.round_robin.is_empty() => None,
                None => Some(self.tournament()?),
            },
            every: (self.every > 0).then(|| Duration::from_secs(self.every.saturating_mul(60))),
            limits: ServerLimits {
                connections: self.connections,
                address_connections: self.per_address,
                ..ServerLimits::default()
            },
            ..ServerConfig::default()
        })
    }

    /// Everybody of `--round-robin` against everybody.
    fn tournament(&self) -> Result<Vec<ScheduledGame>, Failure> {
        let mut names: Vec<&String> = self.round_robin.iter().collect();
        names.sort_unstable();
        names.dedup();
        match names.len() == self.round_robin.len() && names.len() > 1 && !names[0].is_empty() {
            true => Ok(round_robin(&self.round_robin)),
            false => Err(Failure::Usage(
                "--round-robin: expected different names with commas between, as ann,bob,eve"
                    .into(),
            )),
        }
    }

    /// A clock as a server counts it: in seconds if they suffice.
    fn counted(&self, control: TimeControl) -> TimeControl {
        let times = [control.main, control.increment, control.byoyomi];
        let is_whole = times.iter().all(|time| time.subsec_nanos() == 0);
        TimeControl {
            unit: Duration::from_millis(if is_whole { 1000 } else { 1 }),
            least: Duration::from_secs(self.least),
            ..control
        }
    }
}

fn read_openings(path: &Path) -> Result<Vec<Game>, Failure> {
    let parse = |text: &str| {
        (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(number, line)| TextFormat::Usi.read(line).map_err(|what| (number, what)))
            .collect::<Result<Vec<_>, (usize, ReadError)>>()
    };
    read_file(path, parse)
}

/// Ratings to go on with; none if there is no file yet.
fn read_ratings(path: &Path) -> Result<Ratings, Failure> {
    match path.exists() {
        true => read_file(path, |text| {
            Ratings::read(text).map_err(|error| (error.line, error))
        }),
        false => Ok(Ratings::default()),
    }
}

fn print_standings(results: &[ResultLine], ratings: Option<&Ratings>) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let head = if ratings.is_some() { "  rating" } else { "" };
    writeln!(
        out,
        "{:<32} {:>6} {:>5} {:>5} {:>5}{head}",
        "player", "points", "won", "drawn", "lost"
    )?;
    for standing in standings(results) {
        let points = standing.points();
        let (name, wins) = (&standing.name, standing.wins);
        let (draws, losses) = (standing.draws, standing.losses);
        let rating = ratings.map_or(String::new(), |all| format!("  {:6.0}", all.of(name).elo));
        writeln!(
            out,
            "{name:<32} {points:>6} {wins:>5} {draws:>5} {losses:>5}{rating}"
        )?;
    }
    Ok(())
}
