//! `tesuji perft`: counts the leaves of the game tree, or checks a file of counts.

mod suite;
mod tree;

use crate::answer::{ExitStatus, Failure, write_json};
use crate::arguments::named;
use crate::progress::Progress;
use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use suite::SuiteLine;
use tesuji_search::players::BoardName;
use tesuji_shogi::Mailbox;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::{Move, Position};
use tree::Leaves;

const EXAMPLES: &str = "\
Examples:
  tesuji perft                                 five moves from the start: 19861490
  tesuji perft --depth 4 --divide              how many of them lie behind each first move
  tesuji perft --depth 6 --threads 8           on eight threads
  tesuji perft --played                        play the last move too instead of counting it
  tesuji perft --depth 3 --board mailbox       ask the plain board instead
  tesuji perft --sfen '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' --depth 3
  tesuji perft --file fixtures/perft/perft.tsv --max-nodes 1000000

A file has one position per line: sfen, depth and nodes with a tab between them. Empty lines and
lines that begin with # are skipped. Every line is read before the first is counted.

A generator that counts differently from another is wrong in some position: --divide on both, then
the same one move deeper, leads to it.";

/// Counts the positions that can be reached in so many moves
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Perft {
    /// The position to start from, as SFEN or `startpos`
    #[arg(
        long,
        default_value = "startpos",
        value_name = "SFEN",
        conflicts_with = "file"
    )]
    sfen: Position,
    /// How many moves deep
    #[arg(long, default_value_t = 5, value_name = "N", conflicts_with = "file",
          value_parser = clap::value_parser!(u32).range(0..=i64::from(tree::DEEPEST)))]
    depth: u32,
    /// Which board plays and generates
    #[arg(long, default_value_t = BoardName::Position, value_name = "NAME",
          value_parser = named::<BoardName>(BoardName::NAMES))]
    board: BoardName,
    /// Print the count below each first move
    #[arg(long, conflicts_with = "file")]
    divide: bool,
    /// Spread the tree over so many threads
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Play every leaf instead of counting the last moves
    #[arg(long)]
    played: bool,
    /// Check every line of a file: sfen, depth, nodes
    #[arg(long, value_name = "FILE.tsv")]
    file: Option<PathBuf>,
    /// Skip the lines of the file that have more nodes than this
    #[arg(long, value_name = "N", requires = "file")]
    max_nodes: Option<u64>,
    /// Print one JSON object per result
    #[arg(long)]
    json: bool,
}

/// The count below one first move, for scripts.
#[derive(Serialize)]
struct RootCount {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

/// A whole tree, for scripts.
#[derive(Serialize)]
struct Whole {
    sfen: String,
    depth: u32,
    board: &'static str,
    nodes: u64,
    seconds: f64,
    mnps: f64,
}

/// A checked line, for scripts.
#[derive(Serialize)]
struct Checked<'a> {
    file: &'a Path,
    line: usize,
    sfen: String,
    depth: u32,
    expected: u64,
    nodes: u64,
    right: bool,
    seconds: f64,
}

/// A checked file, for scripts and people.
#[derive(Serialize, Default)]
struct SuiteTally {
    right: u64,
    wrong: u64,
    skipped: u64,
    nodes: u64,
    seconds: f64,
    mnps: f64,
}

