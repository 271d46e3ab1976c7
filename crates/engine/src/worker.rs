//! The thread that thinks: it owns the search and does one job after the other.

use super::book::{Book, Wishes};
use super::lag::Lag;
use super::output::Output;
use super::session::Session;
use super::settings::Equipment;
use super::thinker::{MakeError, Maker, Thinker};
use crate::bench;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::SearchRequest;
use tesuji_shogi::{Board, Position, Value, movegen};
use tesuji_usi::Reply;

/// What every machine has room for.
const SMALL_TABLE: usize = 1 << 20;

/// Something to do.
pub(super) enum Job {
    /// Load everything, forget the game before, and say when it is done.
    Load(Box<Equipment>, Sender<()>),
    /// Forget the game before.
    NewGame,
    /// Answer a `go`.
    Think(Box<Question>),
    /// Count leaves.
    Perft(Box<Position>, u32, Arc<Session>),
    /// Search fixed positions.
    Bench(Box<Equipment>, u32, Arc<Session>),
    /// Search with another number from now on.
    Tune(String, i32),
    /// Say what the evaluation thinks.
    Judge(Box<Equipment>, Box<Position>),
}

/// A `go`, with everything that belongs to it.
pub(super) struct Question {
    pub(super) request: SearchRequest,
    /// Whether a mate is looked for, and `checkmate` is the answer.
    pub(super) for_mate: bool,
    /// Whether it should be the shortest.
    pub(super) shortest_mate: bool,
    pub(super) session: Arc<Session>,
    pub(super) equipment: Equipment,
    /// How the book is asked; `None` if it is not.
    pub(super) book: Option<Wishes>,
    /// Resigns when it is worse off than this.
    pub(super) resign: Option<Value>,
}

/// What the thread owns.
pub(super) struct Worker {
    pub(super) out: Output,
    pub(super) lag: Arc<Lag>,
    maker: Box<dyn Maker>,
    thinker: Option<Loaded>,
    pub(super) book: Option<(PathBuf, Book)>,
    /// The numbers that were changed, for every search that is made.
    tuned: Vec<(String, i32)>,
    /// Whether nothing was searched since everything was forgotten.
    is_fresh: bool,
}

/// A search and what it was made from.
struct Loaded {
    thinker: Box<dyn Thinker>,
    equipment: Equipment,
    /// Whether the evaluator could not be loaded and another one stands in.
    is_makeshift: bool,
}

impl Worker {
    pub(super) fn new(out: Output, maker: Box<dyn Maker>, lag: Arc<Lag>) -> Self {
        Self {
            out,
            lag,
            maker,
            thinker: None,
            book: None,
            tuned: Vec::new(),
            is_fresh: false,
        }
    }

