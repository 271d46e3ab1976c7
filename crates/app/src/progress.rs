//! How far a long run is: a bar on a terminal, a line every few seconds otherwise.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a run may be silent where there is no terminal.
const SILENCE: Duration = Duration::from_secs(3);

/// Told by whoever works, from any thread; tells standard error.
pub(crate) struct Progress {
    what: &'static str,
    total: u64,
    state: Mutex<BarState>,
}

struct BarState {
    done: u64,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A run of `total` steps; `what` names them, as in "3 of 10 lines".
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let style = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg}  {elapsed} ");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(what);
            bar
        });
        let state = BarState {
            done: 0,
            last_line: Instant::now(),
            bar,
        };
        Self {
            what,
            total,
            state: Mutex::new(state),
        }
    }

    /// One step is done.
    pub(crate) fn tick(&self) {
        self.advance(|done| done + 1);
    }

    /// So many steps are done in all.
    pub(crate) fn at(&self, done: u64) {
        self.advance(|_| done);
    }

    fn advance(&self, next: impl FnOnce(u64) -> u64) {
        // A thread that panicked between two ticks leaves the numbers as sound as they were.
        let mut state = self
            .state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        state.done = next(state.done);
        if let Some(bar) = &state.bar {
            bar.set_position(state.done);
        } else if state.last_line.elapsed() >= SILENCE {
            state.last_line = Instant::now();
            let (done, total, what) = (state.done, self.total, self.what);
            let _ = writeln!(std::io::stderr(), "{done} of {total} {what}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Ok(BarState { bar: Some(bar), .. }) = self.state.get_mut() {
            bar.finish_and_clear();
        }
    }
}
