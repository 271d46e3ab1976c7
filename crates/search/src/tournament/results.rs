//! What each thread found, and whose move is played.
//!
//! Helper threads publish after every iteration, so that nobody has to wait for them: on a busy
//! machine a thread that should stop may not even run when the answer is due. That threads vote for
//! the move to be played is Stockfish's idea.

use super::root_move::RootMove;
use crate::params::Params;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tesuji_shogi::{Move, Value};

/// How long helpers are waited for when the clock runs, and when it does not.
const PATIENCE_ON_CLOCK: Duration = Duration::from_micros(300);
const PATIENCE: Duration = Duration::from_millis(200);

/// What a thread found in its last iteration.
pub(super) struct ThreadResult {
    pub(super) thread_id: usize,
    /// How many iterations it completed.
    pub(super) depth: i32,
    pub(super) moves: Vec<RootMove>,
}

/// The results of all helper threads.
pub(super) struct ThreadResults {
    published: Mutex<Vec<ThreadResult>>,
    /// How many helpers may still find more.
    busy: AtomicUsize,
    /// A helper has finished.
    finished: Condvar,
}

impl ThreadResults {
    /// Of so many helpers.
    pub(super) fn new(helpers: usize) -> Self {
        Self {
            published: Mutex::new(Vec::new()),
            busy: AtomicUsize::new(helpers),
            finished: Condvar::new(),
        }
    }

    /// Keeps the result of a helper in the place of its earlier one.
    pub(super) fn publish(&self, result: ThreadResult) {
        replace(&mut self.published(), result);
    }

    /// Keeps the last result of a helper, if it has one.
    pub(super) fn finish(&self, result: Option<ThreadResult>) {
        let mut published = self.published();
        if let Some(result) = result {
            replace(&mut published, result);
        }
        self.busy.fetch_sub(1, Release);
        drop(published);
        self.finished.notify_all();
    }

    /// Everything that was published, in the order of the threads. A helper that has not finished
    /// after a little while is not waited for.
    pub(super) fn take(&self, on_clock: bool) -> Vec<ThreadResult> {
        let mut results = if on_clock {
            self.take_on_clock()
        } else {
            let (published, is_busy) = (self.published(), |_: &mut Vec<_>| self.is_busy());
            let waited = self
                .finished
                .wait_timeout_while(published, PATIENCE, is_busy);
            let (mut published, _) = waited.unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *published)
        };
        results.sort_by_key(|result| result.thread_id);
        results
    }

    /// While the clock runs nobody sleeps: a thread that sleeps might not run again in time. Neither
    /// does it wait for a lock, whose owner might be off the processor for long.
    fn take_on_clock(&self) -> Vec<ThreadResult> {
        let deadline = Instant::now() + PATIENCE_ON_CLOCK;
        while self.is_busy() && Instant::now() < deadline {
            std::hint::spin_loop();
        }
        let published = self.published.try_lock();
        published.map_or_else(|_| Vec::new(), |mut all| std::mem::take(&mut *all))
    }

    fn is_busy(&self) -> bool {
        self.busy.load(Acquire) > 0
    }

    fn published(&self) -> MutexGuard<'_, Vec<ThreadResult>> {
        self.published
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn replace(published: &mut Vec<ThreadResult>, new: ThreadResult) {
    match published
        .iter_mut()
        .find(|old| old.thread_id == new.thread_id)
    {
        Some(old) => *old = new,
        None => published.push(new),
    }
}

/// The thread whose move is played: mates first, then the move that most and deepest threads vote
/// for.
pub(super) fn vote(results: &[ThreadResult], params: &Params) -> usize {
    let worst = results
        .iter()
        .map(|r| r.moves[0].last_value())
        .min()
        .unwrap_or(Value::ZERO);
    let weight = |r: &ThreadResult| {
        let ahead = (r.moves[0].last_value() - worst).points() + params.vote_offset;
        i64::from(ahead) * i64::from(r.depth.max(1))
    };
    let votes = |mv: Move| -> i64 {
        results
            .iter()
            .filter(|r| r.moves[0].mv() == mv)
            .map(weight)
            .sum()
    };
    let mut chosen = 0;
    for (n, result) in results.iter().enumerate().skip(1) {
        let (best, new) = (&results[chosen].moves[0], &result.moves[0]);
        let [best_value, new_value] = [best, new].map(RootMove::last_value);
        let is_mate = [best_value, new_value]
            .iter()
            .any(|value| value.mate_distance().is_some());
        let is_better = if is_mate {
            new_value > best_value
        } else {
            let (old_votes, new_votes) = (votes(best.mv()), votes(new.mv()));
            new_votes > old_votes
                || (new_votes == old_votes && weight(result) > weight(&results[chosen]))
        };
        if is_better && result.depth > 0 {
            chosen = n;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(thread_id: usize, depth: i32, mv: &str, points: i32) -> ThreadResult {
        let mut root_move = RootMove::new(mv.parse().unwrap());
        root_move.value = Value::new(points);
        ThreadResult {
            thread_id,
            depth,
            moves: vec![root_move],
        }
    }

    #[test]
    fn helpers_that_never_finish_have_published_what_they_found() {
        for on_clock in [false, true] {
            let results = ThreadResults::new(2);
            for (thread_id, depth) in [(2, 1), (1, 1), (2, 7)] {
                results.publish(result(thread_id, depth, "7g7f", 0));
            }
            let taken = results.take(on_clock);
            let taken: Vec<_> = taken.iter().map(|r| (r.thread_id, r.depth)).collect();
            assert_eq!(taken, [(1, 1), (2, 7)], "the newest of each");
        }
    }

    #[test]
    fn a_helper_that_finishes_wakes_whoever_waits_for_it() {
        let results = ThreadResults::new(1);
        std::thread::scope(|scope| {
            scope.spawn(|| results.finish(Some(result(1, 3, "7g7f", 0))));
            while results.is_busy() {
                std::thread::yield_now();
            }
        });
        assert_eq!(results.take(false).len(), 1);
    }

    #[test]
    fn a_helper_that_sleeps_while_it_publishes_is_not_waited_for() {
        let results = ThreadResults::new(1);
        results.publish(result(1, 5, "7g7f", 0));
        let asleep = results.published.lock().unwrap();
        assert!(results.take(true).is_empty());
        drop(asleep);
    }

    #[test]
    fn the_majority_wins_unless_somebody_sees_a_mate() {
        let mut results = vec![
            result(0, 10, "7g7f", 30),
            result(1, 10, "2g2f", 25),
            result(2, 10, "2g2f", 20),
        ];
        let vote = |results: &[ThreadResult]| super::vote(results, &Params::default());
        assert_eq!(results[vote(&results)].moves[0].mv().to_string(), "2g2f");
        results[0].moves[0].value = Value::mate_in(5);
        assert_eq!(vote(&results), 0);
        results[0].moves[0].value = Value::mated_in(4);
        assert_ne!(vote(&results), 0);
    }
}