    /// Does what comes until nobody can send anything more.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Load(equipment, done) => {
                    self.load(&equipment);
                    // The engine may have gone meanwhile.
                    let _ = done.send(());
                }
                Job::NewGame => self.forget(),
                Job::Think(question) => {
                    self.is_fresh = false;
                    self.answer(&question);
                    question.session.finish();
                }
                Job::Perft(pos, depth, session) => {
                    self.perft(*pos, depth, &session);
                    session.finish();
                }
                Job::Bench(equipment, depth, session) => {
                    self.is_fresh = false;
                    self.bench(&equipment, depth, &session);
                    session.finish();
                }
                Job::Tune(name, value) => self.tune(name, value),
                Job::Judge(equipment, pos) => {
                    let value = self.prepared(&equipment).judge(&pos);
                    let text = format!("eval {} for the side to move", value.points());
                    self.out.say(&Reply::Text(text));
                }
            }
        }
    }

    /// Loads what changed, and what could not be loaded before; then a new game may begin.
    fn load(&mut self, equipment: &Equipment) {
        self.open_book(equipment, true);
        self.thinker = self.thinker.take().filter(|loaded| !loaded.is_makeshift);
        self.prepared(equipment);
        self.forget();
    }

    /// Forgets the game before, if there was one: large tables take long to clear, and GUIs announce
    /// a game twice.
    fn forget(&mut self) {
        if let Some(loaded) = self.thinker.as_mut().filter(|_| !self.is_fresh) {
            loaded.thinker.new_game();
            self.is_fresh = true;
        }
    }

    /// The search, with the evaluator, the threads and the table that are wanted.
    pub(super) fn prepared(&mut self, wanted: &Equipment) -> &mut dyn Thinker {
        let loaded = match self.thinker.take() {
            Some(loaded) if loaded.equipment == *wanted => loaded,
            Some(loaded) if loaded.equipment.is_same_evaluator(wanted) => {
                self.reconfigured(loaded, wanted)
            }
            // The old tables are given back before the new ones are asked for.
            old => {
                drop(old);
                self.made(wanted)
            }
        };
        self.thinker.insert(loaded).thinker.as_mut()
    }

    fn tune(&mut self, name: String, value: i32) {
        if let Some(loaded) = &mut self.thinker
            && !loaded.thinker.tune(&name, value)
        {
            self.out
                .tell(format!("error: no number {name} that can be {value}"));
            return;
        }
        self.tuned.push((name, value));
    }

    fn reconfigured(&self, mut loaded: Loaded, wanted: &Equipment) -> Loaded {
        let old = &loaded.equipment;
        if (old.threads, old.table_bytes) != (wanted.threads, wanted.table_bytes) {
            let outcome = loaded.thinker.configure(wanted.threads, wanted.table_bytes);
            if let Err(error) = outcome {
                self.out
                    .tell(format!("error: {error}; the old table stays"));
            }
        }
        loaded.equipment = wanted.clone();
        loaded
    }

    fn made(&self, wanted: &Equipment) -> Loaded {
        let settings = EvalSettings {
            fv_scale: wanted.fv_scale,
            level: None,
        };
        let make = |spec: &EvalSpec, bytes| self.maker.make(spec, &settings, wanted.threads, bytes);
        let mut is_makeshift = false;
        let mut complain = |error: MakeError, instead: &str| {
            is_makeshift = true;
            self.out.tell(format!("error: {error}; {instead} instead"));
        };
        let full = wanted.table_bytes;
        let thinker = make(&wanted.spec, full).or_else(|error| match error {
            MakeError::Table { .. } => {
                complain(error, "playing with a small table");
                make(&wanted.spec, SMALL_TABLE)
            }
            MakeError::Evaluator(_) => {
                complain(error, "playing with the built-in evaluation");
                make(&EvalSpec::Builtin, full)
            }
        });
        let thinker = thinker.or_else(|error| {
            complain(
                error,
                "playing with a small table and the built-in evaluation",
            );
            make(&EvalSpec::Builtin, SMALL_TABLE)
        });
        let mut thinker =
            thinker.expect("a small table and the built-in evaluation can always be had");
        for (name, value) in &self.tuned {
            if !thinker.tune(name, *value) {
                self.out
                    .tell(format!("error: no number {name} that can be {value}"));
            }
        }
        Loaded {
            thinker,
            equipment: wanted.clone(),
            is_makeshift,
        }
    }

    /// Opens the book that is wanted, if it is another one or might have changed.
    pub(super) fn open_book(&mut self, wanted: &Equipment, anew: bool) {
        let Some(path) = &wanted.book else {
            self.book = None;
            return;
        };
        if !anew && self.book.as_ref().is_some_and(|(open, _)| open == path) {
            return;
        }
        let book = match Book::open(path) {
            Ok(book) => {
                if let Some((count, first)) = book.unread {
                    let place = path.display();
                    self.out.tell(format!(
                        "{place}:{first}: no position and no move; {count} such lines left out"
                    ));
                }
                book
            }
            Err(error) => {
                self.out.tell(format!(
                    "error: {}: {error}; playing without a book",
                    path.display()
                ));
                Book::default()
            }
        };
        self.book = Some((path.clone(), book));
    }

    fn perft(&self, mut pos: Position, depth: u32, session: &Session) {
        let mut total = 0;
        if depth == 0 {
            total = 1;
        } else {
            for mv in pos.legal_moves().iter() {
                let leaves = pos.after(mv, |pos, _| leaves(pos, depth - 1, session));
                let Some(leaves) = leaves else {
                    self.out.tell("perft stopped");
                    return;
                };
                self.out.say(&Reply::Text(format!("{mv}: {leaves}")));
                total += leaves;
            }
        }
        self.out
            .say(&Reply::Text(format!("Nodes searched: {total}")));
    }

    fn bench(&mut self, equipment: &Equipment, depth: u32, session: &Session) {
        let out = self.out.clone();
        let thinker = self.prepared(equipment);
        let total = bench::run(thinker, depth, &session.control, |row| {
            out.tell(format!("{} nodes: {}", row.nodes, row.sfen));
        });
        if session.control.is_stopped() {
            self.out.tell("bench stopped");
            return;
        }
        for line in total.to_string().lines() {
            self.out.say(&Reply::Text(line.into()));
        }
    }
}

impl Equipment {
    fn is_same_evaluator(&self, other: &Self) -> bool {
        (&self.spec, self.fv_scale) == (&other.spec, other.fv_scale)
    }
}

/// Counts leaves; `None` if it was stopped.
fn leaves(pos: &mut Position, depth: u32, session: &Session) -> Option<u64> {
    if depth <= 2 {
        let stopped = session.control.is_stopped();
        return (!stopped).then(|| movegen::perft::count(pos, depth));
    }
    pos.legal_moves().iter().try_fold(0, |sum, mv| {
        let below = pos.after(mv, |pos, _| leaves(pos, depth - 1, session));
        below.map(|below| sum + below)
    })
}
