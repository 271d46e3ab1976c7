//! The deputy: a thread that sleeps while others think, and answers for them if they are late.
//!
//! Where more threads want to run than there are processors, the one that thinks may be off the
//! processor when its time is up. A thread that has slept until then runs almost at once. It
//! answers with the best line told so far.

use super::lag::Lag;
use super::output::Output;
use super::session::Session;
use super::think::with_ponder;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tesuji_search::{Phase, SearchRequest};
use tesuji_shogi::{Board, Position, Value};
use tesuji_usi::{BestMove, Reply};

/// How late the answer may come before it is given without the one who thinks: a share of the time
/// within these bounds, as a search with a slow evaluator looks at the clock seldom; but of a short
/// time never much, as little of it is kept back for delays.
const GRACE: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];
const GRACE_SHARE: u32 = 50;
const MOST_OF_SHORT: u32 = 8;
/// How long to wait for a first line: as long again as there was time, within these bounds. A move
/// that was looked at is worth a delay, but a game lost on time is lost, whatever the move.
const LAST_RESORT: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(100)];

/// How long to sleep where the time is up but there is nothing to say yet.
const NAP: Duration = Duration::from_millis(1);

/// A `go` to answer in time.
pub(super) struct Watch {
    pub(super) session: Arc<Session>,
    /// The one before: answers come in the order of the questions.
    pub(super) earlier: Option<Arc<Session>>,
    pub(super) request: SearchRequest,
    /// Resigns when it is worse off than this.
    pub(super) resign: Option<Value>,
}

impl Watch {
    /// How long to sleep before the answer may be due, if a clock runs and nobody has answered.
    fn time_left(&self) -> Option<Duration> {
        let session = &self.session;
        let is_open = !session.is_done() && !session.is_endless();
        let is_running = is_open && session.control.phase() == Phase::Thinking;
        let budget = session.control.budget().filter(|_| is_running)?;
        let until = |patience: Duration| {
            let latest = budget.maximum.saturating_add(patience);
            latest.saturating_sub(session.control.on_clock())
        };
        let left = until(grace(budget.maximum));
        if left > Duration::ZERO {
            return Some(left);
        }
        let is_answered = |earlier: &Arc<Session>| earlier.is_done();
        let is_next = self.earlier.as_ref().is_none_or(is_answered);
        Some(if session.is_loading() || !is_next {
            NAP
        } else if session.has_line() {
            Duration::ZERO
        } else {
            let [least, most] = LAST_RESORT;
            until(budget.maximum.clamp(least, most)).min(NAP)
        })
    }

    fn reply(&self) -> BestMove {
        let pos = &self.request.position;
        match self.session.line() {
            Some((value, _)) if self.resign.is_some_and(|worst| value <= worst) => BestMove::Resign,
            Some((_, line)) if pos.is_legal(line[0]) => {
                with_ponder(pos, line[0], line.get(1).copied())
            }
            _ => self.any_move(pos),
        }
    }

    fn any_move(&self, pos: &Position) -> BestMove {
        let wanted = self.request.search_moves.first().copied();
        let mv = wanted.or_else(|| pos.legal_moves().iter().next());
        mv.map_or(BestMove::Resign, |mv| BestMove::Move { mv, ponder: None })
    }
}

fn grace(time: Duration) -> Duration {
    let [least, most] = GRACE;
    (time / GRACE_SHARE)
        .clamp(least, most)
        .min(time / MOST_OF_SHORT)
}

/// The thread, as the engine sees it.
pub(super) struct Deputy {
    /// `None` only while the engine leaves.
    watches: Option<Sender<Arc<Watch>>>,
    thread: Option<JoinHandle<()>>,
}

impl Deputy {
    /// Starts the thread.
    pub(super) fn new(out: Output, lag: Arc<Lag>) -> io::Result<Self> {
        let (watches, inbox) = mpsc::channel();
        let thread = thread::Builder::new().name("deputy".into());
        let thread = thread.spawn(move || watch(&inbox, &out, &lag))?;
        Ok(Self {
            watches: Some(watches),
            thread: Some(thread),
        })
    }

