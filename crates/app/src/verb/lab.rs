//! `tesuji lab`: any board × evaluator × search × table of the library, side by side.

mod rows;
mod run;

use crate::answer::{ExitStatus, Failure};
use crate::arguments::{EvalArgs, PositionArgs, Switch, named};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use rows::{LabRow, Rows};
use run::{Combination, Settings, Subject};
use std::io::Write;
use tesuji_eval::{AnyEval, EvalSpec};
use tesuji_search::ladder::MoveOrder;
use tesuji_search::players::{BoardName, PlayerParts, SearchName, TableName};
use tesuji_shogi::Position;

const EXAMPLES: &str = "\
Examples:
  tesuji lab                                        the usual searches on the start position
  tesuji lab --search alpha-beta --board position --board mailbox --board scan --eval material
  tesuji lab --search classic --table none --table best-move --table bounds --depth 6
  tesuji lab --search pvs --eval material --eval relation --eval nnue:nn.bin
  tesuji lab --search realization --search realization-mtdf --halvings 24 --file suite.sfen
  tesuji lab --search classic --quiescence on --quiescence off --eval relation --depth 5
  tesuji lab --file positions.sfen --json

Every board is combined with every evaluator, every search and every table; what does not go
together is refused with the reason. The rungs of the ladder (minimax to deepening) look at the tree
once, as deep as they are told; the other searches deepen as they do in a game. Evaluators follow the
moves of `position` (followed); beside another board a position is played for them (beside), except
piece values, which are kept from the changes on any board (counted).

The same parts play: tesuji match 'relation search=pvs board=scan' kuma2013 --tc move=0.1

All rungs must give the same value; if they do not, the exit code is 1. Realization probability
measures its depth in halvings of the chance that a line is played: a quiet move costs about seven.";

/// What is compared if nobody says otherwise.
const USUAL: [SearchName; 11] = [
    SearchName::Minimax,
    SearchName::AlphaBeta,
    SearchName::FailSoft,
    SearchName::Pvs,
    SearchName::Mtdf,
    SearchName::Deepening,
    SearchName::FullWidth,
    SearchName::Realization,
    SearchName::RealizationMtdf,
    SearchName::Classic,
    SearchName::Tournament,
];

/// Combines any board, evaluator, search and table, and compares what comes out
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lab {
    /// A board; repeat it for several
    #[arg(long, default_values_t = [BoardName::Position], value_name = "NAME",
          value_parser = named::<BoardName>(BoardName::NAMES))]
    board: Vec<BoardName>,
    /// An evaluator, named as for `tesuji eval`; repeat it for several
    #[arg(long, default_values_t = [EvalSpec::Builtin], value_name = "SPEC")]
    eval: Vec<EvalSpec>,
    /// A search; repeat it for several
    #[arg(long, default_values_t = USUAL, value_name = "NAME",
          value_parser = named::<SearchName>(SearchName::NAMES))]
    search: Vec<SearchName>,
    /// What searches remember that come back to nodes; repeat it for several
    #[arg(long, default_values_t = [TableName::Bounds], value_name = "NAME",
          value_parser = named::<TableName>(TableName::NAMES))]
    table: Vec<TableName>,
    /// Whether captures run out before a leaf is evaluated; repeat it for both. Without it as each
    /// search does: classic and tournament do, the others do not
    #[arg(long, value_enum, value_name = "SWITCH")]
    quiescence: Vec<Switch>,
    /// In which order the rungs of the ladder try the moves
    #[arg(long, value_enum, default_value_t = OrderName::Captures)]
    order: OrderName,
    /// How many moves deep
    #[arg(long, default_value_t = 3, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=32))]
    depth: u32,
    /// How deep realization probability searches, in halvings
    #[arg(long, default_value_t = 18, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=128))]
    halvings: u32,
    /// The table of the searches that are no rungs, in MiB; rungs have tables of 262144 slots
    #[arg(long, default_value_t = 16, value_name = "MB",
          value_parser = clap::value_parser!(u16).range(1..=8192))]
    hash: u16,
    /// How many threads the classic and the tournament search use
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    eval_settings: EvalArgs,
    /// Print every position of a file, not only the sums
    #[arg(long)]
    each: bool,
    /// Print one JSON object per search
    #[arg(long)]
    json: bool,
}

/// In which order a rung tries the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OrderName {
    /// As the generator gives them
    Generated,
    /// Captures first, the greatest victim before the others
    Captures,
}

impl Lab {
    /// Searches and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let positions = self.positions.read(&Position::start())?;
        let combinations = self.combinations();
        let total = positions.len() * combinations.len() * self.eval.len();
        let progress = Progress::new("searches", total as u64);
        let mut rows = Rows::default();
        for spec in &self.eval {
            let eval_settings = self.eval_settings.checked(spec, None)?;
            let subject = Subject {
                eval: AnyEval::choose(spec, &eval_settings)?,
                spec,
                eval_settings,
            };
            for pos in &positions {
                for &combination in &combinations {
                    let outcome = run::run(&subject, pos, combination, &self.settings())?;
                    rows.push(LabRow {
                        sfen: pos.to_sfen(),
                        eval: spec.to_string(),
                        combination,
                        depth: match combination.parts.search.counts_halvings() {
                            true => self.halvings,
                            false => self.depth,
                        },
                        outcome,
                    });
                    progress.tick();
                }
            }
        }
        drop(progress);
        let each = self.each || positions.len() == 1;
        rows.print(&mut std::io::stdout().lock(), each, self.json)?;
        Ok(match rows.disagreement() {
            None => ExitStatus::Yes,
            Some(sfen) => {
                writeln!(std::io::stderr(), "the rungs do not agree on {sfen}")?;
                ExitStatus::No
            }
        })
    }

    fn combinations(&self) -> Vec<Combination> {
        let switches = self
            .quiescence
            .iter()
            .map(|&switch| Some(switch == Switch::On));
        let mut switches: Vec<Option<bool>> = switches.collect();
        if switches.is_empty() {
            switches.push(None);
        }
        let mut all = Vec::new();
        for &board in &self.board {
            for &search in &self.search {
                let tables: Vec<Option<TableName>> = match search.uses_table() {
                    true => self.table.iter().copied().map(Some).collect(),
                    false => vec![None],
                };
                for &table in &tables {
                    all.extend(switches.iter().map(|&quiescence| Combination {
                        parts: PlayerParts {
                            board,
                            table,
                            quiescence,
                            ..PlayerParts::of(search)
                        },
                    }));
                }
            }
        }
        all
    }

    fn settings(&self) -> Settings {
        Settings {
            order: match self.order {
                OrderName::Generated => MoveOrder::Generated,
                OrderName::Captures => MoveOrder::Captures,
            },
            depth: self.depth,
            halvings: self.halvings,
            hash_bytes: usize::from(self.hash) << 20,
            threads: self.threads.into(),
        }
    }
}
