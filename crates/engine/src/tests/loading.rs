//! What is heard while files and tables are being prepared, and what a panic leaves.

use super::fake_search::{FakeSearch, UsiSession};
use crate::{EngineSearch, MakeSearchError, SearchFactory};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_search::{Search, SearchControl, SearchListener, SearchRequest, SearchResult};
use tesuji_shogi::{Position, Value};
use tesuji_usi::Reply;

/// Loads only when it is told to, and says when it begins.
struct SlowFactory {
    begun: Sender<()>,
    go_on: Mutex<Receiver<()>>,
}

impl SearchFactory for SlowFactory {
    fn make(
        &self,
        _: &EvalSpec,
        _: &EvalSettings,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        let _ = self.begun.send(());
        // Also goes on when the test is over.
        let _ = self.go_on.lock().unwrap().recv();
        Ok(Box::new(FakeSearch))
    }
}

fn slow() -> (UsiSession, Receiver<()>, Sender<()>) {
    let ((begun, has_begun), (release, go_on)) = (mpsc::channel(), mpsc::channel());
    let factory = SlowFactory {
        begun,
        go_on: Mutex::new(go_on),
    };
    let session = UsiSession::with(Box::new(factory), Path::new("/nowhere"));
    (session, has_begun, release)
}

#[test]
fn quit_is_obeyed_while_files_are_loaded() {
    for line in ["isready", "go infinite"] {
        let (mut session, has_begun, _release) = slow();
        session.shout(line);
        has_begun.recv().unwrap();
        session.shout("quit");
        // Returns although nothing was loaded.
        session.end();
    }
}

#[test]
fn stop_is_answered_while_files_are_loaded() {
    for go in [
        "go infinite",
        "go depth 3",
        "go byoyomi 600000",
        "go ponder byoyomi 1000",
    ] {
        let (mut session, has_begun, release) = slow();
        session.shout(go);
        has_begun.recv().unwrap();
        let best = session.ask("stop", "bestmove");
        assert_ne!(best, "bestmove resign", "{go}");
        release.send(()).unwrap();
        session.say("isready");
        assert_eq!(session.count("bestmove"), 1, "{go}: one answer only");
    }
    // Behind a preparation that takes long, too: in the order of the commands.
    let (mut session, has_begun, release) = slow();
    session.shout("isready\ngo mate infinite\nstop");
    has_begun.recv().unwrap();
    assert_eq!(session.count("checkmate"), 0);
    release.send(()).unwrap();
    session.hear("checkmate");
    let said = session.text();
    assert!(said.find("readyok") < said.find("checkmate"), "{said}");
}

#[test]
fn who_leaves_while_files_are_loaded_answers_in_order_and_then_says_nothing() {
    let (mut session, has_begun, release) = slow();
    session.shout("isready\nposition startpos\ngo nodes 1000\ngo mate infinite\nisready");
    has_begun.recv().unwrap();
    session.shout("quit");
    session.leave();
    let said = session.text();
    let firsts: Vec<_> = said.lines().map(|line| line.split(' ').next()).collect();
    let expected = ["readyok", "bestmove", "checkmate", "readyok"].map(Some);
    assert_eq!(firsts, expected, "{said}");
    release.send(()).unwrap();
    // The worker is gone when nobody can say any more that loading has begun.
    assert!(has_begun.iter().count() <= 1);
    assert_eq!(session.text(), said);
}

#[test]
fn stop_behind_go_is_answered_with_a_move_that_was_searched() {
    let mut session = UsiSession::real();
    session.say("isready\nposition sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    for go in ["go infinite", "go depth 9", "go byoyomi 9000", "go ponder"] {
        for _ in 0..10 {
            let best = session.ask(&format!("{go}\nstop"), "bestmove");
            assert_eq!(best, "bestmove G*5b", "{go}");
        }
    }
    let best = session.ask("multipv 3\ngo infinite\nstop", "bestmove");
    assert_eq!(best, "bestmove G*5b");
}

