//! `tesuji lab`: any board × evaluator × search of the library, side by side.

mod method;
mod rows;
mod run;

use crate::answer::{ExitStatus, Failure};
use crate::arguments::{EvalArgs, PositionArgs};
use crate::progress::Progress;
use crate::verb::perft::BoardName;
use clap::Args;
use method::{Method, OrderName, TableName};
use rows::{LabRow, Rows};
use run::{Combination, Settings, Subject};
use std::io::Write;
use tesuji_engine::{SearchFactory, TournamentFactory};
use tesuji_eval::{AnyEval, EvalSpec};
use tesuji_search::ladder::MoveOrder;
use tesuji_shogi::Position;

const EXAMPLES: &str = "\
Examples:
  tesuji lab                                        the usual searches on the start position
  tesuji lab --search alpha-beta --board position --board mailbox --board scan --eval material
  tesuji lab --search deepening --table none --table best-move --table bounds --depth 4
  tesuji lab --search pvs --eval material --eval relation --eval nnue:nn.bin
  tesuji lab --search realization --search realization-mtdf --halvings 24 --file suite.sfen
  tesuji lab --file positions.sfen --json

Every board is combined with every evaluator and every search. The rungs of the ladder (minimax to
deepening) take any board. An evaluator can only be asked about `position`: there it follows the
moves (followed); on other boards piece values are kept from the changes (counted), and any other
evaluator is asked about a position that is set up anew at every leaf (set-up), which is slow and
counted as such. The other searches take `position` only.

All rungs must give the same value; if they do not, the exit code is 1. Realization probability
measures its depth in halvings of the chance that a line is played: a quiet move costs about seven.";

/// Combines any board, evaluator and search, and compares what comes out
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lab {
    /// A board; repeat it for several
    #[arg(long, value_enum, default_values_t = [BoardName::Position], value_name = "NAME")]
    board: Vec<BoardName>,
    /// An evaluator, named as for `tesuji eval`; repeat it for several
    #[arg(long, default_values_t = [EvalSpec::Builtin], value_name = "SPEC")]
    eval: Vec<EvalSpec>,
    /// A search; repeat it for several
    #[arg(long, value_enum, default_values_t = Method::USUAL, value_name = "NAME")]
    search: Vec<Method>,
    /// What mtdf and deepening remember; repeat it for several
    #[arg(long, value_enum, default_values_t = [TableName::Bounds], value_name = "NAME")]
    table: Vec<TableName>,
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
    /// The table of the searches that are no rungs, in MiB
    #[arg(long, default_value_t = 16, value_name = "MB",
          value_parser = clap::value_parser!(u16).range(1..=8192))]
    hash: u16,
    /// How many threads the tournament search uses
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

impl Lab {
    /// Searches and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let positions = self.positions.read(&Position::start())?;
        let combinations = self.combinations();
        let total = positions.len() * combinations.len() * self.eval.len();
        let progress = Progress::new("searches", total as u64);
        let mut rows = Rows::default();
        for spec in &self.eval {
            let mut subject = self.subject(spec)?;
            let settings = self.settings(spec);
            for pos in &positions {
                for &combination in &combinations {
                    let outcome = run::run(&mut subject, pos, combination, &settings);
                    rows.push(LabRow {
                        sfen: pos.to_sfen(),
                        eval: spec.to_string(),
                        combination,
                        depth: match combination.method.counts_halvings() {
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

    fn subject(&self, spec: &EvalSpec) -> Result<Subject, Failure> {
        let settings = self.eval_settings.settings(None);
        let bytes = usize::from(self.hash) << 20;
        let tournament = match self.search.contains(&Method::Tournament) {
            true => Some(TournamentFactory.make(spec, &settings, self.threads.into(), bytes)?),
            false => None,
        };
        Ok(Subject {
            eval: AnyEval::choose(spec, &settings)?,
            tournament,
        })
    }

    fn combinations(&self) -> Vec<Combination> {
        let mut all = Vec::new();
        for &board in &self.board {
            for &method in &self.search {
                let uses_table = method.rung().is_some_and(|rung| rung.uses_table());
                let tables = self.table.iter().map(|&table| Some(table));
                let tables: Vec<_> = if uses_table {
                    tables.collect()
                } else {
                    vec![None]
                };
                all.extend(tables.into_iter().map(|table| Combination {
                    board,
                    method,
                    table,
                }));
            }
        }
        all
    }

    fn settings(&self, spec: &EvalSpec) -> Settings {
        Settings {
            order: match self.order {
                OrderName::Generated => MoveOrder::Generated,
                OrderName::Captures => MoveOrder::Captures,
            },
            depth: self.depth,
            halvings: self.halvings,
            hash_bytes: usize::from(self.hash) << 20,
            is_material: *spec == EvalSpec::Material,
        }
    }
}
