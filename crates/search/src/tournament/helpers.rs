//! Helper threads: they search along, and are never waited for.
//!
//! They live as long as the search that owns them: a move of ten milliseconds has no time to start
//! threads.

use super::iteration::iterative_deepening;
use super::shared::SharedState;
use super::thread_data::ThreadData;
use crate::control::{Phase, SearchControl};
use crate::info::NoListener;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use tesuji_eval::Eval;

/// Room for the deepest line on the stack of a thread.
const STACK_BYTES: usize = 32 << 20;

enum HelperCommand<E> {
    Search(Arc<SharedState<E>>),
    /// Forget the game before, and say when it is done.
    Clear(Sender<()>),
}

/// The helper threads of a search. Each of them ends when nobody can send it commands any more.
pub(super) struct HelperThreads<E>(Vec<Sender<HelperCommand<E>>>);

impl<E: Eval + Send + 'static> HelperThreads<E> {
    /// So many threads.
    ///
    /// # Errors
    /// If the system has no room or no threads for them.
    pub(super) fn new(count: usize) -> io::Result<Self> {
        let helpers: io::Result<_> = (1..=count).map(spawn).collect();
        Ok(Self(helpers?))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Lets all of them begin.
    pub(super) fn search(&self, shared: &Arc<SharedState<E>>) {
        for helper in &self.0 {
            // A helper lives as long as its sender.
            let _ = helper.send(HelperCommand::Search(Arc::clone(shared)));
        }
    }

    /// Makes them forget the game before, while the caller does `meanwhile`; returns when all have.
    pub(super) fn clear(&self, meanwhile: impl FnOnce()) {
        let (done, is_done) = mpsc::channel();
        for helper in &self.0 {
            let _ = helper.send(HelperCommand::Clear(done.clone()));
        }
        drop(done);
        meanwhile();
        // Ends when every helper has let go of its end.
        is_done.iter().for_each(drop);
    }
}

fn spawn<E: Eval + Send + 'static>(thread_id: usize) -> io::Result<Sender<HelperCommand<E>>> {
    let (sender, commands) = mpsc::channel();
    let thread = ThreadData::new()?;
    let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
    builder
        .name(format!("search {thread_id}"))
        .spawn(move || run(&commands, thread, thread_id))?;
    Ok(sender)
}

fn run<E: Eval>(commands: &Receiver<HelperCommand<E>>, mut thread: ThreadData, thread_id: usize) {
    for command in commands {
        match command {
            HelperCommand::Clear(done) => {
                thread.clear();
                drop(done);
            }
            HelperCommand::Search(shared) => {
                // The main thread watches the clock; a helper sees that the search is over.
                let control = SearchControl::new(Phase::Thinking, None);
                let result =
                    iterative_deepening(&shared, &control, &mut thread, thread_id, &mut NoListener);
                shared.results.finish(result);
            }
        }
    }
}
