//! `tesuji tune --simulate`: does a method find an optimum that is known, and in how many games?

use super::Tune;
use crate::answer::{ExitStatus, Failure, write_json};
use serde::Serialize;
use std::io::Write;
use tesuji_match::tune::{KnownOptimum, SimulationReport, TunedParameter, simulate};

/// A simulation, for scripts.
#[derive(Serialize)]
struct SimulationRow {
    method: String,
    parameters: usize,
    run: u64,
    games: u64,
    elo_at_start: f64,
    elo_left: f64,
    games_half_way: Option<u64>,
}

impl SimulationRow {
    fn new(tune: &Tune, parameters: usize, run: u64, report: &SimulationReport) -> Self {
        Self {
            method: tune.setup.method.to_string(),
            parameters,
            run,
            games: report.games,
            elo_at_start: report.start,
            elo_left: report.result,
            games_half_way: report.half_way,
        }
    }
}

/// Simulates and prints; the answer is no if half of what there was to be gained is left.
pub(super) fn run(
    tune: &Tune,
    parameters: &[TunedParameter],
    elo: f64,
) -> Result<ExitStatus, Failure> {
    let mut out = std::io::stdout().lock();
    if !tune.json {
        writeln!(
            out,
            "{:>4} {:>9} {:>10} {:>9} {:>15}",
            "run", "games", "at start", "at end", "half way after"
        )?;
    }
    let (runs, mut left, mut games) = (tune.runs.max(1), 0.0, 0);
    for run in 1..=runs {
        let mut optimum = KnownOptimum::below(parameters, elo, tune.setup.seed.wrapping_add(run));
        let seed = tune.setup.seed.wrapping_mul(1000).wrapping_add(run);
        let (report, _) = simulate(
            tune.setup.method,
            parameters,
            &tune.setup.schedule(tune.concurrency),
            &mut optimum,
            seed,
        );
        left += report.result;
        games += report.games;
        if tune.json {
            write_json(
                &mut out,
                &SimulationRow::new(tune, parameters.len(), run, &report),
            )?;
            continue;
        }
        let half = report
            .half_way
            .map_or("–".into(), |games| games.to_string());
        writeln!(
            out,
            "{run:>4} {:>9} {:>10.1} {:>9.1} {half:>15}",
            report.games, report.start, report.result
        )?;
    }
    let mean = left / runs as f64;
    if !tune.json {
        writeln!(
            out,
            "{} on {} parameters: {:.1} of {elo} Elo are left on average, {} games a run",
            tune.setup.method,
            parameters.len(),
            -mean,
            games / runs
        )?;
    }
    Ok(if -mean < elo / 2.0 {
        ExitStatus::Yes
    } else {
        ExitStatus::No
    })
}
