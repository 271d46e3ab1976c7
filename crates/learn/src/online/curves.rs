//! What the training of tables says about itself: lines of its log, curves, and the page of both.

use super::agreement::Agreement;
use super::plan::OnlinePlan;
use crate::training::curves::{Curve, CurvePage, draw, thinned};
use crate::training::log::LogEntry;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum OnlineLogEntry {
    /// Steps of training.
    Train {
        /// The last of the steps, from 1.
        step: u64,
        /// Positions visited so far.
        visits: u64,
        /// The mean over the comparisons of the steps.
        loss: f64,
        /// The share of positions that changed weights.
        update_share: f64,
        /// Positions per second.
        speed: f64,
    },
    /// A test on games that are not learnt from.
    Test {
        step: u64,
        visits: u64,
        held_out: Agreement,
        /// On the file of positions that was given.
        others: Option<Agreement>,
        non_zero: u64,
    },
}

impl LogEntry for OnlineLogEntry {
    fn step(&self) -> u64 {
        match self {
            Self::Train { step, .. } | Self::Test { step, .. } => *step,
        }
    }
}

/// The agreement on games that are not learnt from, and the share of weights that are not zero, at
/// the last test.
pub(super) fn last_test(entries: &[OnlineLogEntry]) -> Option<(Agreement, u64)> {
    entries.iter().rev().find_map(|entry| match entry {
        OnlineLogEntry::Test {
            held_out, non_zero, ..
        } => Some((*held_out, *non_zero)),
        OnlineLogEntry::Train { .. } => None,
    })
}

/// Agreement and loss over the steps, as an SVG picture.
fn svg(entries: &[OnlineLogEntry], total: u64) -> String {
    let (mut held_out, mut others, mut loss) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let step = entry.step() as f64;
        match entry {
            OnlineLogEntry::Train { loss: now, .. } => loss.push((step, *now)),
            OnlineLogEntry::Test {
                held_out: now,
                others: other,
                ..
            } => {
                held_out.push((step, 100.0 * now.share()));
                others.extend(other.map(|other| (step, 100.0 * other.share())));
            }
        }
    }
    let curves = [
        Curve {
            name: "held-out agreement %",
            color: "#2b6cb0",
            points: held_out,
        },
        Curve {
            name: "test file %",
            color: "#c05621",
            points: others,
        },
    ];
    let loss = Curve {
        name: "loss",
        color: "#a0aec0",
        points: thinned(loss),
    };
    draw(&curves, &loss, total)
}

/// What the training has to show.
pub(super) fn page(
    plan: &OnlinePlan,
    entries: &[OnlineLogEntry],
    total: u64,
    is_done: bool,
) -> CurvePage {
    const COLUMNS: [&str; 8] = [
        "step",
        "positions",
        "loss",
        "updates %",
        "positions/s",
        "held-out %",
        "test file %",
        "non-zero",
    ];
    let mut rows = String::new();
    for entry in entries.iter().rev().take(200) {
        let _ = match entry {
            OnlineLogEntry::Train {
                step,
                visits,
                loss,
                update_share,
                speed,
            } => writeln!(
                rows,
                "<tr><td>{step}<td>{visits}<td>{loss:.5}<td>{:.1}<td>{speed:.0}<td><td><td>",
                100.0 * update_share
            ),
            OnlineLogEntry::Test {
                step,
                visits,
                held_out,
                others,
                non_zero,
            } => writeln!(
                rows,
                "<tr><td>{step}<td>{visits}<td><td><td><td><b>{:.2} ± {:.2}</b><td>{}<td>{non_zero}",
                100.0 * held_out.share(),
                100.0 * held_out.standard_error(),
                others.map_or(String::new(), |other| format!(
                    "{:.2}",
                    100.0 * other.share()
                )),
            ),
        };
    }
    CurvePage {
        title: format!("{:?}", plan.tables),
        step: entries.last().map_or(0, LogEntry::step),
        total,
        is_done,
        picture: ("agreement.svg", svg(entries, total)),
        columns: &COLUMNS,
        rows,
    }
}
