//! Short sessions, each about one duty of an engine.

use super::fake_search::UsiSession;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tesuji_book::format::write;
use tesuji_book::{BookEntry, BookFormat, BookMove};
use tesuji_shogi::Position;
use tesuji_usi::{BestMove, Reply};

const ENTERED: &str = "position sfen +P+P+P+PK+P+P+P+P/+P+P+R+B5/9/9/9/9/9/9/4k4 b RB 1";
const MATE_IN_ONE: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
const MATED: &str = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";

#[test]
fn it_introduces_itself_before_it_loads_anything() {
    let mut session = UsiSession::new();
    session.say("usi");
    let text = session.text();
    assert!(text.starts_with("id name Tesuji"));
    assert!(text.ends_with("\nusiok\n"));
    assert!(text.contains("\noption name USI_Hash type spin default 256 min 1 max"));
    assert!(text.contains("\noption name EnteringKingRule type combo default CSARule27 var NoEnt"));
    assert!(text.contains("\noption name EvalFile type filename default <empty>\n"));
    assert!(text.contains("\noption name BookFile type string default builtin\n"));
    assert!(
        text.lines()
            .all(|line| !matches!(Reply::read(line), Some(Reply::Text(_))))
    );
    assert_eq!(session.made.load(Ordering::Relaxed), 0);
    session.say("isready");
    assert!(session.text().ends_with("\nreadyok\n"));
    assert_eq!(session.made.load(Ordering::Relaxed), 1);
    session.say("isready");
    assert_eq!(
        session.made.load(Ordering::Relaxed),
        1,
        "nothing changed, nothing is read again"
    );
}

#[test]
fn a_missing_file_is_named_and_the_engine_plays_on() {
    let mut session = UsiSession::new();
    session.say("setoption name EvalFile value no such file.bin\nisready");
    let error = session.hear("info string error: ");
    assert!(error.contains("no such file.bin"), "{error}");
    assert!(session.text().ends_with("readyok\n"));
    assert!(session.ask("go depth 1", "bestmove").len() > "bestmove".len());
    assert_eq!(
        session.count("info string error"),
        1,
        "named once, not at every move"
    );
    session.say("setoption name EvalFile value material\nusi_hash 99999\nisready");
    assert!(session.text().contains("error: no room for a table of 99"));
    assert!(session.ask("go depth 1", "bestmove").len() > "bestmove".len());
    session.say("setoption name BookFile value no.db\nisready");
    assert!(
        session
            .hear("info string error: no.db")
            .contains("without a book")
    );
}

#[test]
#[cfg(unix)]
fn special_files_are_refused_and_the_engine_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for pipe in ["pipe.bin", "pipe.db"] {
        let made = std::process::Command::new("mkfifo")
            .arg(path(pipe))
            .status();
        assert!(made.unwrap().success());
    }
    for sparse in ["sparse.bin", "sparse.db"] {
        let file = std::fs::File::create(path(sparse)).unwrap();
        file.set_len(200 << 30).unwrap();
    }
    let mut session = UsiSession::new();
    session.say("BookOnTheFly false");
    for (option, file, why) in [
        ("EvalFile", path("pipe.bin"), "a named pipe"),
        ("EvalFile", "/dev/zero".into(), "a device"),
        ("EvalFile", path("sparse.bin"), "larger than 1024 MB"),
        ("BookFile", path("pipe.db"), "a named pipe"),
        ("BookFile", "/dev/urandom".into(), "a device"),
        ("BookFile", path("sparse.db"), "larger than 4096 MB"),
        ("BookFile", path(""), "a folder"),
    ] {
        let before = session.text().len();
        session.say(&format!("setoption name {option} value {file}\nisready"));
        let said = session.text().split_off(before);
        assert!(said.contains(why), "{option} {file}: {said}");
        assert!(said.ends_with("readyok\n"), "{said}");
    }
    // What stays on disk is looked at line by line.
    session.say(&format!(
        "BookOnTheFly true\nBookFile {}\nisready",
        path("sparse.db")
    ));
    let best = session.ask("go depth 1", "bestmove");
    assert!(best.len() > "bestmove".len());
    assert!(
        session.text().contains("more than 65536 bytes"),
        "{}",
        session.text()
    );
}

