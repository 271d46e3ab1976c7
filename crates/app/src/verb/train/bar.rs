//! How far a training is: a bar on a terminal, a line now and then otherwise.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_learn::nnue::{Observer, TrainProgress};
use tesuji_learn::online::{OnlineObserver, OnlineProgress};

/// How long a training may be silent where there is no terminal.
const SILENCE: Duration = Duration::from_secs(10);

/// Shows a training.
pub(super) struct TrainingBar {
    bar: Option<ProgressBar>,
    begun: Instant,
    last_line: Instant,
    first_step: Option<u64>,
    speed: f64,
    /// Set when the training is to end with what it has.
    interrupted: Arc<AtomicBool>,
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
            interrupted: Arc::default(),
        }
    }

    /// The same, for a training that ends when the flag is set.
    pub(super) fn until(mut self, interrupted: Arc<AtomicBool>) -> Self {
        self.interrupted = interrupted;
        self
    }

    /// Seconds until the end, if it goes on as it did.
    fn left(&self, step: u64, total: u64) -> f64 {
        let done = step - self.first_step.unwrap_or(step);
        let each = self.begun.elapsed().as_secs_f64() / done.max(1) as f64;
        each * (total - step) as f64
    }

    /// A mean of the speed that forgets: single steps are noisy.
    fn smooth(&mut self, speed: f64) -> f64 {
        let weight = if self.speed > 0.0 { 0.05 } else { 1.0 };
        self.speed += weight * (speed - self.speed);
        self.speed
    }

    fn tell(&mut self, step: u64, total: u64, message: String) {
        let is_first = self
            .first_step
            .replace(self.first_step.unwrap_or(step))
            .is_none();
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(step);
            if is_first {
                // What an earlier run has done was not done at once.
                bar.reset_eta();
            }
            bar.set_message(message);
        } else if self.last_line.elapsed() >= SILENCE || step == total {
            self.last_line = Instant::now();
            let left = self.left(step, total);
            let _ = writeln!(
                std::io::stderr(),
                "step {step} of {total}: {message}, {left:.0} s left"
            );
        }
    }
}

impl Observer for TrainingBar {
    fn step(&mut self, progress: &TrainProgress) {
        let speed = self.smooth(progress.speed);
        let validation = progress.validation;
        let validation = validation.map_or(String::new(), |loss| format!(" val {loss:.5}"));
        let message = format!(
            "epoch {} loss {:.5}{validation} {:.0} k/s",
            progress.epoch,
            progress.loss,
            speed / 1000.0
        );
        self.tell(progress.step, progress.total, message);
    }
}

impl OnlineObserver for TrainingBar {
    fn step(&mut self, progress: &OnlineProgress) -> ControlFlow<()> {
        let speed = self.smooth(progress.speed);
        let held_out = progress.held_out.map_or(String::new(), |agreement| {
            format!(" held-out {:.1} %", 100.0 * agreement.share())
        });
        let message = format!(
            "pass {:.2} loss {:.4}{held_out} updates {:.0} % non-zero {} k {speed:.0}/s",
            progress.passes,
            progress.loss,
            100.0 * progress.update_share,
            progress.non_zero / 1000,
        );
        self.tell(progress.step, progress.total, message);
        match self.interrupted.load(Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
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
