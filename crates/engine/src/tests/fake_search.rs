//! A search that is small enough for tests, and an engine to speak to.

use crate::{
    Engine, EngineParts, EngineSearch, MakeSearchError, MemoryWriter, SearchFactory,
    TournamentFactory,
};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tesuji_eval::{EvalSettings, EvalSpec, Evaluator, EvaluatorVisitor, Material, choose};
use tesuji_search::{
    Answer, Bounded, Search, SearchControl, SearchInfo, SearchListener, SearchRequest, SearchResult,
};
use tesuji_shogi::{Board, Bound, Move, Position, Value};
use tesuji_usi::Reply;

/// Material, a few plies deep.
pub(super) struct FakeSearch;

const DEEPEST: u32 = 3;
/// Larger tables are refused, as a system would.
const LARGEST_TABLE: usize = 4096 << 20;

impl Search for FakeSearch {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        let (mut pos, limits) = (request.position.clone(), &request.limits);
        let mut moves: Vec<Move> = pos.legal_moves().iter().collect();
        let wanted = &request.search_moves;
        moves.retain(|mv| wanted.is_empty() || wanted.contains(mv));
        let mut best = SearchResult {
            answer: moves.first().map_or(Answer::Resign, |&mv| Answer::Move(mv)),
            ponder: None,
            value: Value::mated_in(0),
            depth: 0,
            nodes: 0,
            pv: moves.first().copied().into_iter().collect(),
        };
        let mut nodes = 0;
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            let mut stop = || {
                nodes += 1;
                let spent = limits.nodes.is_some_and(|limit| nodes >= limit);
                spent || control.is_stopped() || control.is_out_of_time()
            };
            let Some((value, line)) = negamax(&mut pos, &moves, depth, &mut stop) else {
                break;
            };
            best.value = value;
            best.answer = Answer::Move(line[0]);
            best.ponder = line.get(1).copied();
            best.pv = line;
            listener.info(&SearchInfo {
                depth,
                seldepth: depth,
                multipv: 1,
                value: Bounded {
                    value,
                    bound: Bound::Exact,
                },
                nodes,
                time: control.elapsed(),
                hashfull: 0,
                pv: best.pv.clone(),
            });
        }
        SearchResult { nodes, ..best }
    }
}

/// The value and the best line; `None` if it was stopped.
fn negamax(
    pos: &mut Position,
    moves: &[Move],
    depth: u32,
    stop: &mut dyn FnMut() -> bool,
) -> Option<(Value, Vec<Move>)> {
    if stop() {
        return None;
    }
    if depth == 0 {
        return Some((Material.evaluate(pos), vec![]));
    }
    let mut best = (Value::mated_in(0), vec![]);
    for &mv in moves {
        let below = pos.after(mv, |pos, _| {
            let replies: Vec<Move> = pos.legal_moves().iter().collect();
            negamax(pos, &replies, depth - 1, stop)
        });
        let (value, line) = below?;
        // A mate further away is worth a little less.
        let nearer = match -value {
            mate if mate >= Value::MATE_FLOOR => mate - Value::new(1),
            mated if mated <= -Value::MATE_FLOOR => mated + Value::new(1),
            value => value,
        };
        if best.1.is_empty() || nearer > best.0 {
            best = (nearer, std::iter::once(mv).chain(line).collect());
        }
    }
    Some(best)
}

impl EngineSearch for FakeSearch {
    fn configure(&mut self, _: usize, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn threads(&self) -> usize {
        usize::MAX
    }

    fn evaluate(&self, pos: &Position) -> Value {
        Material.evaluate(pos)
    }
}

/// Makes fakes, and counts how many.
#[derive(Clone, Default)]
pub(super) struct FakeSearchFactory(pub(super) Arc<AtomicUsize>);

struct Opened;

impl EvaluatorVisitor for Opened {
    type Out = ();
    fn visit<E: Evaluator + Send + 'static>(self, _: E) {}
}

impl SearchFactory for FakeSearchFactory {
    fn make(
        &self,
        spec: &EvalSpec,
        settings: &EvalSettings,
        _: usize,
        table_bytes: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        choose(spec, settings, Opened)?;
        if table_bytes > LARGEST_TABLE {
            return Err(MakeSearchError::Table {
                megabytes: table_bytes >> 20,
                source: io::ErrorKind::OutOfMemory.into(),
            });
        }
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(FakeSearch))
    }
}

/// An engine and what it has said.
pub(super) struct UsiSession {
    engine: Option<Engine>,
    said: MemoryWriter,
    pub(super) made: Arc<AtomicUsize>,
}

impl UsiSession {
    pub(super) fn new() -> Self {
        Self::within(Path::new("/nowhere"))
    }

    /// An engine with the search that plays tournaments, and a small table.
    pub(super) fn real() -> Self {
        let mut session = Self::with(Box::new(TournamentFactory), Path::new("/nowhere"));
        session.say("setoption name USI_Hash value 1");
        session
    }

    pub(super) fn within(folder: &Path) -> Self {
        let factory = FakeSearchFactory::default();
        let made = factory.0.clone();
        Self {
            made,
            ..Self::with(Box::new(factory), folder)
        }
    }

    pub(super) fn with(factory: Box<dyn SearchFactory>, folder: &Path) -> Self {
        let said = MemoryWriter::default();
        let parts = EngineParts {
            out: Box::new(said.clone()),
            factory,
            folder: folder.into(),
        };
        let mut session = Self {
            engine: Some(Engine::new(parts).unwrap()),
            said,
            made: Arc::default(),
        };
        // Most tests are about the search: the book would answer in its place.
        session.say("setoption name BookFile value no_book");
        session
    }

    pub(super) fn say(&mut self, lines: &str) {
        let engine = self.engine.as_mut().unwrap();
        for line in lines.lines() {
            let _ = engine.handle(line);
            if line == "isready" {
                engine.wait_for_answer();
            }
        }
    }

    /// Says something without waiting for anything.
    pub(super) fn shout(&mut self, lines: &str) {
        let engine = self.engine.as_mut().unwrap();
        for line in lines.lines() {
            let _ = engine.handle(line);
        }
    }

    pub(super) fn text(&self) -> String {
        self.said.text()
    }

    /// Waits until a line beginning so was said; that line.
    pub(super) fn hear(&self, beginning: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let text = self.text();
            if let Some(line) = text.lines().rfind(|line| line.starts_with(beginning)) {
                return line.into();
            }
            assert!(Instant::now() < deadline, "no {beginning} in:\n{text}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Says something and hears the answer to it, which must be a new one.
    pub(super) fn ask(&mut self, lines: &str, beginning: &str) -> String {
        let before = self.count(beginning);
        self.say(lines);
        let deadline = Instant::now() + Duration::from_secs(120);
        while self.count(beginning) == before {
            assert!(
                Instant::now() < deadline,
                "no {beginning} in:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        self.hear(beginning)
    }

    pub(super) fn count(&self, beginning: &str) -> usize {
        let text = self.text();
        text.lines()
            .filter(|line| line.starts_with(beginning))
            .count()
    }

    /// Ends the engine.
    pub(super) fn leave(&mut self) {
        self.engine = None;
    }

    /// Ends the engine; everything it has said.
    pub(super) fn end(mut self) -> Vec<Reply> {
        self.leave();
        self.text().lines().filter_map(Reply::read).collect()
    }
}
