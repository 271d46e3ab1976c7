//! `tesuji mate`: is there a mate, and how?

mod source;

use crate::answer::{Answer, Failure, write_json};
use crate::progress::Progress as Steps;
use clap::Args;
use serde::Serialize;
use source::Problem;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tesuji_mate::{Limits, Progress, Report, Solver, Verdict};
use tesuji_shogi::{Move, Position};

const EXAMPLES: &str = "\
Examples:
  tesuji mate --sfen '4k4/9/4P4/9/9/9/9/9/9 b G 1'      mate in 1: G*5b
  tesuji mate --sfen '...' --shortest                   no mate is shorter, no defence longer
  tesuji mate --file problems.sfen --time 10000         every line of a file, ten seconds each
  tesuji mate --sfen '...' --hash 2048 --threads 2      more memory, two threads
  tesuji mate --sfen '...' --defending                  the side to move is the one to be mated
  tesuji mate --sfen '...' --verify                     then walk through the whole proof

Each problem is answered with one line: `mate in N: moves…`, `no mate`, or `unknown` with the
reason. An answer is never guessed: when time, nodes or stop end the search, it is unknown.

A file has one problem per line: an SFEN, and behind a tab whatever you like. If there is
`expect=mate` or `expect=nomate`, the answer is compared with it; a wrong answer makes the exit
code 1. Moves behind `moves`, empty lines and lines that begin with # are skipped.

The side to move attacks; every one of its moves must give check. A repetition fails for it.
Without --shortest the line is sound but need not be the best for either side.";

/// Finds mates, or shows that there is none
#[derive(Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Mate {
    /// The position, as SFEN
    #[arg(
        long,
        value_name = "SFEN",
        conflicts_with = "file",
        required_unless_present = "file"
    )]
    sfen: Option<Position>,
    /// A file of problems, one SFEN per line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Think at most so many milliseconds per problem
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Look at no more than so many positions per problem
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Use at most so many megabytes
    #[arg(long, default_value_t = 256, value_name = "MB",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Search with so many threads
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Go on until the mate is the shortest and the defence the longest
    #[arg(long)]
    shortest: bool,
    /// The side to move defends
    #[arg(long)]
    defending: bool,
    /// Walk through the whole proof of every mate and check each defence
    #[arg(long)]
    verify: bool,
    /// Print one JSON object per problem
    #[arg(long)]
    json: bool,
}

/// What is said of one problem, for scripts.
#[derive(Serialize)]
struct Solved {
    sfen: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<u64>,
    nodes: u64,
    milliseconds: f64,
}

/// What came of all problems together.
#[derive(Default)]
struct Sums {
    mates: usize,
    escapes: usize,
    unknown: usize,
    wrong: usize,
    nodes: u64,
    time: Duration,
}

impl Mate {
    /// Solves and prints.
    pub(crate) fn run(&self) -> Result<Answer, Failure> {
        let problems = match (&self.file, &self.sfen) {
            (Some(path), _) => source::read(path)?,
            (None, Some(pos)) => vec![Problem::new(pos.clone())],
            (None, None) => Vec::new(),
        };
        let mut solver = Solver::new((self.hash as usize) << 20).with_threads(self.threads.into());
        let steps = (problems.len() > 1).then(|| Steps::new("problems", problems.len() as u64));
        let mut sums = Sums::default();
        for problem in &problems {
            self.solve(&mut solver, problem, steps.is_none(), &mut sums)?;
            if let Some(steps) = &steps {
                steps.tick();
            }
        }
        drop(steps);
        if problems.len() > 1 {
            self.sum_up(&sums)?;
        }
        Ok(if sums.wrong == 0 {
            Answer::Yes
        } else {
            Answer::No
        })
    }

