//! What `tesuji data stats` shows: a table in the terminal, plots on a page.

use std::fmt::Write;
use tesuji_learn::data::{DataStats, PLY_STEP};

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

/// A page with three plots.
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
    let scale = stats.fit().map_or(String::new(), |fit| {
        format!("Fit: 1 / (1 + exp(−value / {:.0})).", fit.scale)
    });
    format!(
        "<!doctype html><meta charset=utf-8><title>Training data</title>\
         <style>body{{font:16px sans-serif;max-width:820px;margin:2em auto}}rect{{fill:#4a7}}text{{font-size:10px}}</style>\
         <h1>{} positions</h1>\
         <h2>Values for the side to move</h2>{}\
         <h2>Points scored by value</h2><p>{scale}</p>{}\
         <h2>Plies</h2>{}",
        stats.records,
        bars(&counts(&stats.scores), &score_names),
        bars(&chances, &score_names),
        bars(&counts(&stats.plies), &ply_names),
    )
}

/// Columns with their names below.
fn bars(heights: &[f64], names: &[String]) -> String {
    let most = heights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let width = 800.0 / heights.len().max(1) as f64;
    let mut svg = String::from("<svg viewBox='0 0 800 220' role=img>");
    for (n, (height, name)) in heights.iter().zip(names).enumerate() {
        let (x, tall) = (n as f64 * width, 190.0 * height / most);
        let (y, inner) = (200.0 - tall, width - 2.0);
        let _ = write!(
            svg,
            "<rect x='{x:.1}' y='{y:.1}' width='{inner:.1}' height='{tall:.1}'><title>{name}: {height}</title></rect>"
        );
        if n % 4 == 0 {
            let _ = write!(svg, "<text x='{x:.1}' y='214'>{name}</text>");
        }
    }
    svg + "</svg>"
}