#[test]
fn the_options_file_counts_where_the_gui_said_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# comment\noption name Threads type spin default 3\nMultiPV 2\nSlowMover=50\nX 1\n";
    std::fs::write(folder.path().join("engine_options.txt"), text).unwrap();
    let mut session = UsiSession::within(folder.path());
    session.say("setoption name SlowMover value 70\nisready\ngetoption");
    let text = session.text();
    assert!(text.contains("error: engine_options.txt:5: there is no option X"));
    for line in ["Threads = 3", "MultiPV = 2", "SlowMover = 70"] {
        assert!(text.contains(line), "{line}");
    }
}

#[test]
fn options_can_be_set_in_short() {
    let mut session = UsiSession::new();
    session.say("threads 4\nMULTIPV = 3\nusi_hash=32\nthreads\ngetoption multipv\nusi_hash");
    assert_eq!(session.text(), "Threads = 4\nMultiPV = 3\nUSI_Hash = 32\n");
    session.say("threads 0");
    assert!(
        session
            .hear("info string error: Threads stays 4")
            .contains("from 1 to 512")
    );
    session.say("hello world");
    assert!(
        session
            .text()
            .ends_with("error: unknown command: hello world\n")
    );
}

#[test]
fn an_illegal_move_changes_nothing_before_it() {
    let mut session = UsiSession::new();
    session.say("position startpos moves 7g7f 3c3d 8h3c+ 2b3c 7f7d 5a5b\nd");
    let text = session.text();
    assert!(
        text.contains("move 5, 7f7d, is illegal: the piece cannot move there"),
        "{text}"
    );
    assert!(
        text.contains("\nsfen lnsgkgsnl/1r7/ppppppbpp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b b 5")
    );
    session.say("position sfen nonsense b - 1\nkey\nposition startpos\nkey");
    let text = session.text();
    assert!(text.contains("error: position: "));
    let keys: Vec<_> = text.lines().filter(|line| line.len() == 16).collect();
    assert_eq!(keys.len(), 2);
    assert_ne!(keys[0], keys[1], "the position stayed as it was");
}

#[test]
fn infinite_waits_for_stop_and_ponder_for_the_hit() {
    let mut session = UsiSession::new();
    session.say("go infinite");
    session.hear("info depth 3");
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(session.count("bestmove"), 0);
    session.ask("stop", "bestmove");
    session.say("stop\nstop");
    assert_eq!(session.count("bestmove"), 1);
    session.say("position startpos moves 7g7f\ngo ponder btime 1000 wtime 1000");
    session.hear("info depth 3");
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(session.count("bestmove"), 1);
    session.ask("ponderhit", "bestmove");
    session.say("go ponder");
    session.ask("ponderhit btime 100 wtime 100", "bestmove");
    session.ask("go ponder\nponderhit", "bestmove");
    session.ask("go ponder\ngameover lose", "bestmove");
    session.say("ponderhit");
    assert!(
        session
            .text()
            .ends_with("error: ponderhit, but nothing is pondered\n")
    );
    assert_eq!(
        session
            .end()
            .iter()
            .filter(|r| matches!(r, Reply::BestMove(_)))
            .count(),
        5
    );
}

