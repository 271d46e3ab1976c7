//! What came out, for people and for scripts.

use super::run::{Combination, LabOutcome};
use crate::answer::write_json;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;
use tesuji_shogi::Value;

/// One search of one position.
pub(super) struct LabRow {
    pub(super) sfen: String,
    pub(super) eval: String,
    pub(super) combination: Combination,
    pub(super) depth: u32,
    pub(super) outcome: LabOutcome,
}

/// Everything that was searched.
#[derive(Default)]
pub(super) struct Rows(Vec<LabRow>);

/// One search, for scripts.
#[derive(Serialize)]
struct Searched<'a> {
    sfen: &'a str,
    board: &'static str,
    eval: &'a str,
    search: &'static str,
    table: &'static str,
    quiescence: bool,
    depth: u32,
    leaf: Option<&'static str>,
    value: Option<i32>,
    mate: Option<i32>,
    best: Option<String>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    refused: Option<&'static str>,
}

impl LabRow {
    fn search(&self) -> String {
        let parts = &self.combination.parts;
        let mut text = parts.search.name().to_owned();
        if let Some(table) = parts.table {
            text = format!("{text} / {table}");
        }
        match parts.quiescence {
            Some(true) => text + " / quiet",
            Some(false) => text + " / raw",
            None => text,
        }
    }

    /// What is the same over all positions of a file.
    fn label(&self) -> (String, String, String) {
        (
            self.combination.parts.board.to_string(),
            self.eval.clone(),
            self.search(),
        )
    }

    fn json(&self) -> Searched<'_> {
        let (outcome, parts) = (self.outcome.as_ref().ok(), &self.combination.parts);
        Searched {
            sfen: &self.sfen,
            board: parts.board.name(),
            eval: &self.eval,
            search: parts.search.name(),
            table: parts.used_table().name(),
            quiescence: parts.is_quiet(),
            depth: self.depth,
            leaf: outcome.map(|outcome| outcome.leaf),
            value: outcome.map(|outcome| outcome.value.points()),
            mate: outcome.and_then(|outcome| outcome.value.mate_distance()),
            best: outcome
                .and_then(|outcome| outcome.best)
                .map(|mv| mv.to_string()),
            nodes: outcome.map(|outcome| outcome.nodes),
            seconds: outcome.map(|outcome| outcome.time.as_secs_f64()),
            refused: self.outcome.err(),
        }
    }
}

/// A value as people read it.
fn value_text(value: Value) -> String {
    match value.mate_distance() {
        Some(plies) if plies > 0 => format!("mate {plies}"),
        Some(plies) => format!("mated {}", -plies),
        None => format!("{:+}", value.points()),
    }
}

/// What many positions took together.
struct Sum {
    label: (String, String, String),
    positions: u64,
    nodes: u64,
    time: Duration,
}

impl Rows {
    pub(super) fn push(&mut self, row: LabRow) {
        self.0.push(row);
    }

    /// A position of which two rungs with the same evaluator say different things.
    pub(super) fn disagreement(&self) -> Option<&str> {
        let rungs = || {
            let is_climb = |row: &&LabRow| {
                let parts = &row.combination.parts;
                parts.search.rung().is_some() && parts.quiescence.is_none()
            };
            let rows = self.0.iter().filter(is_climb);
            rows.filter_map(|row| Some((&row.sfen, &row.eval, row.outcome.ok()?.value)))
        };
        let differs = |&(sfen, eval, value): &(&String, &String, Value)| {
            rungs().any(|other| (other.0, other.1) == (sfen, eval) && other.2 != value)
        };
        rungs().find(differs).map(|(sfen, ..)| sfen.as_str())
    }

    /// Every search, or what the searches of each kind took together.
    pub(super) fn print(&self, out: &mut impl Write, each: bool, json: bool) -> io::Result<()> {
        if json {
            return self
                .0
                .iter()
                .try_for_each(|row| write_json(out, &row.json()));
        }
        if each {
            self.print_each(out)
        } else {
            self.print_sums(out)
        }
    }

    fn print_each(&self, out: &mut impl Write) -> io::Result<()> {
        let mut sfen = "";
        for row in &self.0 {
            if row.sfen != sfen {
                sfen = &row.sfen;
                writeln!(out, "{sfen}")?;
                writeln!(
                    out,
                    "  {:<9} {:<14} {:<28} {:>5} {:>9} {:<6} {:>12} {:>9} {:>8}  leaves",
                    "board", "evaluator", "search", "depth", "value", "best", "nodes", "ms", "kn/s"
                )?;
            }
            let (board, eval, search) = row.label();
            write!(
                out,
                "  {board:<9} {eval:<14} {search:<28} {:>5} ",
                row.depth
            )?;
            match &row.outcome {
                Err(why) => writeln!(out, "refused: {why}")?,
                Ok(outcome) => writeln!(
                    out,
                    "{:>9} {:<6} {:>12} {:>9.1} {:>8.0}  {}",
                    value_text(outcome.value),
                    outcome.best.map_or_else(|| "-".into(), |mv| mv.to_string()),
                    outcome.nodes,
                    outcome.time.as_secs_f64() * 1e3,
                    per_second(outcome.nodes, outcome.time) / 1e3,
                    outcome.leaf,
                )?,
            }
        }
        Ok(())
    }

    fn print_sums(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<9} {:<14} {:<28} {:>9} {:>14} {:>11} {:>8}",
            "board", "evaluator", "search", "positions", "nodes", "ms", "kn/s"
        )?;
        for Sum {
            label,
            positions,
            nodes,
            time,
        } in self.sums()
        {
            let (board, eval, search) = label;
            writeln!(
                out,
                "{board:<9} {eval:<14} {search:<28} {positions:>9} {nodes:>14} {:>11.1} {:>8.0}",
                time.as_secs_f64() * 1e3,
                per_second(nodes, time) / 1e3,
            )?;
        }
        Ok(())
    }

    /// One for each combination, in the order in which they were asked for; those that were refused
    /// have no positions.
    fn sums(&self) -> Vec<Sum> {
        let mut sums: Vec<Sum> = Vec::new();
        for row in &self.0 {
            let label = row.label();
            let at = sums
                .iter()
                .position(|sum| sum.label == label)
                .unwrap_or_else(|| {
                    let (positions, nodes, time) = (0, 0, Duration::ZERO);
                    sums.push(Sum {
                        label,
                        positions,
                        nodes,
                        time,
                    });
                    sums.len() - 1
                });
            if let Ok(outcome) = &row.outcome {
                sums[at].positions += 1;
                sums[at].nodes += outcome.nodes;
                sums[at].time += outcome.time;
            }
        }
        sums
    }
}

fn per_second(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}
