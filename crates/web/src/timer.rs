//! When the clock of a side began to run: the one place of a game here that looks at the time.

use std::time::{Duration, Instant};
use tesuji_shogi::Color;

/// Whose clock runs, and since when.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timer {
    running: Option<(Color, Instant)>,
}

impl Timer {
    /// Lets the clock of a side run, unless it already does.
    pub(crate) fn start(&mut self, color: Color) {
        if self.running() != Some(color) {
            self.running = Some((color, Instant::now()));
        }
    }

    /// Stops the clock that runs: whose it is, and how long it ran.
    pub(crate) fn stop(&mut self) -> Option<(Color, Duration)> {
        let (color, since) = self.running.take()?;
        Some((color, since.elapsed()))
    }

    /// The side whose clock runs.
    pub(crate) fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// How long the clock of a side has been running.
    pub(crate) fn elapsed(&self, color: Color) -> Duration {
        match self.running {
            Some((side, since)) if side == color => since.elapsed(),
            _ => Duration::ZERO,
        }
    }
}
