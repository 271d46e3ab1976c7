//! What tells servers, clients and workers to end, and wakes those that sleep.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

type StopCallback = dyn Fn() + Send + Sync;

/// Says stop, once and for all. Whoever sleeps over something else is woken by what it has left here,
/// whoever only waits sleeps here.
///
/// ```
/// use std::time::Duration;
/// use tesuji_kernels::StopSignal;
/// let stop = StopSignal::default();
/// assert!(stop.sleep(Duration::from_millis(1)));
/// stop.stop();
/// assert!(!stop.sleep(Duration::MAX));
/// ```
#[derive(Default)]
pub struct StopSignal {
    state: Mutex<StopState>,
    changed: Condvar,
}

#[derive(Default)]
struct StopState {
    is_stopped: bool,
    wakes: Vec<Weak<StopCallback>>,
}

/// Keeps what a [`StopSignal`] calls: who drops it, does not want to be woken any more.
#[must_use]
pub struct StopWake {
    _wake: Arc<StopCallback>,
}

impl StopSignal {
    fn lock(&self) -> MutexGuard<'_, StopState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whoever runs with this signal to end.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        let wakes = std::mem::take(&mut state.wakes);
        drop(state);
        self.changed.notify_all();
        wakes
            .iter()
            .filter_map(Weak::upgrade)
            .for_each(|wake| wake());
    }

    /// Whether it is to end.
    pub fn is_stopped(&self) -> bool {
        self.lock().is_stopped
    }

    /// As long as the answer is kept, `wake` is called when it is to end, at once if it already is.
    pub fn wake_with(&self, wake: impl Fn() + Send + Sync + 'static) -> StopWake {
        let wake: Arc<StopCallback> = Arc::new(wake);
        let mut state = self.lock();
        if state.is_stopped {
            drop(state);
            wake();
        } else {
            // Who connects again and again does not leave more and more behind.
            state.wakes.retain(|other| other.strong_count() > 0);
            state.wakes.push(Arc::downgrade(&wake));
        }
        StopWake { _wake: wake }
    }

    /// Sleeps for so long, or until it is to end; whether it slept so long.
    pub fn sleep(&self, time: Duration) -> bool {
        let goes_on = |state: &mut StopState| !state.is_stopped;
        let slept = self.changed.wait_timeout_while(self.lock(), time, goes_on);
        let (state, _) = slept.unwrap_or_else(PoisonError::into_inner);
        !state.is_stopped
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

impl fmt::Debug for StopWake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopWake").finish_non_exhaustive()
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
        drop(stop.wake_with(wake(1)));
        let _two = stop.wake_with(wake(2));
        let _three = stop.wake_with(wake(3));
        assert!(stop.sleep(Duration::ZERO));
        std::thread::scope(|scope| {
            let sleeper = scope.spawn(|| stop.sleep(Duration::MAX));
            stop.stop();
            assert!(!sleeper.join().unwrap());
        });
        assert!(stop.is_stopped());
        let _four = stop.wake_with(wake(4));
        stop.stop();
        drop(sender);
        assert_eq!(woken.try_iter().collect::<Vec<i32>>(), [2, 3, 4]);
        assert!(!stop.sleep(Duration::MAX));
    }
}
