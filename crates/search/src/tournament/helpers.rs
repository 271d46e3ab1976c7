//! Helper threads: they search along, and are never waited for.
//!
//! They live as long as the search that owns them: a move of ten milliseconds has no time to start
//! threads.

use super::iteration::iterative_deepening;
use super::shared::SharedState;
use super::thread_data::ThreadData;
use crate::control::{Phase, SearchControl};
use crate::info::NoListener;
use crate::params::Params;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use tesuji_eval::Eval;

/// Room for the deepest line on the stack of a thread.
const STACK_BYTES: usize = 32 << 20;

enum HelperCommand<E> {
    Search(Arc<SharedState<E>>),
    /// Forget the game before, begin with these numbers, and say when it is done.
    Clear(Arc<Params>, Sender<()>),
}

/// The helper threads of a search. Each of them ends when nobody can send it commands any more.
pub(super) struct HelperThreads<E>(Vec<Sender<HelperCommand<E>>>);

impl<E: Eval + Send + 'static> HelperThreads<E> {
    /// So many threads, or as many as the system has room for.
    pub(super) fn new(count: usize) -> Self {
        let (ready, is_ready) = mpsc::channel();
        let mut helpers = Vec::new();
        for thread_id in 1..=count {
            match spawn(thread_id, ready.clone()) {
                Ok(helper) => helpers.push(Some(helper)),
                Err(_) => break,
            }
        }
        drop(ready);
        // Each makes its own tables, all at the same time.
        for (thread_id, made) in is_ready {
            if made.is_err() {
                helpers[thread_id - 1] = None;
            }
        }
        let mut helpers: Vec<_> = helpers.into_iter().flatten().collect();
        if helpers.len() < count {
            // Where the last thread had no room, nothing else would have any.
            helpers.truncate(helpers.len() - helpers.len().div_ceil(8));
        }
        Self(helpers)
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
    pub(super) fn clear(&self, params: &Params, meanwhile: impl FnOnce()) {
        let params = Arc::new(params.clone());
        let (done, is_done) = mpsc::channel();
        for helper in &self.0 {
            let _ = helper.send(HelperCommand::Clear(Arc::clone(&params), done.clone()));
        }
        drop(done);
        meanwhile();
        // Ends when every helper has let go of its end.
        is_done.iter().for_each(drop);
    }
}

/// A thread, which says when it is ready or why it is not.
fn spawn<E: Eval + Send + 'static>(
    thread_id: usize,
    ready: Sender<(usize, io::Result<()>)>,
) -> io::Result<Sender<HelperCommand<E>>> {
    let (sender, commands) = mpsc::channel();
    let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
    builder.name(format!("search {thread_id}")).spawn(move || {
        let (thread, made) = match ThreadData::new() {
            Ok(thread) => (Some(thread), Ok(())),
            Err(error) => (None, Err(error)),
        };
        // Nobody waits any more if the search was given up meanwhile.
        let _ = ready.send((thread_id, made));
        drop(ready);
        if let Some(thread) = thread {
            run(&commands, thread, thread_id);
        }
    })?;
    Ok(sender)
}

fn run<E: Eval>(commands: &Receiver<HelperCommand<E>>, mut thread: ThreadData, thread_id: usize) {
    for command in commands {
        match command {
            HelperCommand::Clear(params, done) => {
                thread.clear(&params);
                drop(done);
            }
            HelperCommand::Search(shared) => {
                // The main thread watches the clock; a helper sees that the search is over.
                let control = SearchControl::new(Phase::Thinking, None);
                // A helper that panics has nothing more to say: the others search on.
                let result = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    iterative_deepening(&shared, &control, &mut thread, thread_id, &mut NoListener)
                }));
                shared.results.finish(result.ok());
            }
        }
    }
}
