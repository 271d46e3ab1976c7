//! The engine: a few threads that think, each about one question at a time.
//!
//! Questions wait in one line. A question without end gives way as soon as another one waits and
//! nobody is free; a second question without end is then refused, for it would wait for ever.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_search::SearchControl;
use tesuji_search::tournament::Tournament;

/// What thinks.
pub(crate) type Thinker = Tournament<AnyEval>;

/// How many questions are thought about at the same time.
const SEATS: usize = 2;

/// How many may wait.
const LONGEST_LINE: usize = 32;

/// What is done with whoever thinks, or with the reason why nobody does.
type Work = Box<dyn FnOnce(Result<&mut Thinker, &str>) + Send>;

/// A question.
pub(crate) struct Job {
    /// Ends it.
    pub(crate) control: Arc<SearchControl>,
    /// Whether it goes on until it is told to stop.
    pub(crate) is_endless: bool,
    pub(crate) work: Work,
}

/// A question was not taken: too many are being thought about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Busy;

/// Whether a control is the one of the search that is waited for: any other answer is out of date.
pub(crate) fn is_current(
    waiting: Option<&Arc<SearchControl>>,
    control: &Arc<SearchControl>,
) -> bool {
    waiting.is_some_and(|waiting| Arc::ptr_eq(waiting, control))
}

/// What every thread needs to begin.
#[derive(Clone, Debug)]
pub(crate) struct Equipment {
    pub(crate) eval: EvalSpec,
    pub(crate) settings: EvalSettings,
    pub(crate) threads: usize,
    pub(crate) table_bytes: usize,
}

/// The threads and their line.
pub(crate) struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    line: Mutex<Line>,
    news: Condvar,
}

#[derive(Default)]
struct Line {
    waiting: VecDeque<Job>,
    running: [Option<Running>; SEATS],
    is_closed: bool,
}

/// What is being thought about.
struct Running {
    control: Arc<SearchControl>,
    is_endless: bool,
    /// Whether it has its answer, and its thread is as good as free.
    is_done: bool,
}

impl Line {
    /// How many threads are free, or will be at once.
    fn free(&self) -> usize {
        let is_free = |seat: &&Option<Running>| seat.as_ref().is_none_or(|job| job.is_done);
        self.running.iter().filter(is_free).count()
    }
}

impl Shared {
    fn line(&self) -> MutexGuard<'_, Line> {
        // Nothing is left half done where a thread could panic.
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// Starts the threads; they load the evaluation when they are first asked.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub(crate) fn new(equipment: &Equipment) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            line: Mutex::default(),
            news: Condvar::new(),
        });
        for seat in 0..SEATS {
            let (shared, equipment) = (shared.clone(), equipment.clone());
            std::thread::Builder::new()
                .name(format!("engine {seat}"))
                .stack_size(32 << 20)
                .spawn(move || serve(&shared, seat, &equipment))?;
        }
        Ok(Self { shared })
    }

    /// Puts a question into the line.
    pub(crate) fn ask(&self, job: Job) -> Result<(), Busy> {
        let mut line = self.shared.line();
        if line.waiting.len() >= LONGEST_LINE {
            return Err(Busy);
        }
        if line.waiting.len() >= line.free() {
            // Nobody will be free: the first question without end has to give way.
            let running = || line.running.iter().flatten();
            let endless = running().find(|seat| seat.is_endless && !seat.control.is_stopped());
            match endless {
                Some(seat) if !job.is_endless => seat.control.stop(),
                None if !job.is_endless => {}
                // One that was told to stop is about to make room.
                _ if running().any(|seat| seat.control.is_stopped()) => {}
                _ => return Err(Busy),
            }
        }
        line.waiting.push_back(job);
        drop(line);
        self.shared.news.notify_one();
        Ok(())
    }

    /// A question has its answer: whoever asks the next one because of that need not wait for
    /// another thread.
    pub(crate) fn done(&self, control: &Arc<SearchControl>) {
        let mut line = self.shared.line();
        let mut running = line.running.iter_mut().flatten();
        if let Some(seat) = running.find(|seat| Arc::ptr_eq(&seat.control, control)) {
            seat.is_done = true;
        }
    }

    /// Ends everything that is being thought about, and takes no more questions.
    pub(crate) fn close(&self) {
        let mut line = self.shared.line();
        line.is_closed = true;
        line.waiting.clear();
        for seat in line.running.iter().flatten() {
            seat.control.stop();
        }
        drop(line);
        self.shared.news.notify_all();
    }
}

