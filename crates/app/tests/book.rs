//! `tesuji book`, as people type it.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .arg("book")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program can be started")
}

fn text(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// Runs and expects an exit code.
fn expect(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = run(folder, arguments);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

const TYPED: &str = "\
# mine
7g7f 3c3d 2g2f 8c8d =30 @9
▲７六歩 △８四歩 *3
2g2f 8c8d resign
";

#[test]
fn a_typed_book_goes_through_every_format_and_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("mine.book"), TYPED).unwrap();
    for extension in ["db", "ybb", "bin", "sbk", "tbk", "sqlite", "book"] {
        let file = format!("out.{extension}");
        expect(folder, &["export", "mine.book", "-o", &file], 0);
        let seen = expect(folder, &["probe", &file, "--moves", "7g7f"], 0);
        assert!(seen.contains("3c3d") && seen.contains("8c8d"), "{seen}");
        expect(folder, &["probe", &file, "--moves", "9g9f"], 1);
        expect(folder, &["check", &file], 0);
        expect(folder, &["stats", &file, "--json"], 0);
    }
    let tree = expect(folder, &["show", "out.db", "--depth", "3"], 0);
    assert!(
        tree.contains("├─ 7g7f") && tree.contains("▲２六歩"),
        "{tree}"
    );
    expect(folder, &["merge", "out.db", "mine.book", "-o", "two.db"], 0);
    let merged = std::fs::read_to_string(folder.join("two.db")).unwrap();
    assert!(merged.contains("8c8d none 0 0 6\n"), "{merged}");
}

#[test]
fn wrong_books_are_refused_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("bad.book"), "7g7f\n7g7f 3c3e\n").unwrap();
    let said = expect(folder, &["export", "bad.book", "-o", "out.db"], 2);
    assert!(
        said.contains("bad.book:2: 3c3e cannot be played here"),
        "{said}"
    );
    assert!(!folder.join("out.db").exists());
    let said = expect(folder, &["export", "bad.book", "-o", "out.db", "--skip"], 0);
    assert!(said.contains("skipped: bad.book: line 2"), "{said}");
    std::fs::write(folder.join("bad.ybb"), "no book").unwrap();
    let said = expect(folder, &["stats", "bad.ybb"], 2);
    assert!(
        said.contains("bad.ybb: ") && said.contains("not a .ybb book"),
        "{said}"
    );
    std::fs::write(folder.join("bad.sqlite"), "no book").unwrap();
    for verb in ["stats", "extend"] {
        let said = expect(folder, &[verb, "bad.sqlite"], 2);
        assert!(said.contains("not a book in SQLite"), "{said}");
    }
    let left = std::fs::read_to_string(folder.join("bad.sqlite")).unwrap();
    assert_eq!(left, "no book");
    let said = expect(folder, &["stats", "bad.txt"], 2);
    assert!(said.contains("expected .db"), "{said}");
    std::fs::write(folder.join("bad.db"), "sfen startpos\n7g7e\n").unwrap();
    let said = expect(folder, &["check", "bad.db"], 1);
    assert!(said.contains("7g7e is illegal"), "{said}");
}

#[test]
fn values_are_carried_to_the_start_and_books_pruned() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let book = "7g7f =100 @5\n7g7f 3c3d =80 @5\n2g2f =20 @5\n";
    std::fs::write(folder.join("in.book"), book).unwrap();
    expect(folder, &["minimax", "in.book", "-o", "out.db"], 0);
    let out = std::fs::read_to_string(folder.join("out.db")).unwrap();
    // After 7g7f White has a move worth 80: the first move is 2g2f now.
    assert!(
        out.contains("2g2f none 20 0 1\n7g7f none -80 1 2\n"),
        "{out}"
    );
    expect(
        folder,
        &["minimax", "in.book", "-o", "fold.ybb", "--fold", "--shrink"],
        0,
    );
    expect(
        folder,
        &["prune", "out.db", "-o", "small.db", "--best", "black"],
        0,
    );
    let small = std::fs::read_to_string(folder.join("small.db")).unwrap();
    assert!(small.contains("2g2f") && !small.contains("7g7f"), "{small}");
}

