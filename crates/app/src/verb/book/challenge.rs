//! `tesuji book challenge`: how a book of winning lines stands against an engine without it.

use super::files::graph;
use super::make::{RepetitionChoice, budget, starts};
use super::think::challenger;
use crate::answer::{ExitStatus, Failure};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tesuji_book::make::{BookMaker, ChallengeOrder, GameReport, MakePlan};
use tesuji_book::{Graph, RepetitionRule, Wins};
use tesuji_match::player_spec::PlayerSpec;
use tesuji_shogi::{ByColor, Color, Position};

const EXAMPLES: &str = "\
Examples:
  tesuji book challenge win.sqlite --start paper.sfen --games 200 --budget 100-10k --seed 9
  tesuji book challenge win.sqlite --start paper.sfen --games 200 --seed 9 --without-book

One side plays the winning moves of the book and thinks where it has none; the other side always
thinks. Budgets are drawn anew for every game, with the numbers of --seed. Nothing is stored.";

/// How often the score is told while games are played.
const PAUSE: Duration = Duration::from_secs(5);

/// How many games that were not won are listed.
const MOST_DEFEATS: usize = 10;

/// Plays games with a book of winning lines against an engine without it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Challenge {
    /// The book
    book: PathBuf,
    /// A file of positions to begin with; without it the start position
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Who has the book, black or white; without it whoever wins the first position by the book
    #[arg(long, value_name = "SIDE", value_parser = one_side)]
    side: Option<Color>,
    /// The side with the book plays without it, to compare
    #[arg(long)]
    without_book: bool,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Over how many positions a move is thought about, drawn anew for every game
    #[arg(long, value_name = "LEAST-MOST", default_value = "1M-100M", value_parser = budget)]
    budget: (u64, u64),
    /// Who thinks: an evaluation of this program or a USI command
    #[arg(long, value_name = "ENGINE", default_value = "builtin")]
    engine: PlayerSpec,
    /// Whom a repetition loses the game; without it as the book was made
    #[arg(long, value_name = "WHO")]
    repetition: Option<RepetitionChoice>,
    /// Give a game up after so many moves
    #[arg(long, value_name = "N", default_value_t = 320)]
    max_moves: usize,
    /// Resign when it is worse off than this
    #[arg(long, value_name = "VALUE", default_value_t = 3000)]
    resign_value: i32,
    /// The transposition table of each player in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// Look for a mate over so many positions before anybody thinks; 0 for never
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    mate_nodes: u64,
    /// The numbers that budgets are drawn with
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Reads `black` or `white`: only one side has the book.
fn one_side(text: &str) -> Result<Color, String> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err(format!("{text:?} is no side: expected black or white")),
    }
}

impl Challenge {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let graph = graph(std::slice::from_ref(&self.book), false)?;
        let starts = starts(self.start.as_deref())?;
        let rule = self.repetition.map(RepetitionChoice::rule);
        let rule = rule.or(graph.repetition()).unwrap_or(RepetitionRule::USUAL);
        let side = self.book_side(&graph, &starts[0], rule)?;
        let plan = self.plan(starts, side, rule);
        let maker = BookMaker::new(plan, graph, None, &[]);
        let player = || challenger(&self.engine, self.hash, self.mate_nodes);
        let mut players = ByColor([player()?, player()?]);
        let mut reports = Vec::new();
        let mut told = Instant::now();
        for _ in 0..self.games {
            let report = maker.play(&mut players).map_err(|error| Failure::File {
                path: self.book.clone(),
                what: error.into(),
            })?;
            reports.push(report);
            if told.elapsed() >= PAUSE {
                told = Instant::now();
                let won = |report: &&GameReport| report.winner == Some(side);
                let won = reports.iter().filter(won).count();
                writeln!(
                    std::io::stderr(),
                    "{} of {} games, {won} won",
                    reports.len(),
                    self.games
                )?;
            }
        }
        self.tell(&reports, side)
    }

    /// Who has the book.
    fn book_side(
        &self,
        graph: &Graph,
        start: &Position,
        rule: RepetitionRule,
    ) -> Result<Color, Failure> {
        if let Some(side) = self.side {
            return Ok(side);
        }
        let mut wins = Wins::new(rule);
        wins.solve(graph);
        let node = graph.find_position(start);
        let outcome = node.map(|node| wins.outcome(graph, node));
        match outcome {
            Some(outcome) if outcome.is_win() => Ok(start.turn()),
            Some(outcome) if outcome.is_loss() => Ok(start.turn().foe()),
            _ => Err(Failure::File {
                path: self.book.clone(),
                what: "nobody wins the first position by this book: say who has it with --side"
                    .into(),
            }),
        }
    }

    fn plan(&self, starts: Vec<Position>, side: Color, rule: RepetitionRule) -> MakePlan {
        let follows = |color| color == side && !self.without_book;
        MakePlan {
            starts,
            budget: self.budget,
            follows: ByColor(Color::ALL.map(follows)),
            repetition: rule,
            exclude: 0.0,
            longest: self.max_moves,
            resign_value: self.resign_value,
            order: ChallengeOrder::InTurn,
            wins: None,
            seed: self.seed,
            learns: false,
        }
    }

    fn tell(&self, reports: &[GameReport], side: Color) -> Result<ExitStatus, Failure> {
        let count = |winner: Option<Color>| {
            let games = reports.iter().filter(|report| report.winner == winner);
            games.count()
        };
        let (won, lost, open) = (count(Some(side)), count(Some(side.foe())), count(None));
        let name = match side {
            Color::Black => "Black",
            Color::White => "White",
        };
        let with = if self.without_book { "without" } else { "with" };
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{name} {with} the book: {won} won, {lost} lost, {open} without result"
        )?;
        let followed: usize = reports.iter().map(|report| report.followed).sum();
        let mean = followed as f64 / reports.len().max(1) as f64;
        writeln!(out, "{mean:.1} moves of the book in a game")?;
        if !self.without_book {
            tell_values(&mut out, reports, side)?;
        }
        let defeats = reports.iter().filter(|report| report.winner != Some(side));
        for report in defeats.filter(|_| !self.without_book).take(MOST_DEFEATS) {
            writeln!(
                out,
                "not won: game {}, budget {}, {} of {} moves from the book",
                report.number + 1,
                report.budget,
                report.followed,
                report.plies
            )?;
        }
        Ok(match won == reports.len() {
            true => ExitStatus::Yes,
            false => ExitStatus::No,
        })
    }
}

/// Says what the side with the book thought of its positions when the book ended, in games that it won
/// and in the others: a book that leads into bad positions shows here.
fn tell_values(out: &mut impl Write, reports: &[GameReport], side: Color) -> Result<(), Failure> {
    for (name, is_won) in [("won", true), ("not won", false)] {
        let games = reports
            .iter()
            .filter(|report| (report.winner == Some(side)) == is_won);
        let mut values: Vec<i32> = games.filter_map(|report| report.left_at).collect();
        values.sort_unstable();
        if let Some(middle) = values.get(values.len() / 2) {
            writeln!(
                out,
                "games {name}: worth {middle} where the book ended (the middle one of {})",
                values.len()
            )?;
        }
    }
    Ok(())
}
