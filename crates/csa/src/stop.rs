//! What tells a server or a client to end, and wakes it if it sleeps.

use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Says stop, once and for all. Whoever sleeps over a socket is woken by what it has left here,
/// whoever only waits sleeps here.
#[derive(Default)]
pub struct StopSignal {
    state: Mutex<StopState>,
    changed: Condvar,
}

#[derive(Default)]
struct StopState {
    is_stopped: bool,
    wake: Option<Box<dyn Fn() + Send>>,
}

impl StopSignal {
    fn lock(&self) -> MutexGuard<'_, StopState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whoever runs with this signal to end.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        if let Some(wake) = &state.wake {
            wake();
        }
        self.changed.notify_all();
    }

    /// Whether it is to end.
    pub fn is_stopped(&self) -> bool {
        self.lock().is_stopped
    }

    /// From now on `wake` is called when it is to end, at once if it already is; nothing else is any
    /// more.
    pub(crate) fn wake_with(&self, wake: impl Fn() + Send + 'static) {
        let mut state = self.lock();
        if state.is_stopped {
            wake();
        }
        state.wake = Some(Box::new(wake));
    }

    /// Sleeps for so long, or until it is to end.
    pub(crate) fn sleep(&self, time: Duration) {
        let goes_on = |state: &mut StopState| !state.is_stopped;
        let slept = self.changed.wait_timeout_while(self.lock(), time, goes_on);
        drop(slept);
    }
}

impl fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_stopped = self.is_stopped();
        f.debug_struct("StopSignal")
            .field("is_stopped", &is_stopped)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn whoever_sleeps_is_woken_before_and_after() {
        let (stop, (sender, woken)) = (StopSignal::default(), mpsc::channel());
        let wake = |number| {
            let sender = sender.clone();
            move || sender.send(number).unwrap()
        };
        stop.wake_with(wake(1));
        stop.wake_with(wake(2));
        std::thread::scope(|scope| {
            let sleeper = scope.spawn(|| stop.sleep(Duration::MAX));
            stop.stop();
            sleeper.join().unwrap();
        });
        stop.wake_with(wake(3));
        drop(sender);
        assert!(stop.is_stopped());
        assert_eq!([woken.recv(), woken.recv()], [Ok(2), Ok(3)]);
        stop.sleep(Duration::MAX);
    }
}
