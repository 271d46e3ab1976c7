//! A search that does not end in time, and who answers for it.

use super::fake_search::{FakeSearch, UsiSession};
use crate::{EngineSearch, MakeSearchError, SearchFactory};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::{
    NoListener, Search, SearchControl, SearchListener, SearchRequest, SearchResult,
};
use tesuji_shogi::{Position, Value};

/// Thinks quickly, but hears neither clock nor `stop` until it is released.
#[derive(Clone, Default)]
struct Late {
    tells: bool,
    released: Arc<AtomicBool>,
}

impl Search for Late {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        let listener = if self.tells {
            listener
        } else {
            &mut NoListener
        };
        let best = FakeSearch.search(request, control, listener);
        while !self.released.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        best
    }
}

impl EngineSearch for Late {
    fn configure(&mut self, _: usize, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn threads(&self) -> usize {
        usize::MAX
    }

    fn evaluate(&self, pos: &Position) -> Value {
        FakeSearch.evaluate(pos)
    }
}

impl SearchFactory for Late {
    fn make(
        &self,
        _: &EvalSpec,
        _: &EvalSettings,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        Ok(Box::new(self.clone()))
    }
}

fn session(tells: bool) -> (UsiSession, Arc<AtomicBool>) {
    let late = Late {
        tells,
        released: Arc::default(),
    };
    let released = late.released.clone();
    (
        UsiSession::with(Box::new(late), Path::new("/nowhere")),
        released,
    )
}

const MATE_IN_ONE: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

#[test]
fn the_best_line_told_is_answered_when_the_clock_runs_out() {
    for go in ["go movetime 50", "go byoyomi 60", "go ponder byoyomi 60"] {
        let (mut session, released) = session(true);
        session.say("isready");
        let hit = if go.contains("ponder") {
            "\nponderhit"
        } else {
            ""
        };
        let answer = session.ask(&format!("{MATE_IN_ONE}\n{go}{hit}"), "bestmove");
        assert_eq!(answer, "bestmove G*5b", "{go}");
        let before = session.text();
        released.store(true, Relaxed);
        // What comes late is not told.
        let next = session.ask("go depth 2", "bestmove");
        assert_eq!(next, "bestmove G*5b");
        assert!(session.text().starts_with(&before));
        assert_eq!(session.count("bestmove"), 2);
    }
}

#[test]
fn any_legal_move_is_better_than_none() {
    let (mut session, released) = session(false);
    session.say("isready");
    let answer = session.ask("position startpos\ngo movetime 20", "bestmove");
    let mv = answer.strip_prefix("bestmove ").unwrap().parse().unwrap();
    assert!(Position::start().is_legal(mv));
    let only = session.ask("go movetime 20 searchmoves 5g5f", "bestmove");
    assert_eq!(only, "bestmove 5g5f", "asked while the first is not done");
    released.store(true, Relaxed);
}

#[test]
fn without_a_clock_nobody_answers_for_it() {
    let (mut session, released) = session(true);
    session.say("isready\nposition startpos\ngo depth 1");
    session.hear("info depth 1");
    std::thread::sleep(Duration::from_millis(150));
    assert_eq!(session.count("bestmove"), 0);
    released.store(true, Relaxed);
    session.hear("bestmove");
}