/// One thread: takes questions until the engine is closed.
fn serve(shared: &Shared, seat: usize, equipment: &Equipment) {
    let mut thinker: Option<Thinker> = None;
    while let Some(job) = next(shared, seat) {
        if !job.control.is_stopped() {
            match ready(&mut thinker, equipment) {
                Ok(thinker) => (job.work)(Ok(thinker)),
                Err(why) => (job.work)(Err(&why)),
            }
        }
        shared.line().running[seat] = None;
    }
}

/// Whoever thinks here, made when first needed. What failed once is tried again: a file may have
/// come meanwhile.
fn ready<'t>(
    thinker: &'t mut Option<Thinker>,
    equipment: &Equipment,
) -> Result<&'t mut Thinker, String> {
    match thinker {
        Some(thinker) => Ok(thinker),
        None => Ok(thinker.insert(make(equipment)?)),
    }
}

fn next(shared: &Shared, seat: usize) -> Option<Job> {
    let mut line = shared.line();
    loop {
        if line.is_closed {
            return None;
        }
        if let Some(job) = line.waiting.pop_front() {
            line.running[seat] = Some(Running {
                control: job.control.clone(),
                is_endless: job.is_endless,
                is_done: false,
            });
            return Some(job);
        }
        line = shared
            .news
            .wait(line)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

fn make(equipment: &Equipment) -> Result<Thinker, String> {
    let judge =
        AnyEval::choose(&equipment.eval, &equipment.settings).map_err(|error| error.to_string())?;
    let bytes = equipment.table_bytes / SEATS;
    Tournament::new(judge, equipment.threads, bytes)
        .map_err(|error| format!("no room for a table of {} MB: {error}", bytes >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use tesuji_search::Phase;

    fn engine(eval: EvalSpec) -> Engine {
        Engine::new(&Equipment {
            eval,
            settings: EvalSettings::default(),
            threads: 1,
            table_bytes: 2 << 20,
        })
        .unwrap()
    }

    fn control() -> Arc<SearchControl> {
        Arc::new(SearchControl::new(Phase::Thinking, None))
    }

    /// A question that is thought about until it is stopped; says when it begins and ends.
    fn endless(said: &mpsc::Sender<&'static str>) -> Job {
        let (control, said) = (control(), said.clone());
        let watched = control.clone();
        Job {
            control,
            is_endless: true,
            work: Box::new(move |_| {
                let _ = said.send("begins");
                while !watched.is_stopped() {
                    std::thread::yield_now();
                }
                let _ = said.send("ends");
            }),
        }
    }

    #[test]
    fn a_question_without_end_gives_way_and_a_third_is_refused() {
        let engine = engine(EvalSpec::Material);
        let (said, heard) = mpsc::channel();
        for _ in 0..SEATS {
            engine.ask(endless(&said)).unwrap();
            assert_eq!(heard.recv().unwrap(), "begins");
        }
        assert_eq!(engine.ask(endless(&said)), Err(Busy));
        let told = said.clone();
        let short = Job {
            control: control(),
            is_endless: false,
            work: Box::new(move |thinker| {
                assert!(thinker.is_ok());
                let _ = told.send("short");
            }),
        };
        engine.ask(short).unwrap();
        assert_eq!(heard.recv().unwrap(), "ends");
        assert_eq!(heard.recv().unwrap(), "short");
    }

    #[test]
    fn a_question_that_follows_an_answer_disturbs_nobody() {
        let engine = Arc::new(engine(EvalSpec::Material));
        let (said, heard) = mpsc::channel();
        let watched = endless(&said);
        let endless_control = watched.control.clone();
        engine.ask(watched).unwrap();
        assert_eq!(heard.recv().unwrap(), "begins");
        let (own, asker, told) = (control(), engine.clone(), said.clone());
        let first = Job {
            control: own.clone(),
            is_endless: false,
            work: Box::new(move |_| {
                asker.done(&own);
                let next = Job {
                    control: control(),
                    is_endless: false,
                    work: Box::new(move |_| told.send("next").unwrap()),
                };
                asker.ask(next).unwrap();
            }),
        };
        engine.ask(first).unwrap();
        assert_eq!(heard.recv().unwrap(), "next");
        assert!(!endless_control.is_stopped());
        engine.close();
    }

    #[test]
    fn who_cannot_begin_says_why() {
        let engine = engine(EvalSpec::Nnue("/nowhere/nn.bin".into()));
        let (said, heard) = mpsc::channel();
        let job = Job {
            control: control(),
            is_endless: false,
            work: Box::new(move |thinker| {
                let _ = said.send(thinker.err().map(str::to_owned));
            }),
        };
        engine.ask(job).unwrap();
        assert!(heard.recv().unwrap().unwrap().contains("nowhere"));
    }
}
