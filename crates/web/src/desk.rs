//! A desk: the game, the study and the problem of one person, whatever page shows them.

use crate::complaint::Complaint;
use crate::engine::Engine;
use crate::play::Play;
use crate::problem::Puzzle;
use crate::study::Study;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;

/// What a desk uses that belongs to all.
#[derive(Clone)]
pub(crate) struct Tools {
    pub(crate) engine: Arc<Engine>,
    pub(crate) runtime: Handle,
    /// Whoever writes desks to disk.
    pub(crate) saver: Sender<Arc<Desk>>,
    /// How many threads the mate solver has.
    pub(crate) threads: usize,
}

/// A desk.
pub(crate) struct Desk {
    pub(crate) id: String,
    pub(crate) tools: Tools,
    state: Mutex<State>,
    changes: watch::Sender<u64>,
    pages: AtomicUsize,
}

/// What lies on a desk.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) play: Play,
    pub(crate) study: Study,
    pub(crate) puzzle: Puzzle,
    /// The last things that went wrong while nobody waited for an answer, with their numbers.
    notices: VecDeque<(u64, Complaint)>,
    last_notice: u64,
}

impl State {
    /// A desk with these things on it.
    pub(crate) fn of(play: Play, study: Study, puzzle: Puzzle) -> Self {
        Self {
            play,
            study,
            puzzle,
            ..Self::default()
        }
    }

    /// What went wrong since a notice, and the number of the last.
    pub(crate) fn notices(&self, seen: u64) -> (Vec<&Complaint>, u64) {
        let new = self.notices.iter().filter(|(number, _)| *number > seen);
        (new.map(|(_, notice)| notice).collect(), self.last_notice)
    }

    /// The number of the last notice: a page that comes now has missed nothing.
    pub(crate) fn last_notice(&self) -> u64 {
        self.last_notice
    }

    /// Says that something went wrong.
    pub(crate) fn notice(&mut self, complaint: Complaint) {
        self.last_notice += 1;
        self.notices.push_back((self.last_notice, complaint));
        if self.notices.len() > 8 {
            self.notices.pop_front();
        }
    }
}

/// How long the engine goes on thinking for a desk that no page shows.
const PATIENCE: Duration = Duration::from_secs(15);

impl Desk {
    pub(crate) fn new(id: String, tools: Tools, state: State) -> Arc<Self> {
        Arc::new(Self {
            id,
            tools,
            state: Mutex::new(state),
            changes: watch::Sender::new(0),
            pages: AtomicUsize::new(0),
        })
    }

    /// What lies on the desk.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A change that panicked half way leaves a game that is still a game.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells every page that something changed, and has it saved.
    pub(crate) fn changed(self: &Arc<Self>) {
        self.shown();
        // Without a saver nothing is kept; that was said at the start.
        let _ = self.tools.saver.send(self.clone());
    }

    /// Tells every page that something changed that need not be saved.
    pub(crate) fn shown(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Hears of every change from now on.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// A page shows the desk: a game that waited for one goes on.
    pub(crate) fn enter(self: &Arc<Self>) {
        self.pages.fetch_add(1, Ordering::SeqCst);
        let mut state = self.state();
        self.go_on(&mut state);
    }

    /// A page is gone.
    pub(crate) fn leave(self: &Arc<Self>) {
        self.pages.fetch_sub(1, Ordering::SeqCst);
        let desk = self.clone();
        self.tools.runtime.spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            if desk.pages() == 0 {
                let mut state = desk.state();
                state.study.stop_thinking();
                if state.play.is_watched() {
                    state.play.set_pause(true);
                }
            }
        });
    }

    /// How many pages show it.
    pub(crate) fn pages(&self) -> usize {
        self.pages.load(Ordering::SeqCst)
    }
}
