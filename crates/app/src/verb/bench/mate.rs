//! `tesuji bench mate`: what every way to find mates costs, beside other programs if wanted.

mod clock;
mod sets;
mod solvers;
mod tally;

use crate::answer::{ExitStatus, Failure, write_json};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use sets::MateProblemSet;
use solvers::{Ask, LeafBench, Ours, PeerEngine};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tally::SolverTally;
use tesuji_match::player_spec::PlayerSpec;

const EXAMPLES: &str = "\
Examples:
  tesuji bench mate                                      small sets that come with the program
  tesuji bench mate --dir problems --time 10000 --hash 1024 --solver first --each
  tesuji bench mate --file hard.sfen --solver first --threads 1 --threads 2
  tesuji bench mate --dir problems --solver first --peer './engine option.USI_Hash=256 option.Threads=1'

Every problem is given to every solver before the next one begins, so that a busy moment strikes all
alike. `cpu` is what the processor worked, in seconds, and the limit of --time counts the same where
the system tells it, shared by the threads; `wall` is what a clock showed. Every mating line is
played on the plain board: legal, checks only, no answer at the end. `wrong` counts answers against
the `expect=` of the file, and lines that do not mate; one of them makes the exit code 1.

`first` stops at the first mate, `shortest` proves that none is shorter, `leaf` is the light form for
the leaves of another search, with --leaf-nodes positions for each problem and no line.
A peer is any USI engine that knows `go mate infinite` and `stop`.";

/// Times the mate solvers side by side
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Mates {
    /// A file of problems as for `tesuji mate`; may be given several times
    #[arg(long, value_name = "FILE")]
    file: Vec<PathBuf>,
    /// Every .sfen and .txt file of a directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Which solvers; may be given several times
    #[arg(long, value_enum, value_name = "KIND", default_values_t = SolverKind::ALL)]
    solver: Vec<SolverKind>,
    /// A USI engine: PROGRAM [ARGUMENT…] [name=…] [dir=…] [option.NAME=VALUE…]
    #[arg(long, value_name = "PEER")]
    peer: Vec<PlayerSpec>,
    /// At most so many milliseconds for each problem
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    time: u64,
    /// At most so many positions for each problem; peers are not told
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Positions for each problem of the light form
    #[arg(long, default_value_t = 500, value_name = "N")]
    leaf_nodes: u64,
    /// How many megabytes our solvers may use
    #[arg(long, default_value_t = 256, value_name = "MB",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// How many threads; may be given several times
    #[arg(long, default_values_t = [1], value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Vec<u16>,
    /// No more than so many problems of each set
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Walk through the whole proof of every mate that `first` and `shortest` find, untimed
    #[arg(long)]
    verify: bool,
    /// Print every single problem too
    #[arg(long)]
    each: bool,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SolverKind {
    First,
    Shortest,
    Leaf,
}

impl SolverKind {
    const ALL: [Self; 3] = [Self::First, Self::Shortest, Self::Leaf];
}

impl Mates {
    /// Measures and prints set by set.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let sets = sets::collect(&self.file, self.dir.as_deref(), self.most)?;
        let mut solvers = self.solvers()?;
        let asked = sets.iter().map(|set| set.problems.len()).sum::<usize>() * solvers.len();
        let progress = Progress::new("questions", asked as u64);
        if !self.json {
            self.print(SolverTally::HEAD)?;
        }
        let mut wrong = 0;
        for set in &sets {
            let tallies = self.measure(set, &mut solvers, &progress)?;
            for tally in &tallies {
                wrong += tally.wrong;
                self.write(tally, &tallies[0])?;
            }
        }
        Ok(if wrong == 0 {
            ExitStatus::Yes
        } else {
            ExitStatus::No
        })
    }

    fn solvers(&self) -> Result<Vec<Box<dyn Ask>>, Failure> {
        let (bytes, time) = ((self.hash as usize) << 20, Duration::from_millis(self.time));
        let mut solvers: Vec<Box<dyn Ask>> = Vec::new();
        for &kind in &self.solver {
            if kind == SolverKind::Leaf {
                solvers.push(Box::new(LeafBench::new(self.leaf_nodes)));
                continue;
            }
            for &threads in &self.threads {
                let mut solver = Ours::new(bytes, threads.into(), time, self.nodes);
                solver.shortest = kind == SolverKind::Shortest;
                solver.verify = self.verify;
                solvers.push(Box::new(solver));
            }
        }
        for peer in &self.peer {
            solvers.push(Box::new(PeerEngine::start(peer, time)?));
        }
        Ok(solvers)
    }

    fn measure(
        &self,
        set: &MateProblemSet,
        solvers: &mut [Box<dyn Ask>],
        progress: &Progress,
    ) -> Result<Vec<SolverTally>, Failure> {
        let names = solvers.iter().map(|solver| solver.name());
        let mut tallies: Vec<SolverTally> = names
            .map(|name| SolverTally::new(&set.name, name))
            .collect();
        for problem in &set.problems {
            for (solver, tally) in solvers.iter_mut().zip(&mut tallies) {
                let reply = solver.ask(&problem.pos)?;
                let single = tally.add(problem, &reply);
                if self.each {
                    self.write(&single, &single)?;
                }
                progress.tick();
            }
        }
        for (solver, tally) in solvers.iter_mut().zip(&mut tallies) {
            tally.close(solver.finish());
        }
        Ok(tallies)
    }

    fn write(&self, tally: &SolverTally, first: &SolverTally) -> Result<(), Failure> {
        if self.json {
            write_json(&mut std::io::stdout().lock(), tally)?;
            return Ok(());
        }
        self.print(&tally.row(first))
    }

    fn print(&self, row: &str) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{row}")?;
        out.flush()?;
        Ok(())
    }
}
