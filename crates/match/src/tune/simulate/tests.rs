//! Every method finds the optimum of a landscape that is known.

use super::super::parameter::select_parameters;
use super::*;

/// What is left of the distance after tuning, on average over a few optima.
fn left(method: TuningMethod, pattern: &str, pairs: u64, elo: f64) -> f64 {
    let parameters = select_parameters(pattern).unwrap();
    let runs = 4;
    let left: f64 = (1..=runs)
        .map(|seed| {
            let mut optimum = KnownOptimum::below(&parameters, elo, seed);
            let schedule = TuneSchedule::new(pairs, 8);
            let (report, _) = simulate(method, &parameters, &schedule, &mut optimum, seed);
            assert!((report.start + elo).abs() < 1e-6);
            report.result / report.start
        })
        .sum();
    left / runs as f64
}

#[test]
fn spsa_finds_the_optimum_of_many_parameters() {
    let left = left(TuningMethod::Spsa, "lmr_*", 10_000, 80.0);
    assert!(left < 0.35, "{left}");
}

#[test]
fn clop_finds_the_optimum_of_few_parameters() {
    let left = left(TuningMethod::Clop, "razor_*,rfp_slope", 2_000, 60.0);
    assert!(left < 0.35, "{left}");
}

#[test]
fn local_search_climbs_step_by_step() {
    let left = left(TuningMethod::Local, "razor_*,rfp_slope", 5_000, 60.0);
    assert!(left < 0.5, "{left}");
}

#[test]
fn where_nothing_is_to_be_gained_little_is_lost() {
    let parameters = select_parameters("razor_*,rfp_slope,hindsight_margin").unwrap();
    let mut optimum = KnownOptimum::below(&parameters, 60.0, 3);
    optimum.best = parameters.iter().map(|p| f64::from(p.start)).collect();
    for method in [TuningMethod::Spsa, TuningMethod::Local] {
        let schedule = TuneSchedule::new(3_000, 8);
        let (report, _) = simulate(method, &parameters, &schedule, &mut optimum, 5);
        assert!(report.result > -8.0, "{method}: {report:?}");
    }
}

#[test]
fn a_run_that_goes_on_from_its_lines_ends_where_it_would_have_ended() {
    let parameters = select_parameters("razor_*").unwrap();
    for method in [TuningMethod::Spsa, TuningMethod::Local, TuningMethod::Clop] {
        let mut optimum = KnownOptimum::below(&parameters, 40.0, 2);
        let header = TuneHeader {
            method,
            parameters: parameters.clone(),
            schedule: TuneSchedule::new(200, 8),
            seed: 9,
            players: String::new(),
            openings: String::new(),
        };
        let mut whole = Tuning::new(header.clone());
        let mut lines = Vec::new();
        while let Ok(Some(line)) = whole.step(&mut optimum) {
            lines.push(line);
        }
        let mut second = Tuning::new(header);
        for line in &lines[..lines.len() / 2] {
            second.replay(line);
        }
        while let Ok(Some(line)) = second.step(&mut optimum) {
            assert_eq!(line, lines[line.iteration.number as usize]);
        }
        assert_eq!(second.result(), whole.result(), "{method}");
    }
}
