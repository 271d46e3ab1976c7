//! The curves of the training of a network, and the page that shows them.

use super::log::NnueLogEntry;
use super::plan::Plan;
use crate::training::curves::{Curve, CurvePage, draw, thinned};
use crate::training::log::LogEntry;
use std::fmt::Write;

/// Losses and learning rate over the steps, as an SVG picture.
fn svg(entries: &[NnueLogEntry], total: u64) -> String {
    let mut train = Vec::new();
    let mut test = Vec::new();
    let mut rate = Vec::new();
    for entry in entries {
        match *entry {
            NnueLogEntry::Train {
                step,
                loss,
                rate: now,
                ..
            } => {
                train.push((step as f64, loss));
                rate.push((step as f64, f64::from(now)));
            }
            NnueLogEntry::Test { step, loss, .. } => test.push((step as f64, loss)),
            NnueLogEntry::Comparisons { .. } => {}
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

/// What the training has to show.
pub(super) fn page(plan: &Plan, entries: &[NnueLogEntry], total: u64, is_done: bool) -> CurvePage {
    const COLUMNS: [&str; 7] = [
        "step",
        "epoch",
        "training loss",
        "validation loss",
        "learning rate",
        "positions/s",
        "moves agreed on",
    ];
    let mut rows = String::new();
    for entry in entries.iter().rev().take(200) {
        let _ = match entry {
            NnueLogEntry::Train {
                step,
                epoch,
                loss,
                rate,
                speed,
            } => writeln!(
                rows,
                "<tr><td>{step}<td>{epoch}<td>{loss:.6}<td><td>{rate:.2e}<td>{speed:.0}<td>"
            ),
            NnueLogEntry::Test { step, epoch, loss } => writeln!(
                rows,
                "<tr><td>{step}<td>{epoch}<td><td><b>{loss:.6}</b><td><td><td>"
            ),
            NnueLogEntry::Comparisons {
                step,
                epoch,
                agreement,
                ..
            } => writeln!(
                rows,
                "<tr><td>{step}<td>{epoch}<td><td><td><td><td><b>{:.2} %</b>",
                100.0 * agreement
            ),
        };
    }
    CurvePage {
        title: plan.architecture.to_string(),
        step: entries.last().map_or(0, LogEntry::step),
        total,
        is_done,
        picture: ("loss.svg", svg(entries, total)),
        columns: &COLUMNS,
        rows,
    }
}
