//! How far a training is: a bar on a terminal, a line now and then otherwise.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use tesuji_learn::nnue::{Observer, TrainProgress};

/// How long a training may be silent where there is no terminal.
const SILENCE: Duration = Duration::from_secs(10);

/// Shows a training.
pub(super) struct TrainingBar {
    bar: Option<ProgressBar>,
    begun: Instant,
    last_line: Instant,
    first_step: Option<u64>,
    speed: f64,
}

impl TrainingBar {
    pub(super) fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(1);
            let style =
                ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}  {elapsed} left {eta}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self {
            bar,
            begun: Instant::now(),
            last_line: Instant::now(),
            first_step: None,
            speed: 0.0,
        }
    }

    /// Seconds until the end, if it goes on as it did.
    fn left(&self, progress: &TrainProgress) -> f64 {
        let done = progress.step - self.first_step.unwrap_or(progress.step);
        let each = self.begun.elapsed().as_secs_f64() / done.max(1) as f64;
        each * (progress.total - progress.step) as f64
    }
}

impl Observer for TrainingBar {
    fn step(&mut self, progress: &TrainProgress) {
        self.first_step.get_or_insert(progress.step);
        // A mean that forgets: single steps are noisy.
        let weight = if self.speed > 0.0 { 0.05 } else { 1.0 };
        self.speed += weight * (progress.speed - self.speed);
        let validation = progress.validation;
        let validation = validation.map_or(String::new(), |loss| format!(" val {loss:.5}"));
        let message = format!(
            "epoch {} loss {:.5}{validation} {:.0} k/s",
            progress.epoch,
            progress.loss,
            self.speed / 1000.0
        );
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total);
            bar.set_position(progress.step);
            bar.set_message(message);
        } else if self.last_line.elapsed() >= SILENCE || progress.step == progress.total {
            self.last_line = Instant::now();
            let (step, total) = (progress.step, progress.total);
            let left = self.left(progress);
            let _ = writeln!(
                std::io::stderr(),
                "step {step} of {total}: {message}, {left:.0} s left"
            );
        }
    }
}

impl Drop for TrainingBar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
