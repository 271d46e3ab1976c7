//! `tesuji bench movegen`: every generator, every board, and what is built on them.

mod rows;

use super::positions;
use super::rounds::{self, Cell};
use crate::answer::{ExitStatus, Failure, write_json};
use crate::progress::Progress;
use clap::Args;
use rows::ComponentRow;
use serde::Serialize;
use std::io::Write;
use std::time::Duration;
use tesuji_shogi::Position;

const NOTES: &str = "\
Sets of positions:
  start      the start of a game, 30 moves
  festival   a middle game with full hands, 207 moves
  widest     the position with most moves, 593
  middle     the mean over 40 positions from games
  checked    the mean over 24 positions in check

Columns: million calls per second, nanoseconds and cycles per call, moves per call, nanoseconds
and cycles per move. `is legal` is called once per move, `play and undo` too, `to`, `onto` and
`escapes` once per square. For trees: million nodes per second, milliseconds, nodes, nanoseconds
and cycles per node; in JSON a tree is a call and a node is a move.

Every number is the best of several rounds; in a round each component is measured once, so that a
busy moment of the machine harms no one alone. Cycles are not read from the processor, which often
hides its counters: a chain of additions and exclusive ors, each of which waits for the one before
and takes one cycle, is timed in every round, and all times are divided by that of one link.

Examples:
  tesuji bench movegen                       the whole table, some ten seconds
  tesuji bench movegen --only legal          the rows with `legal` in their name
  tesuji bench movegen --rounds 100 --json   more rounds, for scripts";

/// Boards and move generators: lists per second, time per move, whole trees
#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Movegen {
    /// How many times each component is measured
    #[arg(long, default_value_t = 20, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// How long one measurement lasts
    #[arg(long, default_value_t = 1, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    millis: u64,
    /// Only the components whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Print one JSON object per component and set
    #[arg(long)]
    json: bool,
}

/// One measured line of the table.
struct Measured {
    set: &'static str,
    component: String,
    cell: Cell,
}

/// The same, for scripts.
#[derive(Serialize)]
struct ComponentFigures<'a> {
    set: &'a str,
    component: &'a str,
    calls_per_second: f64,
    ns_per_call: f64,
    cycles_per_call: f64,
    moves_per_call: f64,
    ns_per_move: Option<f64>,
    cycles_per_move: Option<f64>,
}

/// What the cycles were computed with, for scripts.
#[derive(Serialize)]
struct Machine {
    ns_per_cycle: f64,
    rounds: u32,
    millis: u64,
}

/// The block of the table that holds whole trees instead of a set of positions.
const TREES: &str = "trees";

impl Movegen {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut table = Vec::new();
        for set in positions::sets() {
            self.add(&mut table, set.name, rows::rows(), &set.positions);
        }
        self.add(&mut table, TREES, rows::trees(), &[]);
        let progress = Progress::new("measurements", u64::from(self.rounds) * table.len() as u64);
        let cells = table.iter_mut().map(|line| &mut line.cell).collect();
        let span = Duration::from_millis(self.millis);
        let cycle = rounds::measure(cells, self.rounds, span, &progress);
        drop(progress);

        let mut out = std::io::stdout().lock();
        if self.json {
            self.write_json(&mut out, &table, cycle)?;
        } else {
            self.write_text(&mut out, &table, cycle)?;
        }
        Ok(ExitStatus::Yes)
    }

    fn add(
        &self,
        table: &mut Vec<Measured>,
        set: &'static str,
        rows: Vec<ComponentRow>,
        positions: &[Position],
    ) {
        for row in rows {
            if !row.name.contains(&self.only) {
                continue;
            }
            if let Some(passes) = (row.prepare)(positions) {
                table.push(Measured {
                    set,
                    component: row.name,
                    cell: Cell::new(passes),
                });
            }
        }
    }

    fn write_json(
        &self,
        out: &mut impl Write,
        table: &[Measured],
        cycle: f64,
    ) -> std::io::Result<()> {
        for line in table {
            write_json(out, &line.figures(cycle))?;
        }
        let machine = Machine {
            ns_per_cycle: cycle,
            rounds: self.rounds,
            millis: self.millis,
        };
        write_json(out, &machine)
    }

    fn write_text(
        &self,
        out: &mut impl Write,
        table: &[Measured],
        cycle: f64,
    ) -> std::io::Result<()> {
        for block in table.chunk_by(|a, b| a.set == b.set) {
            let set = block[0].set;
            let heads = match set {
                TREES => ["Mnodes/s", "ms", "nodes", "", "ns/node", "cyc/node"],
                _ => [
                    "Mcalls/s", "ns/call", "cyc/call", "moves", "ns/move", "cyc/move",
                ],
            };
            write_line(out, set, heads.map(String::from))?;
            for line in block {
                let figures = line.figures(cycle);
                let cells = match set {
                    TREES => figures.tree_columns(),
                    _ => figures.columns(),
                };
                write_line(out, &format!("  {}", line.component), cells)?;
            }
            writeln!(out)?;
        }
        let (rounds, millis) = (self.rounds, self.millis);
        writeln!(
            out,
            "best of {rounds} rounds of {millis} ms; one cycle = {cycle:.3} ns ({:.2} GHz)",
            1.0 / cycle
        )
    }
}

impl Measured {
    fn figures(&self, cycle: f64) -> ComponentFigures<'_> {
        let (nanos, moves) = (self.cell.nanos, self.cell.moves);
        let ns_per_move = (moves > 0.0).then(|| nanos / moves);
        ComponentFigures {
            set: self.set,
            component: &self.component,
            calls_per_second: 1e9 / nanos,
            ns_per_call: nanos,
            cycles_per_call: nanos / cycle,
            moves_per_call: moves,
            ns_per_move,
            cycles_per_move: ns_per_move.map(|nanos| nanos / cycle),
        }
    }
}

impl ComponentFigures<'_> {
    fn columns(&self) -> [String; 6] {
        let some = |figure: Option<f64>| figure.map_or("-".into(), |figure| format!("{figure:.2}"));
        [
            format!("{:.3}", self.calls_per_second / 1e6),
            format!("{:.1}", self.ns_per_call),
            format!("{:.0}", self.cycles_per_call),
            format!("{:.1}", self.moves_per_call),
            some(self.ns_per_move),
            some(self.cycles_per_move),
        ]
    }

    fn tree_columns(&self) -> [String; 6] {
        let [_, _, _, _, nanos, cycles] = self.columns();
        [
            format!("{:.1}", self.calls_per_second * self.moves_per_call / 1e6),
            format!("{:.2}", self.ns_per_call / 1e6),
            format!("{}", self.moves_per_call),
            String::new(),
            nanos,
            cycles,
        ]
    }
}

fn write_line(out: &mut impl Write, name: &str, cells: [String; 6]) -> std::io::Result<()> {
    let line = cells.iter().zip([10, 10, 9, 8, 9, 9]);
    let line: String = line
        .map(|(cell, width)| format!("{cell:>width$}"))
        .collect();
    writeln!(out, "{name:<26}{line}")
}
