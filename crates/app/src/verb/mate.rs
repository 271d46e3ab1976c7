//! `tesuji mate`: is there a mate, and how?

pub(super) mod source;

use crate::answer::{ExitStatus, Failure, write_json};
use crate::interrupt::interrupt_flag;
use crate::progress::Progress as Steps;
use clap::Args;
use serde::Serialize;
use source::MateProblem;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_mate::{
    Alternative, BrinkmateVerdict, MateLimits, MateProgress, MateReport, MateVerdict, Solver, count,
};
use tesuji_shogi::{Move, Position};

const EXAMPLES: &str = "\
Examples:
  tesuji mate --sfen '4k4/9/4P4/9/9/9/9/9/9 b G 1'      mate in 1: G*5b
  tesuji mate --sfen '...' --shortest                   no mate is shorter, no defence longer
  tesuji mate --file problems.sfen --time 10000         every line of a file, ten seconds each
  tesuji mate --sfen '...' --hash 2048 --threads 2      more memory, two threads
  tesuji mate --sfen '...' --defending                  the side to move is the one to be mated
  tesuji mate --sfen '...' --verify                     then walk through the whole proof
  tesuji mate --sfen '...' --alternatives               other moves that mate as well
  tesuji mate --sfen '...' --brinkmate                  a quiet move after which mate is certain

Each problem is answered with one line: `mate in N: moves…`, `no mate`, or `unknown` with the
reason. An answer is never guessed: when time, nodes or Ctrl-C end the search, it is unknown.
After Ctrl-C no other problem is begun, what was found is summed up, and the exit code is 130.

A file has one problem per line: an SFEN, and behind a tab whatever you like. If there is
`expect=mate` or `expect=nomate`, the answer is compared with it; a wrong answer makes the exit
code 1. Moves behind `moves`, empty lines and lines that begin with # are skipped.

The side to move attacks; every one of its moves must give check. A repetition fails for it.
Without --shortest the line is sound but need not be the best for either side. With it, the length
as composers count follows where it differs: interpositions that are taken at once and never used
are left out.

--brinkmate asks for one move of any kind after which every answer is mated by checks; the answer
is `brinkmate: MOVE, then moves…`, `no brinkmate`, or a mate if there is one already.";

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
    /// Think at most so many milliseconds per problem. Without this and --nodes there is no limit to
    /// find a mate, and one of 60000 where --shortest or --alternatives go on after it
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
    /// List the other moves of the attacker that mate, at every ply of the line
    #[arg(long, conflicts_with = "defending")]
    alternatives: bool,
    /// Look for a move after which mate cannot be avoided
    #[arg(long, conflicts_with_all = ["defending", "verify", "alternatives", "shortest"])]
    brinkmate: bool,
    /// Print one JSON object per problem
    #[arg(long)]
    json: bool,
}

/// How long it is looked for shorter mates and other solutions if nobody says otherwise.
const USUAL_LIMIT: Duration = Duration::from_secs(60);

/// What is said of one problem, for scripts.
#[derive(Serialize)]
struct Solved {
    sfen: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    /// The length without futile interpositions, and the pieces left in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    surplus: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<Other>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<u64>,
    nodes: u64,
    milliseconds: f64,
}

/// Another move that mates, for scripts.
#[derive(Serialize)]
struct Other {
    ply: usize,
    moves: Vec<String>,
}

