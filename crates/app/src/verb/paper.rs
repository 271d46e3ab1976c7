//! `tesuji paper`: the experiments of the papers that this program grew from, then beside now.

mod k13;
mod o03;
mod report;
mod t19;
mod t23;
mod y33;

use crate::answer::{ExitStatus, Failure};
use clap::{Args, ValueEnum};
use report::Report;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  tesuji paper                  which papers there are, and what each asked
  tesuji paper k13              generators, exchanges and mates without bitboards
  tesuji paper t19 --quick      a tenth of the work
  tesuji paper o03 --json       one JSON object per row

Every experiment runs here and now. Beside each figure stands what the paper tells, where it tells
one, and below the table what differs: the machine, the rules, the data. docs/papers.md has one page
for each paper with what came out.";

/// Runs the experiments of a paper here and sets then beside now
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PaperVerb {
    /// Which paper; without one they are listed
    #[arg(value_enum)]
    paper: Option<PaperName>,
    /// Measure less, and say so
    #[arg(long)]
    quick: bool,
    /// Print one JSON object per row
    #[arg(long, requires = "paper")]
    json: bool,
}

/// A paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum PaperName {
    /// Tenuki, appeal document 2019
    T19,
    /// Kuma Shogi, 2013
    K13,
    /// Tenuki, appeal document 2023
    T23,
    /// YaneuraOu team, after the 33rd world championship, 2023
    Y33,
    /// OpenShogiLib, 2003
    O03,
}

impl PaperName {
    const fn title(self) -> &'static str {
        match self {
            Self::T19 => {
                "Tenuki, appeal document 2019: a table of best moves, and is quiescence needed?"
            }
            Self::K13 => "Kuma Shogi, 2013: fast without bitboards",
            Self::T23 => "Tenuki, appeal document 2023: a course from minimax to PVS",
            Self::Y33 => "YaneuraOu team, 2023: a book that cannot lose, and df-pn at leaves",
            Self::O03 => "OpenShogiLib, 2003: the library as a laboratory",
        }
    }
}

impl PaperVerb {
    /// Runs the experiments, or lists the papers.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut out = std::io::stdout().lock();
        let Some(paper) = self.paper else {
            for paper in PaperName::value_variants() {
                let name = paper.to_possible_value();
                let name = name.map_or_else(String::new, |name| name.get_name().to_owned());
                writeln!(out, "{name}  {}", paper.title())?;
            }
            return Ok(ExitStatus::Yes);
        };
        let mut report = Report::new(paper.title(), self.quick);
        match paper {
            PaperName::T19 => t19::run(&mut report)?,
            PaperName::K13 => k13::run(&mut report),
            PaperName::T23 => t23::run(&mut report),
            PaperName::Y33 => y33::run(&mut report)?,
            PaperName::O03 => o03::run(&mut report)?,
        }
        report.print(&mut out, self.json)?;
        Ok(ExitStatus::Yes)
    }
}