impl Perft {
    /// Counts and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let pool = match self.threads {
            1 => None,
            threads => {
                let builder = ThreadPoolBuilder::new().num_threads(usize::from(threads));
                Some(builder.build()?)
            }
        };
        match &self.file {
            Some(path) => self.check(path, pool.as_ref()),
            None => self.count(pool.as_ref()),
        }
    }

    /// The count below each first move, on the board that was asked for.
    fn branches(
        &self,
        pos: &Position,
        depth: u32,
        pool: Option<&ThreadPool>,
        tick: impl Fn() + Sync,
    ) -> Vec<(Move, u64)> {
        let leaves = if self.played {
            Leaves::Played
        } else {
            Leaves::Counted
        };
        match self.board {
            BoardName::Position => tree::branches(pos.clone(), depth, leaves, pool, tick),
            BoardName::Mailbox => tree::branches(Mailbox::from(pos), depth, leaves, pool, tick),
            BoardName::Scan => tree::branches(ScanBoard::from(pos), depth, leaves, pool, tick),
        }
    }

    fn count(&self, pool: Option<&ThreadPool>) -> Result<ExitStatus, Failure> {
        let progress = Progress::new("first moves", tree::first_moves(&self.sfen, self.depth));
        let start = Instant::now();
        let branches = self.branches(&self.sfen, self.depth, pool, || progress.tick());
        let nodes = tree::sum(&branches, self.depth);
        let time = start.elapsed();
        drop(progress);

        let mut out = std::io::stdout().lock();
        if self.divide {
            for &(mv, nodes) in &branches {
                if self.json {
                    let mv = mv.to_string();
                    write_json(&mut out, &RootCount { mv, nodes })?;
                } else {
                    writeln!(out, "{:<5} {nodes:>14}", mv.to_string())?;
                }
            }
        }
        if self.json {
            let whole = Whole {
                sfen: self.sfen.to_sfen(),
                depth: self.depth,
                board: self.board.name(),
                nodes,
                seconds: time.as_secs_f64(),
                mnps: million_per_second(nodes, time),
            };
            write_json(&mut out, &whole)?;
        } else {
            write_speed(&mut out, nodes, time)?;
        }
        Ok(ExitStatus::Yes)
    }

    fn check(&self, path: &Path, pool: Option<&ThreadPool>) -> Result<ExitStatus, Failure> {
        let mut lines = suite::read(path)?;
        let all = lines.len();
        lines.retain(|line| self.max_nodes.is_none_or(|most| line.nodes <= most));
        let mut tally = SuiteTally {
            skipped: (all - lines.len()) as u64,
            ..SuiteTally::default()
        };
        let mut out = std::io::stdout().lock();
        let progress = Progress::new("lines", lines.len() as u64);
        let mut time = Duration::ZERO;
        for line in &lines {
            let start = Instant::now();
            let branches = self.branches(&line.pos, line.depth, pool, || ());
            let nodes = tree::sum(&branches, line.depth);
            let taken = start.elapsed();
            time += taken;
            tally.nodes += nodes;
            if nodes == line.nodes {
                tally.right += 1;
            } else {
                tally.wrong += 1;
            }
            self.report(&mut out, path, line, nodes, taken)?;
            progress.tick();
        }
        drop(progress);
        if self.json {
            tally.seconds = time.as_secs_f64();
            tally.mnps = million_per_second(tally.nodes, time);
            write_json(&mut out, &tally)?;
        } else {
            let (right, wrong, skipped) = (tally.right, tally.wrong, tally.skipped);
            writeln!(out, "{right} right, {wrong} wrong, {skipped} skipped")?;
            write_speed(&mut out, tally.nodes, time)?;
        }
        Ok(if tally.wrong == 0 {
            ExitStatus::Yes
        } else {
            ExitStatus::No
        })
    }

    /// People see the lines that are wrong, scripts see all.
    fn report(
        &self,
        out: &mut impl Write,
        path: &Path,
        line: &SuiteLine,
        nodes: u64,
        time: Duration,
    ) -> std::io::Result<()> {
        let right = nodes == line.nodes;
        let (sfen, depth, expected) = (line.pos.to_sfen(), line.depth, line.nodes);
        if self.json {
            let checked = Checked {
                file: path,
                line: line.number,
                sfen,
                depth,
                expected,
                nodes,
                right,
                seconds: time.as_secs_f64(),
            };
            return write_json(out, &checked);
        }
        if right {
            return Ok(());
        }
        let (path, number) = (path.display(), line.number);
        writeln!(
            out,
            "{path}:{number}: expected {expected}, counted {nodes}: {sfen} depth {depth}"
        )
    }
}

fn million_per_second(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6
}

fn write_speed(out: &mut impl Write, nodes: u64, time: Duration) -> std::io::Result<()> {
    writeln!(out, "nodes {nodes}")?;
    writeln!(out, "time  {:.3} s", time.as_secs_f64())?;
    writeln!(out, "speed {:.1} Mnps", million_per_second(nodes, time))
}
