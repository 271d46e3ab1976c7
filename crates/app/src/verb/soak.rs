//! `tesuji soak`: attacks this program for as long as one likes and checks that nothing breaks.
//!
//! A soak test in the sense of Myers, "The Art of Software Testing", 1979, with faults injected at
//! random as in Basiri and others, "Chaos Engineering", 2016.

mod client;
mod csa;
mod matches;
mod peer;
mod process;
mod tally;
mod usi;

use crate::answer::{ExitStatus, Failure, write_json};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tally::Tally;

const EXAMPLES: &str = "\
Examples:
  tesuji soak --minutes 5                 everything side by side, for five minutes
  tesuji soak --hours 8 --folder soak     and keep the files
  tesuji soak --only csa --seed 1 --minutes 1

Three attacks run at a time, each a storm after the other:
  usi     commands, noise and stops at random to an engine, which is also killed: one bestmove for
          each go, and a legal one; mates that are mates; answers in order; an end when it is told to
          quit; no more memory than USI_Hash and the threads explain
  match   matches against engines that crash, cheat, mumble, flood and sleep, whose runner and engines
          are killed and whose file meets a limit: every game there once, no line torn, no game lost
  csa     honest players, some of whose connections break, and a client that is killed and comes
          back, beside hostile ones on a server that is killed and whose disk fills up: no honest
          loss on time, every game listed once, every record whole; memory

What was done is counted and printed at the end. Each storm prints its seed. Exit code 1 means that
something broke; what and with which seed was said when it did.";

/// Attacks engine, matches and server for as long as one likes and checks that nothing breaks
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Soak {
    /// For how many hours
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = amount)]
    hours: f64,
    /// For how many minutes; added to the hours
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = amount)]
    minutes: f64,
    /// Which attacks; all if none is named
    #[arg(long, value_enum, value_delimiter = ',', value_name = "ATTACKS")]
    only: Vec<Attack>,
    /// The first seed; chosen if none is given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where files go; a temporary folder that disappears if none is given
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
}

/// What is attacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Attack {
    Usi,
    Match,
    Csa,
}

fn amount(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| (0.0..=10_000.0).contains(number))
        .ok_or_else(|| "expected a number".into())
}

impl Soak {
    /// Attacks until the time is over.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let time = Duration::from_secs_f64(self.hours * 3600.0 + self.minutes * 60.0);
        if time.is_zero() {
            return Err(Failure::Usage(
                "say how long: --hours N or --minutes N".into(),
            ));
        }
        let own = std::env::current_exe().map_err(Failure::Engine)?;
        let name = format!("tesuji-soak-{}", std::process::id());
        let folder = self.folder.clone();
        let folder = folder.unwrap_or_else(|| std::env::temp_dir().join(name));
        std::fs::create_dir_all(&folder)?;
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
        let _ = writeln!(
            std::io::stderr(),
            "seed {seed}, files in {}",
            folder.display()
        );
        let tally = Tally::new(own, folder.clone(), Instant::now() + time);
        std::thread::scope(|scope| {
            for attack in [Attack::Usi, Attack::Match, Attack::Csa] {
                if self.only.is_empty() || self.only.contains(&attack) {
                    let tally = &tally;
                    scope.spawn(move || storms(attack, seed, tally));
                }
            }
        });
        if self.folder.is_none() && tally.broken() == 0 {
            let _ = std::fs::remove_dir_all(&folder);
        }
        let counts = tally.counts();
        let mut out = std::io::stdout();
        if self.json {
            write_json(&mut out, &counts)?;
        } else {
            for (what, count) in &counts {
                writeln!(out, "{what:<32} {count:>10}")?;
            }
        }
        match tally.broken() {
            0 => Ok(ExitStatus::Yes),
            _ => Ok(ExitStatus::No),
        }
    }
}

/// One storm after the other; a panic in one is a fault like any other.
fn storms(attack: Attack, seed: u64, tally: &Tally) {
    for number in 0.. {
        if tally.is_over() {
            return;
        }
        let seed = seed.wrapping_add(number);
        let _ = writeln!(std::io::stderr(), "{attack:?} seed {seed}");
        let storm = || match attack {
            Attack::Usi => usi::storm(tally, seed),
            Attack::Match => matches::storm(tally, seed),
            Attack::Csa => csa::storm(tally, seed),
        };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(storm));
        let fault = match outcome {
            Ok(Ok(())) => continue,
            Ok(Err(fault)) => fault,
            Err(_) => "the soak itself panicked".into(),
        };
        tally.broke(&format!("{attack:?} --seed {seed}: {fault}"));
    }
}
