//! Tuning from the command line: killed and gone on, simulated, refused.

mod common;

use common::assert_refused;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn tesuji(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("tune").args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    tesuji(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

const OPENINGS: &str =
    "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\nstartpos moves 7g7f 8c8d\n";

/// A short tuning with its files in a folder.
fn arguments(folder: &Path) -> Vec<String> {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    std::fs::write(folder.join("openings.sfen"), OPENINGS).expect("a file can be written");
    let words = [
        ("--params", "razor_*,qsearch_see".into()),
        ("--eval", "material".into()),
        ("--tc", "nodes=40".into()),
        ("--games", "48".into()),
        ("--batch", "2".into()),
        ("--concurrency", "2".into()),
        ("--max-moves", "30".into()),
        ("--hash", "1".into()),
        ("--openings", path("openings.sfen")),
        ("--journal", path("tune.jsonl")),
        ("--html", path("tune.html")),
        ("--patch", path("tune.diff")),
    ];
    let words = words.into_iter();
    words
        .flat_map(|(name, value)| [name.to_owned(), value])
        .chain(["--json".into()])
        .collect()
}

fn finished(folder: &Path) -> (String, String) {
    let arguments = arguments(folder);
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let journal = std::fs::read_to_string(folder.join("tune.jsonl")).expect("a journal");
    (text(&output.stdout), journal)
}

#[test]
fn a_tuning_that_is_killed_ends_like_one_that_is_not() {
    let [whole, killed] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    let expected = finished(whole.path());
    assert_eq!(
        expected.1.lines().count(),
        1 + 12,
        "a header, an iteration a line"
    );
    let arguments = arguments(killed.path());
    let journal = killed.path().join("tune.jsonl");
    for lines in [2, 5] {
        let mut command = tesuji(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Killed without warning, as soon as it has written some lines.
        let written = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
        while written() < lines {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // And in the middle of a line.
        let mut torn = std::fs::read(&journal).unwrap();
        torn.extend(b"{\"number\":");
        std::fs::write(&journal, torn).unwrap();
    }
    assert_eq!(finished(killed.path()), expected);
    let page = std::fs::read_to_string(killed.path().join("tune.html")).unwrap();
    assert_eq!(page.matches("<polyline").count(), 3);
    assert!(!page.contains("http-equiv"), "it is over");
    let patch = std::fs::read_to_string(killed.path().join("tune.diff")).unwrap();
    assert!(patch.is_empty() || patch.starts_with("--- a/crates/search/src/params.rs\n"));
    for line in expected.0.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(row["name"].is_string() && row["result"].is_i64(), "{row}");
    }
}

#[test]
fn the_journal_of_another_tuning_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = arguments(folder.path());
    let games = words.iter().position(|word| word == "48").unwrap();
    words[games] = "4".into();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(run(&words).status.code(), Some(0));
    let before = std::fs::read(folder.path().join("tune.jsonl")).unwrap();
    let other = run(&[&words[..], &["--seed", "7"]].concat());
    assert_refused(&other, "belongs to another tuning (the seeds differ)");
    assert_eq!(
        std::fs::read(folder.path().join("tune.jsonl")).unwrap(),
        before
    );
}

#[test]
fn a_simulation_finds_what_is_hidden() {
    for (method, params, games) in [
        ("spsa", "razor_*,rfp_*", "8000"),
        ("clop", "razor_*", "3000"),
    ] {
        let output = run(&[
            "--params",
            params,
            "--method",
            method,
            "--games",
            games,
            "--simulate",
            "60",
            "--runs",
            "4",
            "--batch",
            "8",
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
        assert_eq!(text(&output.stdout).lines().count(), 4);
    }
}

#[test]
fn what_can_be_tuned_is_listed_and_what_cannot_is_refused() {
    let list = text(&run(&["--list", "razor_*"]).stdout);
    assert_eq!(list.lines().count(), 3, "{list}");
    assert!(list.contains("razor_base\t480\t0\t2000\t"));
    let unknown = run(&["--params", "razer", "--simulate", "5"]);
    assert_refused(&unknown, "no parameter fits");
    assert_refused(&run(&["--simulate", "5"]), "say what is to be tuned");
    assert_refused(&run(&["--params", "razor_*"]), "--openings");
    let many = run(&["--params", "lmr_*", "--method", "clop", "--simulate", "5"]);
    assert_refused(&many, "up to 6 parameters");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("group.tsv");
    std::fs::write(&file, "razor_base 480 0 2000 50\nrazor_slope 300\n").unwrap();
    let wrong = run(&["--file", file.to_str().unwrap(), "--simulate", "5"]);
    assert_refused(&wrong, "group.tsv:2: expected `name start");
}