#[test]
fn games_become_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d\nstartpos moves 7g7e\n";
    std::fs::write(folder.join("games.usi"), games).unwrap();
    let said = expect(
        folder,
        &["from-games", "games.usi", "-o", "games.db", "--plies", "2"],
        0,
    );
    assert!(said.contains("2 games, 1 skipped"), "{said}");
    let book = std::fs::read_to_string(folder.join("games.db")).unwrap();
    assert!(
        book.contains("7g7f none 0 0 2\n") && !book.contains("2g2f"),
        "{book}"
    );
}

#[test]
fn a_book_grows_by_play_and_by_search_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = |games: &str, book: &str| {
        let arguments = [
            "make",
            book,
            "--budget",
            "100-1k",
            "--games",
            games,
            "--max-moves",
            "30",
            "--hash",
            "1",
            "--black",
            "material",
            "--white",
            "material",
            "--html",
            "page.html",
        ];
        expect(folder, &arguments, 0)
    };
    make("2", "win.tbk");
    let said = make("4", "win.tbk");
    assert!(said.contains("4 games"), "{said}");
    assert!(
        std::fs::read_to_string(folder.join("page.html"))
            .unwrap()
            .contains("<svg")
    );
    // At once or with a break, the games are the same.
    make("4", "again");
    let games = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(
        games("win.tbk.games.jsonl"),
        games("again.sqlite.games.jsonl")
    );
    expect(folder, &["check", "win.tbk"], 0);
    expect(folder, &["check", "again.sqlite"], 0);
    // The log and the tables hold the same book, and the same seed makes the same one again.
    make("4", "third.sqlite");
    let written = ["win.tbk", "again.sqlite", "third.sqlite"].map(|book| {
        expect(folder, &["export", book, "-o", "out.db"], 0);
        games("out.db")
    });
    assert_eq!(written[0], written[1]);
    assert_eq!(written[1], written[2]);
    for _ in 0..2 {
        let arguments = [
            "extend",
            "all.sqlite",
            "--positions",
            "3",
            "--nodes",
            "200",
            "--engine",
            "material",
            "--hash",
            "1",
        ];
        expect(folder, &arguments, 0);
    }
    let stats = expect(folder, &["stats", "all.sqlite", "--json"], 0);
    assert!(stats.contains("\"positions\":6"), "{stats}");
}

#[test]
fn games_of_another_book_start_seed_or_rule_are_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = |book: &str, more: &[&str], code: i32| {
        let common =
            "--budget 20-50 --games 2 --max-moves 8 --hash 1 --black material --white material";
        let mut arguments = vec!["make", book];
        arguments.extend(common.split(' '));
        arguments.extend(more);
        expect(folder, &arguments, code)
    };
    make("win.sqlite", &[], 0);
    let said = make("win.tbk", &[], 0);
    assert!(said.contains("2 games"), "another book: {said}");
    let said = make("win.tbk", &["--seed", "2"], 2);
    assert!(said.contains("--seed 1, not 2"), "{said}");
    let said = make("win.tbk", &["--repetition", "draw"], 2);
    assert!(said.contains("--repetition black, not draw"), "{said}");
    let mut start = tesuji_shogi::Position::start();
    start.play("7g7f".parse().unwrap());
    std::fs::write(folder.join("start.sfen"), start.to_sfen()).unwrap();
    let said = make("win.tbk", &["--start", "start.sfen"], 2);
    assert!(said.contains("begin at other positions"), "{said}");
    std::fs::remove_file(folder.join("win.tbk")).unwrap();
    let said = make("win.tbk", &[], 2);
    assert!(said.contains("which is empty"), "{said}");
    assert!(!folder.join("win.tbk").exists());
    // Without its games a book still knows by which rule it was made.
    std::fs::remove_file(folder.join("win.sqlite.games.jsonl")).unwrap();
    let said = make("win.sqlite", &["--repetition", "draw"], 2);
    assert!(said.contains("begun with --repetition black"), "{said}");
    // Who cannot play leaves nothing behind.
    let said = expect(folder, &["make", "new.sqlite", "--white", "./nosuch"], 2);
    assert!(said.contains("nosuch"), "{said}");
    assert!(!folder.join("new.sqlite").exists());
    assert!(!folder.join("new.sqlite.games.jsonl").exists());
}