    /// Watches over this `go` from now on, or looks at its clock again.
    pub(super) fn watch(&self, watch: Arc<Watch>) {
        // The thread ends with its engine only.
        let _ = self.watches.as_ref().map(|watches| watches.send(watch));
    }
}

impl Drop for Deputy {
    fn drop(&mut self) {
        self.watches = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(inbox: &Receiver<Arc<Watch>>, out: &Output, lag: &Lag) {
    let mut watched: Option<Arc<Watch>> = None;
    loop {
        let left = watched.as_deref().and_then(Watch::time_left);
        let next = match (&watched, left) {
            (Some(watch), Some(Duration::ZERO)) => {
                stand_in(watch, out, lag);
                watched = None;
                continue;
            }
            (_, Some(left)) => inbox.recv_timeout(left),
            (_, None) => inbox.recv().map_err(RecvTimeoutError::from),
        };
        match next {
            Ok(next) => watched = Some(next),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn stand_in(watch: &Watch, out: &Output, lag: &Lag) {
    let reply = Reply::BestMove(watch.reply());
    if watch.session.answer(|| out.say(&reply)) {
        lag.note(&watch.session.control);
    }
    // Whoever still thinks need not go on.
    watch.session.control.stop();
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_search::TimeBudget;

    fn watch(phase: Phase, time: Option<Duration>, earlier: Option<Arc<Session>>) -> Watch {
        Watch {
            session: Arc::new(Session::new(phase, time.map(TimeBudget::exactly), false)),
            earlier,
            request: SearchRequest::new(Position::start()),
            resign: Some(Value::new(-500)),
        }
    }

    const LONG: Duration = Duration::from_secs(1000);

    #[test]
    fn it_sleeps_until_the_time_is_up_and_no_longer() {
        let watch = watch(Phase::Thinking, Some(LONG), None);
        let left = watch.time_left().unwrap();
        assert!(
            left <= LONG + GRACE[1],
            "{left:?}, though nothing was told yet"
        );
        assert!(left > LONG / 2);
        watch.session.finish();
        assert_eq!(watch.time_left(), None);
    }

    #[test]
    fn it_waits_for_a_line_for_files_and_for_the_answer_before() {
        let before = Arc::new(Session::new(Phase::Thinking, None, false));
        let watch = watch(Phase::Thinking, Some(Duration::ZERO), Some(before.clone()));
        watch
            .session
            .keep_line(Value::ZERO, &["7g7f".parse().unwrap()]);
        assert_eq!(watch.time_left(), Some(NAP));
        before.finish();
        assert_eq!(watch.time_left(), Some(Duration::ZERO));
        watch.session.set_loading(true);
        assert_eq!(watch.time_left(), Some(NAP));
    }

    #[test]
    fn a_search_has_a_little_time_to_end() {
        let millis = |time| grace(Duration::from_millis(time)).as_micros();
        assert_eq!(
            [0, 8, 100, 500, 60_000].map(millis),
            [0, 1000, 2000, 10_000, 20_000]
        );
    }

    #[test]
    fn without_a_clock_it_sleeps_on() {
        assert_eq!(watch(Phase::Thinking, None, None).time_left(), None);
        let pondering = watch(Phase::Pondering, Some(Duration::ZERO), None);
        assert_eq!(pondering.time_left(), None);
        pondering.session.ponderhit(Some(TimeBudget::exactly(LONG)));
        assert!(pondering.time_left().is_some());
    }

    #[test]
    fn it_answers_as_the_search_would() {
        let watch = watch(Phase::Thinking, Some(LONG), None);
        let told = |value: i32, line: &str| {
            let line: Vec<_> = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
            watch.session.keep_line(Value::new(value), &line);
            Reply::BestMove(watch.reply()).to_string()
        };
        assert_eq!(told(20, "7g7f 3c3d"), "bestmove 7g7f ponder 3c3d");
        assert_eq!(told(20, "7g7f 7g7f"), "bestmove 7g7f");
        assert_eq!(told(-500, "7g7f"), "bestmove resign");
        assert_ne!(told(20, "3c3d"), "bestmove 3c3d", "which is illegal");
    }
}
