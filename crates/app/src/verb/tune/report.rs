//! What came of a tuning, for people and for scripts.

use crate::answer::{ExitStatus, Failure, write_json};
use serde::Serialize;
use std::io::Write;
use tesuji_match::tune::{ParameterEstimate, Tuning, patch_of, select_parameters};

/// Lists parameters as a file of them is written.
pub(super) fn list(patterns: &str) -> Result<ExitStatus, Failure> {
    let found = select_parameters(patterns).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "# name\tstart\tleast\tmost\tstep")?;
    for parameter in found {
        writeln!(out, "{}", parameter.line())?;
    }
    Ok(ExitStatus::Yes)
}

/// A parameter, for scripts.
#[derive(Serialize)]
struct ParameterRow<'a> {
    name: &'a str,
    start: i32,
    result: i32,
    #[serde(flatten)]
    estimate: ParameterEstimate,
}

/// Prints where a tuning stands.
pub(super) fn print(tuning: &mut Tuning, json: bool) -> Result<(), Failure> {
    let (estimates, result) = (tuning.estimates(), tuning.result());
    let mut out = std::io::stdout().lock();
    let all = tuning.header().parameters.iter().zip(estimates);
    for ((parameter, estimate), (_, value)) in all.clone().zip(&result) {
        if json {
            write_json(
                &mut out,
                &ParameterRow {
                    name: &parameter.name,
                    start: parameter.start,
                    result: *value,
                    estimate,
                },
            )?;
        }
    }
    if json {
        return Ok(());
    }
    writeln!(
        out,
        "{:34} {:>8} {:>8} {:>9}  Elo per step",
        "parameter", "start", "now", "± 95 %"
    )?;
    for (parameter, estimate) in all {
        let error = estimate
            .error
            .map_or("–".into(), |error| format!("{error:.1}"));
        let slope = estimate.slope.map_or("–".into(), |(slope, error)| {
            format!("{slope:+.1} ± {error:.1}")
        });
        writeln!(
            out,
            "{:34} {:>8} {:>8.1} {error:>9}  {slope}",
            parameter.name, parameter.start, estimate.value
        )?;
    }
    writeln!(
        out,
        "{} of {} games, {} lost by a fault",
        tuning.games(),
        2 * tuning.header().schedule.pairs,
        tuning.faults()
    )?;
    if let Ok(patch) = patch_of(&result) {
        write!(out, "{patch}")?;
    }
    Ok(())
}