#[test]
fn many_threads_and_an_engine_in_a_process_make_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = format!(
        "'{}' usi option.USI_OwnBook=false option.USI_Hash=1 option.EvalFile=material",
        env!("CARGO_BIN_EXE_tesuji")
    );
    let arguments = [
        "make",
        "win.tbk",
        "--budget",
        "50-200",
        "--games",
        "4",
        "--max-moves",
        "12",
        "--hash",
        "1",
        "--threads",
        "2",
        "--black",
        "material",
        "--white",
        &engine,
        "--mate-nodes",
        "50",
    ];
    let said = expect(folder, &arguments, 0);
    assert!(said.contains("games"), "{said}");
    let games = std::fs::read_to_string(folder.join("win.tbk.games.jsonl")).unwrap();
    // The first line says how they were played; each thread ends the game it is in.
    assert!((5..=6).contains(&games.lines().count()), "{games}");
    expect(folder, &["check", "win.tbk"], 0);
}

#[test]
fn a_mate_is_stored_as_proven() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let start = folder.join("mate.sfen");
    std::fs::write(&start, "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1\n").unwrap();
    let arguments = [
        "make",
        "mate.sqlite",
        "--start",
        "mate.sfen",
        "--budget",
        "50",
        "--games",
        "1",
        "--hash",
        "1",
        "--black",
        "material",
        "--white",
        "material",
    ];
    let said = expect(folder, &arguments, 0);
    assert!(said.contains("1 games"), "{said}");
    let stats = expect(folder, &["stats", "mate.sqlite", "--json"], 0);
    assert!(stats.contains("\"proven_wins\":1"), "{stats}");
    let said = expect(
        folder,
        &[
            "challenge",
            "mate.sqlite",
            "--start",
            "mate.sfen",
            "--games",
            "3",
            "--budget",
            "50",
            "--engine",
            "material",
            "--hash",
            "1",
        ],
        0,
    );
    assert!(said.contains("Black with the book: 3 won"), "{said}");
    let said = expect(folder, &["challenge", "mate.sqlite", "--side", "both"], 2);
    assert!(said.contains("expected black or white"), "{said}");
}

/// Starts the program ten times and kills it at a random moment; after each time the book opens, is
/// sound, and has lost nothing that it had.
fn survives_kills(book: &str, arguments: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut dice = fastrand::Rng::with_seed(7);
    let mut known = 0;
    for round in 0..10 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .arg("book")
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        std::thread::sleep(Duration::from_millis(dice.u64(100..900)));
        child.kill().expect("it runs until it is killed");
        child.wait().expect("it was started here");
        if !folder.join(book).exists() {
            continue;
        }
        expect(folder, &["check", book], 0);
        let stats = expect(folder, &["stats", book, "--json"], 0);
        let stats: serde_json::Value = serde_json::from_str(&stats).expect("JSON");
        let count = |name: &str| stats[name].as_u64().expect("a number");
        let facts = count("moves") + count("challenges");
        assert!(facts >= known, "round {round}: {facts} of {known} facts");
        known = facts;
    }
    // On a slow machine ten short lives may add nothing; one more that may end does.
    let mut last = arguments.to_vec();
    *last.last_mut().expect("the limit comes last") = "1";
    expect(folder, &last, 0);
    expect(folder, &["check", book], 0);
}

fn make_survives_kills(book: &str) {
    survives_kills(
        book,
        &[
            "make",
            book,
            "--budget",
            "20-100",
            "--max-moves",
            "20",
            "--hash",
            "1",
            "--black",
            "material",
            "--white",
            "material",
            "--games",
            "1000000",
        ],
    );
}

#[test]
fn a_book_in_the_making_survives_ten_kills() {
    make_survives_kills("win.sqlite");
}

#[test]
fn a_log_in_the_making_survives_ten_kills() {
    make_survives_kills("win.tbk");
}

fn extend_survives_kills(book: &str) {
    survives_kills(
        book,
        &[
            "extend",
            book,
            "--nodes",
            "100",
            "--engine",
            "material",
            "--hash",
            "1",
            "--positions",
            "1000000",
        ],
    );
}

#[test]
fn a_book_that_is_extended_survives_ten_kills() {
    extend_survives_kills("all.sqlite");
}

#[test]
fn a_log_that_is_extended_survives_ten_kills() {
    extend_survives_kills("all.tbk");
}