/// Panics after it has told a line, or at once.
#[derive(Clone)]
struct Broken {
    tells: bool,
    made: Arc<Mutex<usize>>,
}

impl Search for Broken {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        if self.tells {
            FakeSearch.search(request, control, listener);
        }
        panic!("the king is nowhere");
    }
}

impl EngineSearch for Broken {
    fn configure(&mut self, _: usize, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn threads(&self) -> usize {
        usize::MAX
    }

    fn evaluate(&self, _: &Position) -> Value {
        panic!("no evaluation");
    }
}

impl SearchFactory for Broken {
    fn make(
        &self,
        _: &EvalSpec,
        _: &EvalSettings,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        *self.made.lock().unwrap() += 1;
        Ok(Box::new(self.clone()))
    }
}

#[test]
fn a_search_that_panics_is_answered_for_and_reported() {
    for tells in [true, false] {
        let made = Arc::new(Mutex::new(0));
        let factory = Broken {
            tells,
            made: made.clone(),
        };
        let mut session = UsiSession::with(Box::new(factory), Path::new("/nowhere"));
        session.say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        for _ in 0..2 {
            let best = session.ask("go depth 3", "bestmove");
            assert!(!tells || best == "bestmove G*5b", "{best}");
            let report = session.hear("info string error: Tesuji ");
            assert!(report.contains("the king is nowhere"), "{report}");
            assert!(report.contains("position sfen 4k4/9/4P4/"), "{report}");
            let (_, path) = report.split_once("please send ").unwrap();
            std::fs::remove_file(path).unwrap();
        }
        assert_eq!(
            *made.lock().unwrap(),
            2,
            "a broken search is not used again"
        );
        let report = session.ask("eval", "info string error: Tesuji ");
        assert!(report.contains("no evaluation"), "{report}");
        session.say("isready");
        let answers = session.end();
        let bests = answers
            .iter()
            .filter(|reply| matches!(reply, Reply::BestMove(_)));
        assert_eq!(bests.count(), 2);
        assert_eq!(answers.last(), Some(&Reply::ReadyOk));
    }
}

/// Cannot even be made.
struct Unmakeable;

impl SearchFactory for Unmakeable {
    fn make(
        &self,
        _: &EvalSpec,
        _: &EvalSettings,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn EngineSearch>, MakeSearchError> {
        panic!("no search");
    }
}

#[test]
fn a_panic_while_files_are_loaded_is_answered_for_too() {
    let mut session = UsiSession::with(Box::new(Unmakeable), Path::new("/nowhere"));
    for (line, answer) in [("isready", "readyok"), ("go depth 3", "bestmove ")] {
        session.ask(line, answer);
        let report = session.hear("info string error: Tesuji ");
        let (_, path) = report.split_once("please send ").unwrap();
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_line_without_end_is_left_out() {
    let text = [&b"usi\n"[..], &vec![b'x'; 5 << 20], b"\nisready\n"].concat();
    let said = crate::MemoryWriter::default();
    let engine = crate::Engine::new(crate::EngineParts {
        out: Box::new(said.clone()),
        factory: Box::new(super::fake_search::FakeSearchFactory::default()),
        folder: "/nowhere".into(),
    });
    engine.unwrap().run(&text[..]).unwrap();
    let said = said.text();
    assert!(said.contains("error: a line of more than 1048576 bytes is left out"));
    assert!(said.ends_with("readyok\n"), "{said}");
}

#[test]
fn the_memory_is_shared_by_the_table_and_the_threads() {
    let mut session = UsiSession::new();
    session.say("usi_hash 1024\nthreads 2\nisready");
    assert_eq!(session.count("info string"), 0);
    session.say("threads 100\nisready");
    let hint = session.hear("info string");
    assert!(
        hint.contains("USI_Hash 1024 is little for 100 threads"),
        "{hint}"
    );
    assert!(hint.contains("a table of 512 MB"), "{hint}");
}
