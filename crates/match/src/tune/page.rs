//! A tuning as a page: the path of each parameter and how certain it is, loaded anew while it runs.

use super::optimizer::ParameterEstimate;
use super::parameter::TunedParameter;
use super::run::{PathPoint, Tuning};
use crate::report::escaped;
use std::fmt::Write;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 150.0;
const MARGIN: f64 = 12.0;
/// How many points of a path are drawn at most.
const POINTS: usize = 300;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:64em;margin:2em auto;\
padding:0 1em;color:#222}table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .8em;\
border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}\
svg{width:100%;height:auto;border:1px solid #ddd}.paths{display:grid;gap:1em;\
grid-template-columns:repeat(auto-fill,minmax(20em,1fr))}figure{margin:0}.band{fill:#cfe0f5}\
.path{fill:none;stroke:#1f5fa8;stroke-width:1.6}.start{stroke:#999;stroke-dasharray:4 4}\
text{font-size:11px;fill:#555}.sure{font-weight:bold}small{color:#666}";

/// The whole page, in one file without anything from elsewhere.
pub fn page(tuning: &mut Tuning) -> String {
    let estimates = tuning.estimates();
    let header = tuning.header();
    let (games, all) = (tuning.games(), 2 * header.schedule.pairs);
    let is_done = tuning.is_done();
    let refresh = if is_done {
        ""
    } else {
        "<meta http-equiv=\"refresh\" content=\"10\">"
    };
    let state = if is_done {
        "done 完了"
    } else {
        "running 実行中"
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">{refresh}\n\
         <title>Tuning {games}/{all}</title>\n<style>{STYLE}</style>\n\
         <h1>Tuning <small>パラメータ調整</small></h1>\n<p>{state}: {games} of {all} games \
         <small>対局</small>, {}, {}</p>\n",
        header.method,
        escaped(&header.players)
    );
    if tuning.faults() > 0 {
        let _ = writeln!(
            page,
            "<p><b>{} games were lost by a fault <small>反則・時間切れ</small></b></p>",
            tuning.faults()
        );
    }
    page += &table(&header.parameters, &estimates);
    page += "<div class=\"paths\">\n";
    for (n, (parameter, estimate)) in header.parameters.iter().zip(&estimates).enumerate() {
        page += &picture(parameter, estimate, tuning.path(), n, all);
    }
    page + "</div></html>\n"
}

fn table(parameters: &[TunedParameter], estimates: &[ParameterEstimate]) -> String {
    let mut table = String::from(
        "<table><tr><th>parameter <small>名前</small><th>start <small>初期値</small><th>now \
         <small>推定値</small><th>± (95 %)<th>Elo per step <small>一歩の効果</small><th>step\n",
    );
    for (parameter, estimate) in parameters.iter().zip(estimates) {
        let error = estimate
            .error
            .map_or("–".into(), |error| format!("{error:.1}"));
        let (class, slope) = match estimate.slope {
            Some((slope, error)) => {
                let class = if slope.abs() > error {
                    " class=\"sure\""
                } else {
                    ""
                };
                (class, format!("{slope:+.1} ± {error:.1}"))
            }
            None => ("", "–".into()),
        };
        let TunedParameter {
            name, start, step, ..
        } = parameter;
        let _ = writeln!(
            table,
            "<tr><td>{name}<td>{start}<td>{:.1}<td>{error}<td{class}>{slope}<td>{step}",
            estimate.value
        );
    }
    table + "</table>\n"
}

/// The path of one parameter over the games, the start dashed, the interval of the result behind.
fn picture(
    parameter: &TunedParameter,
    estimate: &ParameterEstimate,
    path: &[PathPoint],
    n: usize,
    games: u64,
) -> String {
    let every = path.len().div_ceil(POINTS).max(1);
    let last = path.len().saturating_sub(1);
    let points = path.iter().enumerate();
    let points: Vec<(f64, f64)> = points
        .filter(|(at, _)| at % every == 0 || *at == last)
        .map(|(_, point)| (point.games as f64, point.center[n]))
        .collect();
    let start = f64::from(parameter.start);
    let error = estimate.error.unwrap_or(0.0);
    let ends = [start, estimate.value - error, estimate.value + error];
    let values = || points.iter().map(|point| point.1).chain(ends);
    let low = values().fold(f64::INFINITY, f64::min) - parameter.step / 2.0;
    let high = values().fold(f64::NEG_INFINITY, f64::max) + parameter.step / 2.0;
    let x = |at: f64| MARGIN + (WIDTH - 2.0 * MARGIN) * at / games.max(1) as f64;
    let y = |value: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (high - value) / (high - low).max(1e-9);
    let line: Vec<String> = points
        .iter()
        .map(|&(at, value)| format!("{:.1},{:.1}", x(at), y(value)))
        .collect();
    let (top, bottom) = (y(estimate.value + error), y(estimate.value - error));
    let (inner, right, height) = (WIDTH - 2.0 * MARGIN, WIDTH - MARGIN, bottom - top);
    let (start, line, name) = (y(start), line.join(" "), &parameter.name);
    format!(
        "<figure><figcaption>{name} <small>{low:.0} … {high:.0}</small></figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><rect class=\"band\" x=\"{MARGIN}\" \
         y=\"{top:.1}\" width=\"{inner}\" height=\"{height:.1}\"/>\n<line class=\"start\" \
         x1=\"{MARGIN}\" x2=\"{right}\" y1=\"{start:.1}\" y2=\"{start:.1}\"/>\n\
         <polyline class=\"path\" points=\"{line}\"/></svg></figure>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::{KnownOptimum, TuneSchedule, TuningMethod, select_parameters, simulate};
    use super::*;

    #[test]
    fn the_page_shows_every_parameter_and_ends_when_the_tuning_does() {
        let parameters = select_parameters("razor_*").unwrap();
        let mut optimum = KnownOptimum::below(&parameters, 50.0, 1);
        let schedule = TuneSchedule::new(64, 8);
        let (_, mut tuning) = simulate(TuningMethod::Spsa, &parameters, &schedule, &mut optimum, 1);
        let page = page(&mut tuning);
        assert!(!page.contains("http-equiv"), "nothing more will come");
        assert_eq!(page.matches("<polyline").count(), 2);
        for part in [
            "<td>razor_base<td>480<td>",
            "128 of 128 games",
            "a simulation",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("NaN"));
    }
}
