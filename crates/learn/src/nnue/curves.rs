//! The curves of a training as a picture, and a page that shows it while it runs.

use super::log::Entry;
use super::plan::Plan;
use std::fmt::Write;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 64.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 44.0;
/// How many points of the noisy training loss are drawn at most.
const POINTS: usize = 400;

/// A line of the picture.
struct Curve {
    name: &'static str,
    color: &'static str,
    points: Vec<(f64, f64)>,
}

/// Losses and learning rate over the steps, as an SVG picture.
pub(super) fn svg(entries: &[Entry], total: u64) -> String {
    let mut train = Vec::new();
    let mut test = Vec::new();
    let mut rate = Vec::new();
    for entry in entries {
        match *entry {
            Entry::Train {
                step,
                loss,
                rate: now,
                ..
            } => {
                train.push((step as f64, loss));
                rate.push((step as f64, f64::from(now)));
            }
            Entry::Test { step, loss, .. } => test.push((step as f64, loss)),
        }
    }
    let losses = [
        Curve {
            name: "training loss",
            color: "#2b6cb0",
            points: thinned(train),
        },
        Curve {
            name: "validation loss",
            color: "#c05621",
            points: test,
        },
    ];
    let rate = Curve {
        name: "learning rate",
        color: "#a0aec0",
        points: thinned(rate),
    };
    draw(&losses, &rate, total)
}

/// Means of neighbours, so that few points are left.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(POINTS).max(1);
    let mean = |part: &[(f64, f64)]| {
        let count = part.len() as f64;
        let sum = part.iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        (sum.0 / count, sum.1 / count)
    };
    points.chunks(size).map(mean).collect()
}

fn draw(losses: &[Curve], rate: &Curve, total: u64) -> String {
    let (low, high) = bounds(losses);
    let x = |step: f64| LEFT + (WIDTH - LEFT - RIGHT) * step / (total.max(1) as f64);
    let inner = HEIGHT - TOP - BOTTOM;
    let y = |loss: f64| TOP + inner * (high - loss.clamp(low, high)) / (high - low);
    let top_rate = rate
        .points
        .iter()
        .fold(f64::MIN_POSITIVE, |a, b| a.max(b.1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    grid(&mut out, (low, high), total, x, y);
    line(&mut out, rate, x, |rate| {
        TOP + inner * (1.0 - rate / top_rate)
    });
    for curve in losses {
        line(&mut out, curve, x, y);
    }
    for (n, curve) in losses.iter().chain([rate]).enumerate() {
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

/// The losses that are shown: the first few, high ones run off the top.
fn bounds(losses: &[Curve]) -> (f64, f64) {
    let all = || {
        losses
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
        let loss = low + (high - low) * f64::from(n) / 5.0;
        let step = total as f64 * f64::from(n) / 5.0;
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let (at_x, at_y) = (x(step), y(loss));
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {at_y:.1}H{right}M{at_x:.1} {TOP}V{bottom}\" stroke=\"#e2e8f0\" \
             fill=\"none\"/>\n<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>\n\
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

/// A page with the picture and the numbers, which loads itself anew while the training runs.
pub(super) fn page(plan: &Plan, entries: &[Entry], total: u64, is_done: bool) -> String {
    let step = entries.last().map_or(0, Entry::step);
    let refresh = if is_done {
        ""
    } else {
        "<meta http-equiv=\"refresh\" content=\"10\">"
    };
    let state = if is_done { "done" } else { "running" };
    let mut rows = String::new();
    for entry in entries.iter().rev().take(200) {
        let _ = match entry {
            Entry::Train {
                step,
                epoch,
                loss,
                rate,
                speed,
            } => writeln!(
                rows,
                "<tr><td>{step}<td>{epoch}<td>{loss:.6}<td><td>{rate:.2e}<td>{speed:.0}"
            ),
            Entry::Test { step, epoch, loss } => writeln!(
                rows,
                "<tr><td>{step}<td>{epoch}<td><td><b>{loss:.6}</b><td><td>"
            ),
        };
    }
    let settings = serde_json::to_string_pretty(plan).unwrap_or_default();
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">{refresh}\n\
         <title>{} {state}: step {step} of {total}</title>\n\
         <style>body{{font:14px sans-serif;max-width:900px;margin:2em auto}}\
         td,th{{padding:1px 12px;text-align:right}}pre{{background:#f7fafc;padding:1em}}</style>\n\
         <h1>Training {}</h1>\n<p>{state}, step {step} of {total}</p>\n{}\n\
         <details><summary>Settings</summary><pre>{}</pre></details>\n\
         <table><tr><th>step<th>epoch<th>training loss<th>validation loss<th>learning rate\
         <th>positions/s\n{rows}</table></html>\n",
        plan.architecture,
        plan.architecture,
        svg(entries, total),
        escaped(&settings)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