/// What the search of one problem found and cost.
struct ProblemResult {
    verdict: MateVerdict,
    /// After this move, if a brinkmate was asked for.
    brink: Option<Move>,
    others: Vec<Alternative>,
    verified: Option<u64>,
    nodes: u64,
    time: Duration,
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
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let problems = match (&self.file, &self.sfen) {
            (Some(path), _) => source::read(path)?,
            (None, Some(pos)) => vec![MateProblem::new(pos.clone())],
            (None, None) => Vec::new(),
        };
        let mut solver = Solver::new((self.hash as usize) << 20).with_threads(self.threads.into());
        let steps = (problems.len() > 1).then(|| Steps::new("problems", problems.len() as u64));
        let mut sums = Sums::default();
        let stop = interrupt_flag()?;
        for problem in &problems {
            if stop.load(Relaxed) {
                break;
            }
            self.solve(&mut solver, problem, steps.is_none(), (&stop, &mut sums))?;
            if let Some(steps) = &steps {
                steps.tick();
            }
        }
        drop(steps);
        if problems.len() > 1 {
            self.sum_up(&sums)?;
        }
        Ok(match sums.wrong {
            _ if stop.load(Relaxed) => ExitStatus::Interrupted,
            0 => ExitStatus::Yes,
            _ => ExitStatus::No,
        })
    }

    /// How long to think: what goes on after a mate is found would otherwise hardly ever end.
    fn time_limit(&self) -> Option<Duration> {
        let goes_on = self.shortest || self.alternatives;
        let usual = (goes_on && self.nodes.is_none()).then_some(USUAL_LIMIT);
        self.time.map(Duration::from_millis).or(usual)
    }

    fn limits<'a>(&self, stop: &'a AtomicBool) -> MateLimits<'a> {
        MateLimits {
            stop: Some(stop),
            nodes: self.nodes,
            time: self.time_limit(),
            shortest: self.shortest,
        }
    }

    fn solve(
        &self,
        solver: &mut Solver,
        problem: &MateProblem,
        tell: bool,
        (stop, sums): (&AtomicBool, &mut Sums),
    ) -> Result<(), Failure> {
        let limits = self.limits(stop);
        let search = if self.brinkmate {
            ask_for_brinkmate(solver, &problem.pos, &limits, tell)?
        } else {
            self.ask_for_mate(solver, &problem.pos, &limits, tell)?
        };
        sums.nodes += search.nodes;
        sums.time += search.time;
        match search.verdict {
            MateVerdict::Mate(_) | MateVerdict::Shortest(_) => sums.mates += 1,
            MateVerdict::NoMate => sums.escapes += 1,
            MateVerdict::Unknown(_) => sums.unknown += 1,
        }
        let surprise = problem.surprise(&search.verdict);
        sums.wrong += usize::from(surprise.is_some());
        if self.json {
            write_json(&mut std::io::stdout().lock(), &solved(problem, &search))?;
            return Ok(());
        }
        self.print(problem, &search, surprise.unwrap_or_default())
    }

    fn ask_for_mate(
        &self,
        solver: &mut Solver,
        pos: &Position,
        limits: &MateLimits<'_>,
        tell: bool,
    ) -> Result<ProblemResult, Failure> {
        let turn = pos.turn();
        let attacker = if self.defending { turn.foe() } else { turn };
        let started = Instant::now();
        let verdict = solver.solve(pos, attacker, limits, &mut MateReporter { tell })?;
        let (time, nodes) = (started.elapsed(), solver.nodes());
        let (mut verified, mut others) = (None, Vec::new());
        if let MateVerdict::Mate(moves) | MateVerdict::Shortest(moves) = &verdict {
            if self.verify {
                verified = Some(solver.verify(pos, attacker)?);
            }
            if self.alternatives {
                others = solver.alternatives(pos, moves, limits)?;
            }
        }
        Ok(ProblemResult {
            verdict,
            brink: None,
            others,
            verified,
            nodes,
            time,
        })
    }

    fn print(
        &self,
        problem: &MateProblem,
        search: &ProblemResult,
        surprise: &str,
    ) -> Result<(), Failure> {
        let mut text = problem
            .label
            .as_ref()
            .map_or(String::new(), |label| format!("{label}: "));
        text += &match (&search.verdict, search.brink) {
            (MateVerdict::Mate(moves) | MateVerdict::Shortest(moves), Some(mv)) => {
                format!("brinkmate: {mv}, then {}", joined(moves))
            }
            (MateVerdict::Mate(moves), None) => mating_line(moves),
            (MateVerdict::Shortest(moves), None) => mating_line(moves) + &counted(problem, moves),
            (MateVerdict::NoMate, _) if self.brinkmate => "no brinkmate".into(),
            (MateVerdict::NoMate, _) => "no mate".into(),
            (MateVerdict::Unknown(reason), _) => format!("unknown: {reason}"),
        };
        if let Some(positions) = search.verified {
            text += &format!("  (proof of {positions} positions holds)");
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}{surprise}")?;
        for other in &search.others {
            writeln!(
                out,
                "  also at move {}: {}",
                other.ply + 1,
                joined(&other.line)
            )?;
        }
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

fn ask_for_brinkmate(
    solver: &mut Solver,
    pos: &Position,
    limits: &MateLimits<'_>,
    tell: bool,
) -> Result<ProblemResult, Failure> {
    let started = Instant::now();
    let found = solver.brinkmate(pos, limits, &mut MateReporter { tell })?;
    let (brink, verdict) = match found {
        BrinkmateVerdict::Mate(moves) => (None, MateVerdict::Mate(moves)),
        BrinkmateVerdict::Brinkmate(mv, moves) => (Some(mv), MateVerdict::Mate(moves)),
        BrinkmateVerdict::None => (None, MateVerdict::NoMate),
        BrinkmateVerdict::Unknown(reason) => (None, MateVerdict::Unknown(reason)),
    };
    Ok(ProblemResult {
        verdict,
        brink,
        others: Vec::new(),
        verified: None,
        nodes: solver.nodes(),
        time: started.elapsed(),
    })
}

/// A search as scripts want it.
fn solved(problem: &MateProblem, search: &ProblemResult) -> Solved {
    let texts = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>();
    let moves = match &search.verdict {
        MateVerdict::Mate(moves) | MateVerdict::Shortest(moves) => Some(moves),
        _ => None,
    };
    let is_shortest = matches!(search.verdict, MateVerdict::Shortest(_));
    let count = moves
        .filter(|_| is_shortest)
        .map(|moves| count(&problem.pos, moves));
    Solved {
        sfen: problem.pos.to_sfen(),
        verdict: match (&search.verdict, search.brink) {
            (_, Some(_)) => "brinkmate",
            (MateVerdict::Mate(_) | MateVerdict::Shortest(_), None) => "mate",
            (MateVerdict::NoMate, None) => "nomate",
            (MateVerdict::Unknown(_), None) => "unknown",
        },
        length: moves.map(Vec::len),
        moves: moves.map(|moves| {
            texts(
                &search
                    .brink
                    .into_iter()
                    .chain(moves.iter().copied())
                    .collect::<Vec<_>>(),
            )
        }),
        counted: count.map(|count| count.plies),
        surplus: count.map(|count| count.surplus),
        alternatives: search
            .others
            .iter()
            .map(|other| Other {
                ply: other.ply,
                moves: texts(&other.line),
            })
            .collect(),
        reason: match search.verdict {
            MateVerdict::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        },
        verified: search.verified,
        nodes: search.nodes,
        milliseconds: search.time.as_secs_f64() * 1000.0,
    }
}

fn joined(moves: &[Move]) -> String {
    let list: Vec<String> = moves.iter().map(Move::to_string).collect();
    list.join(" ")
}

fn mating_line(moves: &[Move]) -> String {
    format!("mate in {}: {}", moves.len(), joined(moves))
}

/// The length as composers count, where it differs.
fn counted(problem: &MateProblem, moves: &[Move]) -> String {
    let count = count(&problem.pos, moves);
    if count.plies == moves.len() {
        return String::new();
    }
    format!("  ({} without futile interpositions)", count.plies)
}

/// Tells standard error how a single search is going.
struct MateReporter {
    tell: bool,
}

impl MateProgress for MateReporter {
    fn report(&mut self, report: &MateReport) {
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
