//! `tesuji book`: making, changing and asking opening books.

mod ask;
mod challenge;
mod change;
mod extend;
pub(crate) mod files;
mod from_games;
mod made_games;
pub(crate) mod make;
mod page;
mod think;

use crate::answer::{ExitStatus, Failure};
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tesuji book probe user.db --moves '7g7f 3c3d'       what a book says about a position
  tesuji book show user.db --depth 6 --width 3        a book as a tree
  tesuji book from-games games/*.csa -o games.db --plies 40 --min-count 3
  tesuji book merge mine.book games.db -o all.db      counts add up, deeper values stay
  tesuji book minimax all.db -o shock.db              values of the leaves, carried to the start
  tesuji book prune shock.db -o small.ybb --best black
  tesuji book extend all.sqlite --positions 100 --nodes 1000000
  tesuji book export all.sqlite -o all.bin            between all formats; import is the same
  tesuji book check all.db                            every move legal, sorted, every position once
  tesuji book make win.sqlite --start paper.sfen --budget 10k-1M --wins 100
  tesuji book challenge win.sqlite --start paper.sfen --games 200 --seed 9

Formats, told by the extension: db and ybb (YaneuraOu), bin (Apery), sbk (ShogiGUI), book (lines of
moves that a person types), and two of our own for books that grow, safe at any time: sqlite (tables)
and tbk (a log that is appended to).
docs/book.md tells more.";

/// Makes, changes and asks opening books
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Probe(ask::BookProbe),
    Show(ask::Show),
    Stats(ask::BookStats),
    Check(ask::Check),
    FromGames(from_games::FromGames),
    Merge(change::BookMerge),
    Minimax(change::Minimax),
    Prune(change::Prune),
    Extend(Box<extend::Extend>),
    Import(change::Export),
    Export(change::Export),
    Make(Box<make::Make>),
    Challenge(Box<challenge::Challenge>),
}

impl Book {
    /// Does what was asked.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.action {
            Action::Probe(probe) => probe.run(),
            Action::Show(show) => show.run(),
            Action::Stats(stats) => stats.run(),
            Action::Check(check) => check.run(),
            Action::FromGames(games) => games.run(),
            Action::Merge(merge) => merge.run(),
            Action::Minimax(minimax) => minimax.run(),
            Action::Prune(prune) => prune.run(),
            Action::Extend(extend) => extend.run(),
            Action::Import(export) | Action::Export(export) => export.run(),
            Action::Make(make) => make.run(),
            Action::Challenge(challenge) => challenge.run(),
        }
    }
}
