//! Rows of then and now, and how long something takes.

use crate::answer::write_json;
use serde::Serialize;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tesuji_shogi::Position;

/// What came of a paper's experiments.
pub(super) struct Report {
    title: &'static str,
    quick: bool,
    rows: Vec<ThenNow>,
    differs: Vec<&'static str>,
}

/// One figure, then and now.
#[derive(Serialize)]
struct ThenNow {
    what: String,
    then: String,
    now: String,
}

impl Report {
    pub(super) fn new(title: &'static str, quick: bool) -> Self {
        Self {
            title,
            quick,
            rows: Vec::new(),
            differs: Vec::new(),
        }
    }

    /// Whether less should be measured.
    pub(super) fn is_quick(&self) -> bool {
        self.quick
    }

    /// A figure beside what the paper tells; `-` where it tells nothing.
    pub(super) fn row(&mut self, what: impl Into<String>, then: &str, now: impl Into<String>) {
        self.rows.push(ThenNow {
            what: what.into(),
            then: then.into(),
            now: now.into(),
        });
    }

    /// Why both cannot be compared without a thought.
    pub(super) fn differs(&mut self, why: &'static str) {
        self.differs.push(why);
    }

    /// For how long a speed is measured.
    fn span(&self) -> Duration {
        Duration::from_millis(if self.quick { 30 } else { 300 })
    }

    /// Nanoseconds per call in the best of several rounds.
    pub(super) fn nanos<T>(&self, mut work: impl FnMut() -> T) -> f64 {
        let (span, mut best, mut repeat) = (self.span() / 8, f64::INFINITY, 1u32);
        for _ in 0..8 {
            loop {
                let start = Instant::now();
                for _ in 0..repeat {
                    black_box(work());
                }
                let time = start.elapsed();
                if time >= span / 2 || repeat >= 1 << 28 {
                    best = best.min(time.as_nanos() as f64 / f64::from(repeat));
                    break;
                }
                repeat *= 2;
            }
        }
        best
    }

    /// Prints the rows, for people or for scripts.
    pub(super) fn print(&self, out: &mut impl Write, json: bool) -> io::Result<()> {
        if json {
            return self.rows.iter().try_for_each(|row| write_json(out, row));
        }
        writeln!(out, "{}", self.title)?;
        if self.quick {
            writeln!(out, "(--quick: a tenth of the work; figures are rough)")?;
        }
        let width =
            |text: &dyn Fn(&ThenNow) -> usize| self.rows.iter().map(text).max().unwrap_or(4);
        let what = width(&|row| row.what.chars().count());
        let then = width(&|row| row.then.chars().count()).max(4);
        writeln!(out, "\n  {:what$}  {:then$}  now", "", "then")?;
        for row in &self.rows {
            writeln!(out, "  {:what$}  {:then$}  {}", row.what, row.then, row.now)?;
        }
        if !self.differs.is_empty() {
            writeln!(out, "\nWhat differs:")?;
        }
        for why in &self.differs {
            writeln!(out, "  - {why}")?;
        }
        Ok(())
    }
}

/// The position of the move generation festival, on which Kuma Shogi was measured.
pub(super) const FESTIVAL: &str =
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// Positions of the middle game, for searches.
pub(super) const MIDDLE: [&str; 4] = [
    "l4k1nl/1r2g1gb1/p1nssp1p1/2ppp1p2/1p6p/P1PPP1P2/1PSG1PN1P/1BG2S1R1/LN1K4L b P 37",
    "l2g3nl/2s2kg2/2n1ppsp1/p2p2p1p/7P1/PrS2PP1P/3PPSN2/2GKG2R1/LN6L b B2Pb2p 37",
    "ln3kbnl/1r4g2/p1sp1gsp1/2p1p3p/1p3p1P1/2PPPB2P/PPS2PS2/2G1G2R1/LN1K3NL b Pp 37",
    "l1k1g2pb/2rs1s2l/1g2ppp2/1p6p/pn1PBN1nP/P5P2/2+p1PP3/L1KS1G1RL/2P1G2S1 b 2Pnp 79",
];

/// A position of this file.
pub(super) fn read(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("the positions of the papers are sound")
}