    fn solve(
        &self,
        solver: &mut Solver,
        problem: &Problem,
        tell: bool,
        sums: &mut Sums,
    ) -> Result<(), Failure> {
        let limits = Limits {
            nodes: self.nodes,
            time: self.time.map(Duration::from_millis),
            shortest: self.shortest,
            ..Limits::NONE
        };
        let pos = &problem.pos;
        let attacker = if self.defending {
            pos.turn().foe()
        } else {
            pos.turn()
        };
        let started = Instant::now();
        let verdict = solver.solve(pos, attacker, &limits, &mut Teller { tell })?;
        let time = started.elapsed();
        let verified = match verdict {
            Verdict::Mate(_) | Verdict::Shortest(_) if self.verify => {
                Some(solver.verify(pos, attacker)?)
            }
            _ => None,
        };
        sums.nodes += solver.nodes();
        sums.time += time;
        self.print(problem, &verdict, verified, (solver.nodes(), time), sums)
    }

    fn print(
        &self,
        problem: &Problem,
        verdict: &Verdict,
        verified: Option<u64>,
        (nodes, time): (u64, Duration),
        sums: &mut Sums,
    ) -> Result<(), Failure> {
        let (name, moves, reason) = match verdict {
            Verdict::Mate(moves) | Verdict::Shortest(moves) => ("mate", Some(moves), None),
            Verdict::NoMate => ("nomate", None, None),
            Verdict::Unknown(reason) => ("unknown", None, Some(reason.to_string())),
        };
        match name {
            "mate" => sums.mates += 1,
            "nomate" => sums.escapes += 1,
            _ => sums.unknown += 1,
        }
        let expected = problem
            .expected
            .filter(|&mate| name != "unknown" && mate != (name == "mate"));
        sums.wrong += usize::from(expected.is_some());
        let mut out = std::io::stdout().lock();
        if self.json {
            let solved = Solved {
                sfen: problem.pos.to_sfen(),
                verdict: name,
                length: moves.map(Vec::len),
                moves: moves.map(|moves| moves.iter().map(Move::to_string).collect()),
                reason,
                verified,
                nodes,
                milliseconds: time.as_secs_f64() * 1000.0,
            };
            write_json(&mut out, &solved)?;
            return Ok(());
        }
        let text = match (moves, reason) {
            (Some(moves), _) => mating_line(moves),
            (None, Some(reason)) => format!("unknown: {reason}"),
            (None, None) => "no mate".into(),
        };
        let proof = verified.map_or(String::new(), |nodes| {
            format!("  (proof of {nodes} positions holds)")
        });
        let wrong = expected.map_or("", |mate| {
            if mate {
                "  (a mate was expected)"
            } else {
                "  (no mate was expected)"
            }
        });
        let label = problem
            .label
            .as_ref()
            .map_or(String::new(), |label| format!("{label}: "));
        writeln!(out, "{label}{text}{proof}{wrong}")?;
        Ok(())
    }

    fn sum_up(&self, sums: &Sums) -> Result<(), Failure> {
        let Sums {
            mates,
            escapes,
            unknown,
            wrong,
            nodes,
            time,
        } = sums;
        let seconds = time.as_secs_f64();
        let speed = *nodes as f64 / seconds.max(1e-9) / 1e6;
        let text = format!(
            "{mates} mates, {escapes} without, {unknown} unknown, {wrong} unexpected; \
             {nodes} nodes in {seconds:.3} s ({speed:.2} M/s)"
        );
        writeln!(std::io::stderr(), "{text}")?;
        Ok(())
    }
}

fn mating_line(moves: &[Move]) -> String {
    let list: Vec<String> = moves.iter().map(Move::to_string).collect();
    format!("mate in {}: {}", moves.len(), list.join(" "))
}

/// Tells standard error how a single search is going.
struct Teller {
    tell: bool,
}

impl Progress for Teller {
    fn report(&mut self, report: &Report) {
        if !self.tell {
            return;
        }
        let seconds = report.time.as_secs_f64();
        let end = if std::io::stderr().is_terminal() {
            '\r'
        } else {
            '\n'
        };
        let _ = write!(
            std::io::stderr(),
            "{:.0} s  {:.1} M nodes  {:.2} M/s  depth {}  memory {:.0} %   {end}",
            seconds,
            report.nodes as f64 / 1e6,
            report.nodes as f64 / seconds.max(1e-9) / 1e6,
            report.depth,
            f64::from(report.fullness) / 10.0,
        );
    }
}
