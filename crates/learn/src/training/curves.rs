//! Curves as a picture, and a page that shows it while a training runs.

use super::output::{TrainingFileError, save};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 64.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 44.0;
/// How many points of a noisy curve are drawn at most.
const POINTS: usize = 400;

/// A line of the picture.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    pub(crate) color: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Means of neighbours, so that few points are left.
pub(crate) fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(POINTS).max(1);
    let mean = |part: &[(f64, f64)]| {
        let count = part.len() as f64;
        let sum = part.iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        (sum.0 / count, sum.1 / count)
    };
    points.chunks(size).map(mean).collect()
}

/// Curves on one scale, and one behind them on a scale of its own that begins with zero, over the
/// steps.
pub(crate) fn draw(curves: &[Curve], behind: &Curve, total: u64) -> String {
    let (low, high) = bounds(curves);
    let x = |step: f64| LEFT + (WIDTH - LEFT - RIGHT) * step / (total.max(1) as f64);
    let inner = HEIGHT - TOP - BOTTOM;
    let y = |value: f64| TOP + inner * (high - value.clamp(low, high)) / (high - low);
    let top = behind
        .points
        .iter()
        .fold(f64::MIN_POSITIVE, |a, b| a.max(b.1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    grid(&mut out, (low, high), total, x, y);
    line(&mut out, behind, x, |value| {
        TOP + inner * (1.0 - value / top)
    });
    for curve in curves {
        line(&mut out, curve, x, y);
    }
    for (n, curve) in curves.iter().chain([behind]).enumerate() {
        let at = LEFT + 10.0 + 200.0 * n as f64;
        let last = curve.points.last().map_or(0.0, |point| point.1);
        let _ = writeln!(
            out,
            "<text x=\"{at}\" y=\"20\" fill=\"{}\">{} {last:.3e}</text>",
            curve.color, curve.name
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The values that are shown: the first few, high ones run off the top.
fn bounds(curves: &[Curve]) -> (f64, f64) {
    let all = || {
        curves
            .iter()
            .flat_map(|curve| curve.points.iter().map(|point| point.1))
    };
    let low = all().fold(f64::INFINITY, f64::min);
    let mut sorted: Vec<f64> = all().collect();
    sorted.sort_by(f64::total_cmp);
    let high = sorted.get(sorted.len() * 95 / 100).copied().unwrap_or(1.0);
    if !low.is_finite() {
        return (0.0, 1.0);
    }
    let room = ((high - low) * 0.1).max(low.abs() * 0.01).max(1e-9);
    (low - room, high + room)
}

fn grid(
    out: &mut String,
    (low, high): (f64, f64),
    total: u64,
    x: impl Fn(f64) -> f64,
    y: impl Fn(f64) -> f64,
) {
    for n in 0..=5 {
        let value = low + (high - low) * f64::from(n) / 5.0;
        let step = total as f64 * f64::from(n) / 5.0;
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let (at_x, at_y) = (x(step), y(value));
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {at_y:.1}H{right}M{at_x:.1} {TOP}V{bottom}\" stroke=\"#e2e8f0\" \
             fill=\"none\"/>\n<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value:.5}</text>\n\
             <text x=\"{at_x:.1}\" y=\"{}\" text-anchor=\"middle\">{step:.0}</text>",
            LEFT - 6.0,
            at_y + 4.0,
            bottom + 18.0
        );
    }
}

fn line(out: &mut String, curve: &Curve, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) {
    let mut path = String::new();
    for (n, &(step, value)) in curve.points.iter().enumerate() {
        let pen = if n == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{pen}{:.1} {:.1}", x(step), y(value));
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" stroke=\"{}\" stroke-width=\"1.6\" fill=\"none\"/>",
        curve.color
    );
}

/// What a page shows.
pub(crate) struct CurvePage {
    /// What is trained.
    pub(crate) title: String,
    pub(crate) step: u64,
    pub(crate) total: u64,
    pub(crate) is_done: bool,
    /// The name of a file and the picture that it holds.
    pub(crate) picture: (&'static str, String),
    /// The heads of the columns.
    pub(crate) columns: &'static [&'static str],
    /// The rows of the table, as HTML.
    pub(crate) rows: String,
}

impl CurvePage {
    /// Writes the picture and the page into the folder of the training.
    pub(crate) fn save(
        &self,
        folder: &Path,
        plan: &impl Serialize,
    ) -> Result<(), TrainingFileError> {
        let (name, picture) = &self.picture;
        save(folder, name, picture.as_bytes())?;
        save(folder, "index.html", self.html(plan).as_bytes())
    }

    /// A page with the picture and the numbers, which loads itself anew while the training runs.
    fn html(&self, plan: &impl Serialize) -> String {
        let CurvePage {
            title,
            step,
            total,
            picture: (_, picture),
            rows,
            ..
        } = self;
        let refresh = if self.is_done {
            ""
        } else {
            "<meta http-equiv=\"refresh\" content=\"10\">"
        };
        let state = if self.is_done { "done" } else { "running" };
        let columns: String = self
            .columns
            .iter()
            .map(|name| format!("<th>{name}"))
            .collect();
        let settings = serde_json::to_string_pretty(plan).unwrap_or_default();
        format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">{refresh}\n\
             <title>{title} {state}: step {step} of {total}</title>\n\
             <style>body{{font:14px sans-serif;max-width:900px;margin:2em auto}}\
             td,th{{padding:1px 12px;text-align:right}}pre{{background:#f7fafc;padding:1em}}</style>\n\
             <h1>Training {title}</h1>\n<p>{state}, step {step} of {total}</p>\n{picture}\n\
             <details><summary>Settings</summary><pre>{}</pre></details>\n\
             <table><tr>{columns}\n{rows}</table></html>\n",
            escaped(&settings)
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
