//! What a script may rely on in `tesuji lab`.

mod common;

use common::assert_refused;
use serde_json::Value;
use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let command = command.arg("lab").args(arguments);
    command.output().expect("the program starts")
}

fn rows(arguments: &[&str]) -> Vec<Value> {
    let output = lab(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    let text = String::from_utf8(output.stdout).expect("lines of JSON");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("lines of JSON"))
        .collect()
}

/// A rook hangs on 2d, and the pawn in hand may be dropped.
const HANGING: &str = "4k4/9/7p1/7r1/7P1/9/9/3R5/4K4 b P 1";

#[test]
fn every_exact_search_says_the_same_on_every_board() {
    let searches = [
        "minimax",
        "negamax",
        "alpha-beta",
        "nega-alpha-beta",
        "fail-soft",
        "pvs",
        "mtdf",
        "deepening",
        "full-width",
        "full-width-mtdf",
    ];
    let mut arguments = vec!["--sfen", HANGING, "--depth", "2"];
    arguments.extend(["--eval", "material", "--eval", "relation"]);
    arguments.extend([
        "--board", "position", "--board", "mailbox", "--board", "scan",
    ]);
    arguments.extend([
        "--table",
        "none",
        "--table",
        "best-move",
        "--table",
        "bounds",
    ]);
    arguments.extend(searches.iter().flat_map(|name| ["--search", name]));
    let rows = rows(&arguments);
    // Six rungs without a table, two rungs and two other searches with three each.
    assert_eq!(rows.len(), 2 * 3 * (6 + 4 * 3));
    for eval in ["material", "relation"] {
        let of_eval = || rows.iter().filter(|row| row["eval"] == eval);
        let done: Vec<&Value> = of_eval().filter(|row| row["refused"].is_null()).collect();
        assert_eq!(done.len(), 3 * 18);
        assert!(
            done.iter().all(|row| row["value"] == done[0]["value"]),
            "{done:?}"
        );
        assert!(done.iter().all(|row| row["best"] == "2e2d"), "{done:?}");
        let nodes = |name: &str| {
            let row = of_eval().find(|row| row["search"] == name);
            row.unwrap()["nodes"].as_u64().unwrap()
        };
        assert!(nodes("alpha-beta") < nodes("minimax"));
        assert_eq!(nodes("fail-soft"), nodes("alpha-beta"));
    }
    let leaf = |board: &str, eval: &str| {
        let row = rows
            .iter()
            .find(|row| row["board"] == board && row["eval"] == eval);
        row.unwrap()["leaf"].clone()
    };
    assert_eq!(leaf("position", "material"), "followed");
    assert_eq!(leaf("scan", "material"), "counted");
    assert_eq!(leaf("mailbox", "relation"), "beside");
}

#[test]
fn what_does_not_go_together_is_refused_with_the_reason() {
    let rows = rows(&["--search", "tournament", "--board", "scan", "--depth", "1"]);
    let why = rows[0]["refused"].as_str().unwrap();
    assert!(why.contains("search=classic takes every board"), "{why}");
    assert!(rows[0]["value"].is_null());
    let output = lab(&["--eval", "relation", "--fv-scale", "24"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn selective_searches_take_part() {
    let rows = rows(&[
        "--sfen",
        HANGING,
        "--depth",
        "4",
        "--halvings",
        "12",
        "--search",
        "realization",
        "--search",
        "realization-mtdf",
        "--search",
        "tournament",
        "--hash",
        "1",
    ]);
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["best"] == "2e2d"), "{rows:?}");
    assert_eq!(rows[0]["value"], rows[1]["value"]);
    assert_eq!(
        (&rows[0]["depth"], &rows[2]["depth"]),
        (&12.into(), &4.into())
    );
}

#[test]
fn a_file_gives_sums_and_bad_input_is_named() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab.sfen");
    std::fs::write(&path, format!("{HANGING}\nstartpos\n")).unwrap();
    let output = lab(&[
        "--file",
        path.to_str().unwrap(),
        "--depth",
        "1",
        "--search",
        "minimax",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    let last: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[..4], ["position", "builtin", "minimax", "2"]);

    for (arguments, message) in [
        (["--search", "guessing"], "guessing"),
        (["--eval", "nnue:/no/such/file"], "/no/such/file"),
        (["--file", "nowhere.sfen"], "nowhere.sfen"),
        (["--depth", "0"], "--depth"),
    ] {
        assert_refused(&lab(&arguments), message);
    }
}