#[test]
fn a_stochastic_ponder_looks_at_the_other_side_until_the_hit() {
    let mut session = UsiSession::new();
    session.say("setoption name Stochastic_Ponder value true");
    session.say("position startpos moves 7g7f 3c3d\ngo ponder btime 1000 wtime 1000 byoyomi 10");
    session.hear("info depth 3");
    let lines = |session: &UsiSession, beginning: &str| session.text().contains(beginning);
    assert!(
        lines(&session, "pv 3c3d") || lines(&session, "pv 8c8d") || session.text().contains(" pv ")
    );
    let answer = session.ask("ponderhit", "bestmove");
    let mut pos = tesuji_shogi::Position::start();
    for mv in ["7g7f", "3c3d"] {
        pos.play(mv.parse().unwrap());
    }
    match Reply::read(&answer) {
        Some(Reply::BestMove(BestMove::Move { mv, .. })) => assert!(pos.is_legal(mv)),
        other => panic!("{other:?}"),
    }
    assert_eq!(session.count("bestmove"), 1);
    pos.undo();
    let answer = session.ask("go ponder\nstop", "bestmove");
    match Reply::read(&answer) {
        Some(Reply::BestMove(BestMove::Move { mv, .. })) => assert!(pos.is_legal(mv)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn ends_of_games_need_no_search() {
    let mut session = UsiSession::new();
    assert_eq!(
        session.ask(&format!("{MATED}\ngo byoyomi 10"), "bestmove"),
        "bestmove resign"
    );
    assert!(
        session
            .text()
            .contains("info depth 0 score mate -1 pv resign")
    );
    assert_eq!(
        session.ask(&format!("{ENTERED}\ngo byoyomi 10"), "bestmove"),
        "bestmove win"
    );
    assert!(session.text().contains("info depth 0 score mate 1 pv win"));
    session.say("setoption name EnteringKingRule value NoEnteringKing");
    assert_ne!(session.ask("go depth 1", "bestmove"), "bestmove win");
    let lost = "position sfen 4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G 2";
    assert_ne!(
        session.ask(&format!("{lost}\ngo depth 1"), "bestmove"),
        "bestmove resign"
    );
    session.say("setoption name ResignValue value 3000");
    assert_eq!(session.ask("go depth 1", "bestmove"), "bestmove resign");
    session.say("setoption name USI_AnalyseMode value true");
    assert_ne!(session.ask("go depth 1", "bestmove"), "bestmove resign");
}

#[test]
fn mates_are_answered_with_their_lines() {
    let mut session = UsiSession::new();
    let answer = session.ask(&format!("{MATE_IN_ONE}\ngo mate infinite"), "checkmate");
    assert_eq!(answer, "checkmate G*5b");
    let told = session.hear("info depth");
    for word in [
        " nodes ",
        " time ",
        " nps ",
        " hashfull ",
        " score mate 1 ",
        " pv G*5b",
    ] {
        assert!(told.contains(word), "{word} in {told}");
    }
    let answer = session.ask("position startpos\ngo mate 10000", "checkmate");
    assert_eq!(answer, "checkmate nomate");
    let three = "position sfen 7kl/7p1/8+P/7N1/9/9/9/9/9 b GS 1";
    let answer = session.ask(&format!("{three}\ngo mate infinite"), "checkmate");
    assert!(
        answer.split_whitespace().count().is_multiple_of(2),
        "{answer}"
    );
    let answer = session.ask("go mate 1000 nodes 1", "checkmate");
    assert_eq!(answer, "checkmate timeout");
    let kingless = "position sfen 9/9/9/9/9/9/9/9/4K4 b G 1";
    let answer = session.ask(&format!("{kingless}\ngo mate 10"), "checkmate");
    assert_eq!(answer, "checkmate notimplemented");
    assert_eq!(session.count("bestmove"), 0);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut session = UsiSession::new();
    let answer = session.ask("go depth 2 searchmoves 9g9f", "bestmove");
    assert!(answer.starts_with("bestmove 9g9f"));
    session.ask("go depth 1 searchmoves 9g9e", "bestmove");
    assert!(session.text().contains("searchmoves: 9g9e is illegal"));
}

/// Thinks for long; what it said about the moves it was at must be true and rare.
fn it_tells_the_move_it_is_at(lines: usize) {
    let pos = Position::start();
    let mut session = UsiSession::real();
    let asked = Instant::now();
    session.say(&format!("multipv {lines}\ngo infinite"));
    while session.text().matches(" currmove ").count() < 3 {
        assert!(asked.elapsed() < Duration::from_secs(120), "never told");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(asked.elapsed() > Duration::from_millis(3500), "too often");
    session.ask("stop", "bestmove");
    for reply in session.end() {
        let Reply::Info(info) = reply else { continue };
        assert_eq!(info.currmove.is_some(), info.currmovenumber.is_some());
        let (Some(mv), Some(number)) = (info.currmove, info.currmovenumber) else {
            continue;
        };
        assert!(pos.is_legal(mv), "{mv}");
        assert!((1..=30).contains(&number), "{number}");
        assert!(info.depth.is_some() && info.score.is_none() && info.pv.is_empty());
    }
}

#[test]
fn a_long_search_tells_the_move_it_is_at() {
    it_tells_the_move_it_is_at(1);
}

#[test]
fn a_long_search_for_several_lines_tells_the_move_it_is_at() {
    it_tells_the_move_it_is_at(3);
}

#[test]
fn the_book_is_played_and_files_of_commands_are_run() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("own.db");
    let start = tesuji_shogi::Position::start().to_sfen();
    std::fs::write(&book, format!("sfen {start}\r\n9g9f 3c3d 12 20\r\n")).unwrap();
    let script = folder.path().join("script.txt");
    let set = format!("setoption name BookFile value {}", book.display());
    std::fs::write(
        &script,
        format!("{set}\ngo depth 1\ngo infinite\nstop\ngo perft 2"),
    )
    .unwrap();
    let mut session = UsiSession::new();
    session.say(&format!("f {}\nf no-such-file", script.display()));
    let text = session.text();
    assert!(text.contains("score cp 12"), "{text}");
    assert!(text.contains("\nbestmove 9g9f ponder 3c3d\n"), "{text}");
    assert!(text.contains("\nNodes searched: 900\n"), "{text}");
    assert!(text.contains("error: no-such-file: "), "{text}");
    assert_eq!(
        session.count("bestmove"),
        2,
        "an endless search asks no book and waits for stop"
    );
}

#[test]
fn the_book_inside_the_program_is_played_unless_it_is_turned_off() {
    let mut session = UsiSession::new();
    session.say("setoption name BookFile value builtin\nisready\ngo depth 1");
    session.hear("info string a move of the book");
    for off in ["BookFile value no_book", "USI_OwnBook value false"] {
        let mut session = UsiSession::new();
        session.say("setoption name BookFile value builtin");
        session.say(&format!("setoption name {off}\nisready\ngo depth 1"));
        session.hear("bestmove");
        assert!(!session.text().contains("a move of the book"), "{off}");
    }
}

#[test]
fn the_bench_prints_its_signature() {
    let mut session = UsiSession::new();
    let signature = session.ask("bench 1", "Nodes searched  : ");
    assert_eq!(session.ask("bench 1", "Nodes searched  : "), signature);
    session.say("go perft 99\nstop");
    session.hear("info string perft stopped");
    session.say("eval");
    assert_eq!(session.hear("eval"), "eval 0 for the side to move");
}

#[test]
fn a_wrong_or_empty_book_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("own.db");
    let start = tesuji_shogi::Position::start().to_sfen();
    std::fs::write(&book, format!("sfen {start}\n7g7f\nnonsense\n")).unwrap();
    let mut session = UsiSession::new();
    let place = book.display();
    session.say(&format!("setoption name BookFile value {place}\nisready"));
    let said = session.hear(&format!("info string {place}:3: "));
    assert!(said.contains("\"nonsense\" is not a move"), "{said}");
    std::fs::write(&book, "").unwrap();
    session.say("isready");
    let said = session.hear(&format!("info string error: {place}: "));
    assert!(said.contains("there is no position in it"), "{said}");
}

#[test]
fn a_book_of_games_is_followed_where_it_wins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("win.tbk");
    let start = tesuji_shogi::Position::start();
    let mut after = start.clone();
    after.play("9g9f".parse().unwrap());
    let after = after.setup().build().unwrap();
    let moves = ["7g7f", "9g9f"].map(|mv| BookMove::new(mv.parse().unwrap()));
    let entries = [
        BookEntry::new(start, moves.into()),
        BookEntry::new(after, vec![BookMove::resign()]),
    ];
    write(&path, BookFormat::Store, entries.into_iter().map(Ok)).unwrap();
    let set = format!("setoption name BookFile value {}", path.display());
    let mut session = UsiSession::new();
    session.say(&set);
    for _ in 0..8 {
        let best = session.ask("usinewgame\nposition startpos\ngo depth 1", "bestmove");
        assert!(best.starts_with("bestmove 9g9f"), "{best}");
    }
}

#[test]
fn a_book_that_is_too_shallow_or_illegal_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("own.db");
    let start = tesuji_shogi::Position::start().to_sfen();
    std::fs::write(&book, format!("sfen {start}\n7g7e\n9g9f none 12 3\n")).unwrap();
    let mut session = UsiSession::new();
    let place = book.display();
    session.say(&format!("setoption name BookFile value {place}\nisready"));
    for _ in 0..2 {
        session.ask("go depth 1", "bestmove");
    }
    let text = session.text();
    assert_eq!(
        text.matches("BookDepthLimit 16 passes over it").count(),
        1,
        "{text}"
    );
    assert!(text.contains("cannot be played: 7g7e in "), "{text}");
}