#[test]
fn moves_of_games_are_valued_and_results_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = "startpos moves 7g7f 3c3d resign\nstartpos moves 7g7f 8c8d 2g2f resign\n";
    std::fs::write(folder.join("games.usi"), games).unwrap();
    expect(folder, &["from-games", "games.usi", "-o", "games.tbk"], 0);
    let fill = [
        "extend",
        "games.tbk",
        "--fill",
        "--nodes",
        "100",
        "--engine",
        "material",
        "--hash",
        "1",
    ];
    let said = expect(folder, &fill, 0);
    assert!(said.contains("2 positions searched"), "{said}");
    let rows = expect(folder, &["probe", "games.tbk", "--json"], 0);
    let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    assert_eq!(row["count"], 2);
    assert_eq!((&row["won"], &row["lost"]), (&1.into(), &1.into()));
    expect(folder, &["minimax", "games.tbk", "-o", "valued.tbk"], 0);
    let rows = expect(
        folder,
        &["probe", "valued.tbk", "--json", "--moves", "7g7f"],
        0,
    );
    assert_eq!(rows.lines().count(), 2);
    let shown = expect(folder, &["show", "builtin", "--depth", "2"], 0);
    assert!(shown.contains("└─"), "{shown}");
}

#[test]
fn what_is_pruned_stays_whole_and_nothing_left_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let start = tesuji_shogi::Position::start().to_sfen();
    let text = format!("sfen {start}\n7g7f 3c3d 40000 9 2 good\n2g2f none -900 9 1\n");
    std::fs::write(folder.join("in.db"), text).unwrap();
    expect(
        folder,
        &["prune", "in.db", "-o", "out.db", "--margin", "99"],
        0,
    );
    let pruned = std::fs::read_to_string(folder.join("out.db")).unwrap();
    assert!(pruned.ends_with("7g7f 3c3d 40000 9 2 good\n"), "{pruned}");
    let elsewhere = "4k4/9/4P4/9/9/9/9/9/4K4 b - 1";
    std::fs::write(folder.join("far.db"), format!("sfen {elsewhere}\n5c5b+\n")).unwrap();
    let said = expect(folder, &["prune", "far.db", "-o", "no.db"], 2);
    assert!(said.contains("--from says where"), "{said}");
    assert!(!folder.join("no.db").exists());
    expect(
        folder,
        &["prune", "far.db", "-o", "no.db", "--from", elsewhere],
        0,
    );
    // A format without positions is read from where it begins.
    expect(folder, &["export", "far.db", "-o", "far.bin"], 0);
    let said = expect(folder, &["export", "far.bin", "-o", "back.db"], 2);
    assert!(
        said.contains("1 moves of positions that no move leads to"),
        "{said}"
    );
    let from = ["export", "far.bin", "-o", "back.db", "--from", elsewhere];
    expect(folder, &from, 0);
    // What is written behind moves survives new values.
    expect(folder, &["minimax", "in.db", "-o", "values.db"], 0);
    let valued = std::fs::read_to_string(folder.join("values.db")).unwrap();
    assert!(valued.contains(" good\n"), "{valued}");
}

#[test]
fn a_store_that_grew_is_replaced_only_when_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("mine.book"), TYPED).unwrap();
    for store in ["w.sqlite", "w.tbk"] {
        expect(folder, &["export", "mine.book", "-o", store], 0);
        for verb in ["export", "merge", "minimax", "prune"] {
            let said = expect(folder, &[verb, "mine.book", "-o", store], 2);
            assert!(said.contains("--force replaces it"), "{said}");
        }
        expect(folder, &["export", "mine.book", "-o", store, "--force"], 0);
        let (open, _) = tesuji_book::open_store(&folder.join(store), &mut |_| ()).unwrap();
        let said = expect(folder, &["export", "mine.book", "-o", store, "--force"], 2);
        assert!(said.contains("another program writes to it"), "{said}");
        drop(open);
    }
}

#[test]
fn mistakes_are_told_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for arguments in [
        &["extend", "e.sqlite", "--engine", "./nosuch"][..],
        &["make", "e.sqlite", "--wins", "0"],
        &["make", "e.sqlite", "--games", "0"],
        &["challenge", "e.sqlite", "--games", "0"],
    ] {
        expect(folder, arguments, 2);
        assert_eq!(
            std::fs::read_dir(folder).unwrap().count(),
            0,
            "{arguments:?}"
        );
    }
}
