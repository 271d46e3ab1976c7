//! What `tesuji data stats` shows: a table in the terminal, plots on a page.

use std::fmt::Write;
use tesuji_learn::data::{DataStats, Fit, PLY_STEP, SCORE_STEP};

/// The histogram of values with the points scored in each column.
pub(super) fn table(stats: &DataStats) -> String {
    let mut text = String::from("   value   positions   score\n");
    for (column, (&count, points)) in stats.scores.iter().zip(&stats.points).enumerate() {
        if count > 0 {
            let score = 100.0 * points / count as f64;
            let _ = writeln!(
                text,
                "{:8} {count:11} {score:6.1} %",
                DataStats::score_at(column)
            );
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// A page with three plots; the second has the curve that was fitted to it.
pub(super) fn page(stats: &DataStats) -> String {
    let score_names: Vec<_> = (0..stats.scores.len())
        .map(|n| DataStats::score_at(n).to_string())
        .collect();
    let ply_names: Vec<_> = (0..stats.plies.len())
        .map(|n| (n * PLY_STEP).to_string())
        .collect();
    let counts = |counts: &[u64]| counts.iter().map(|&count| count as f64).collect::<Vec<_>>();
    let chances: Vec<_> = stats
        .points
        .iter()
        .zip(&stats.scores)
        .map(|(points, &count)| points / count.max(1) as f64)
        .collect();
    let fit = stats.fit();
    let scale = fit.map_or(String::new(), |fit| {
        format!("Fit: 1 / (1 + exp(−value / {:.0})).", fit.scale)
    });
    let curve = fit.map_or(String::new(), |fit| curve(&fit, stats.scores.len()));
    format!(
        "<!doctype html><meta charset=utf-8><title>Training data</title>\
         <style>body{{font:16px sans-serif;max-width:820px;margin:2em auto}}rect{{fill:#4a7}}text{{font-size:10px}}\
         line{{stroke:#ccc}}polyline{{fill:none;stroke:#c33;stroke-width:2}}</style>\
         <h1>{} positions</h1>\
         <h2>Values for the side to move</h2>{}\
         <h2>Points scored by value</h2><p>{scale}</p>{}\
         <h2>Plies</h2>{}",
        stats.records,
        plot(&columns(&counts(&stats.scores), &score_names, None)),
        plot(&(percent_axis() + &columns(&chances, &score_names, Some(1.0)) + &curve)),
        plot(&columns(&counts(&stats.plies), &ply_names, None)),
    )
}

const WIDTH: f64 = 800.0;
/// The height of the highest column, and where columns stand.
const HEIGHT: f64 = 190.0;
const GROUND: f64 = 200.0;

/// A picture with room on the left for an axis.
fn plot(inside: &str) -> String {
    format!("<svg viewBox='-40 0 840 220' role=img>{inside}</svg>")
}

/// Shares from nothing to all, with lines across.
fn percent_axis() -> String {
    let mut svg = String::new();
    for percent in [0, 25, 50, 75, 100] {
        let y = GROUND - HEIGHT * f64::from(percent) / 100.0;
        let _ = write!(
            svg,
            "<line x1='0' x2='{WIDTH}' y1='{y:.1}' y2='{y:.1}'/>\
             <text x='-5' y='{:.1}' text-anchor='end'>{percent} %</text>",
            y + 3.0
        );
    }
    svg
}

/// The chance that the fit gives to every value of the columns.
fn curve(fit: &Fit, columns: usize) -> String {
    let lowest = DataStats::score_at(0) - SCORE_STEP / 2;
    let span = columns as f64 * f64::from(SCORE_STEP);
    let mut points = String::new();
    for step in 0..=160 {
        let share = f64::from(step) / 160.0;
        let value = f64::from(lowest) + share * span;
        let chance = 1.0 / (1.0 + (-value / fit.scale).exp());
        let _ = write!(
            points,
            "{:.1},{:.1} ",
            share * WIDTH,
            GROUND - HEIGHT * chance
        );
    }
    format!("<polyline points='{}'/>", points.trim_end())
}

/// Columns with their names below; as high as the highest of them, or as `full`.
fn columns(heights: &[f64], names: &[String], full: Option<f64>) -> String {
    let most = heights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let most = full.unwrap_or(most);
    let width = WIDTH / heights.len().max(1) as f64;
    let mut svg = String::new();
    for (n, (height, name)) in heights.iter().zip(names).enumerate() {
        let (x, tall) = (n as f64 * width, HEIGHT * height / most);
        let (y, inner) = (GROUND - tall, width - 2.0);
        let _ = write!(
            svg,
            "<rect x='{x:.1}' y='{y:.1}' width='{inner:.1}' height='{tall:.1}'><title>{name}: {height}</title></rect>"
        );
        if n % 4 == 0 {
            let _ = write!(svg, "<text x='{x:.1}' y='214'>{name}</text>");
        }
    }
    svg
}
