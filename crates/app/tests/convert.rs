//! What a script may rely on when it converts: exit codes, whole files, messages with lines.

mod common;

use common::assert_refused;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn convert(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("convert").args(arguments);
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/records");
    folder.join(name).to_str().expect("a plain path").into()
}

/// A file that is not there yet.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn a_record_goes_through_every_format_and_comes_back() {
    let first = fresh("round.csa");
    let output = convert(&[&fixture("plain.kif"), first.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "1 read, 1 written, 0 skipped\n1 hold more than the new format can\n"
    );
    let mut last = first.clone();
    for name in [
        "round.jkf",
        "round.kif",
        "round.kifu",
        "round.csa3",
        "round2.csa",
    ] {
        let next = fresh(name);
        let output = convert(&[last.to_str().unwrap(), next.to_str().unwrap()]);
        assert_eq!(
            text(&output.stdout),
            "1 read, 1 written, 0 skipped\n",
            "{name}"
        );
        last = next;
    }
    assert_eq!(
        std::fs::read(&first).unwrap(),
        std::fs::read(&last).unwrap()
    );
}

#[test]
fn standard_streams_and_json() {
    let output = convert(&[
        "--from",
        "csa",
        "--to",
        "usi",
        "--json",
        &fixture("two_games.csa"),
        "-",
    ]);
    assert_eq!(
        text(&output.stdout),
        "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n"
    );
    let counts: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(
        (&counts["read"], &counts["written"]),
        (&2.into(), &2.into())
    );
}

#[test]
fn games_become_data_and_data_games() {
    let psv = fresh("data.psv");
    let output = convert(&[&fixture("v3.csa"), psv.to_str().unwrap()]);
    assert_eq!(text(&output.stdout), "1 read, 2 written, 0 skipped\n");
    assert_eq!(std::fs::metadata(&psv).unwrap().len(), 80);
    for (from, to) in [
        ("data.psv", "data.sbinpack"),
        ("data.sbinpack", "data.hcpe"),
        ("data.hcpe", "data.usi"),
    ] {
        let from = Path::new(env!("CARGO_TARGET_TMPDIR")).join(from);
        let to = fresh(to);
        let output = convert(&[from.to_str().unwrap(), to.to_str().unwrap()]);
        assert!(
            text(&output.stdout).starts_with("2 read, 2 written"),
            "{}",
            text(&output.stderr)
        );
    }
    let hcpe3 = fresh("data.hcpe3");
    convert(&[&fixture("two_games.csa"), hcpe3.to_str().unwrap()]);
    let output = convert(&["--to", "csa", hcpe3.to_str().unwrap(), "-"]);
    assert!(
        text(&output.stdout).ends_with("-8384FU\n'** 0\n%SENNICHITE\n"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn bad_input_writes_nothing() {
    let bad = fresh("bad.csa");
    std::fs::write(&bad, "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+7775FU\n").unwrap();
    let bad = bad.to_str().unwrap();
    let out = fresh("bad.kif");
    let output = convert(&[bad, out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let expected =
        format!("tesuji: {bad}: line 8: \"+7775FU\" is illegal: the piece cannot move there\n");
    assert_eq!(text(&output.stderr), expected);
    assert!(!out.exists());

    let output = convert(&["--skip", bad, out.to_str().unwrap()]);
    assert_eq!(text(&output.stdout), "1 read, 1 written, 1 skipped\n");
    assert!(out.exists());

    let unfinished = fixture("no_turn.csa");
    let cases = [
        (
            vec!["--to", "psv", &unfinished, "-"],
            "record 1: the game has no result",
        ),
        (
            vec![bad, "out.xyz"],
            "the extension does not tell the format: say --to FORMAT",
        ),
        (vec!["nowhere.csa", "out.kif"], "nowhere.csa: "),
        (vec!["--to", "nothing", bad, "-"], "no such format"),
    ];
    for (arguments, message) in cases {
        assert_refused(&convert(&arguments), message);
    }
}

#[test]
fn positions_stay_positions() {
    let psv = fresh("stay.psv");
    convert(&[&fixture("v3.csa"), psv.to_str().unwrap()]);
    let output = convert(&["--to", "csa", psv.to_str().unwrap(), "-"]);
    assert_refused(&output, "positions cannot become games");
    // Half a record at the end.
    let cut = fresh("cut.psv");
    std::fs::write(&cut, &std::fs::read(&psv).unwrap()[..79]).unwrap();
    let output = convert(&[cut.to_str().unwrap(), fresh("cut.hcpe").to_str().unwrap()]);
    assert!(
        text(&output.stderr).contains("record 2: 39 bytes are left"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn check_compares_every_format() {
    let output = convert(&["--check", &fixture("nested.kifu")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    for format in ["csa", "csa3", "kif", "ki2", "jkf", "usi", "hcpe3", "pack"] {
        let row = stdout
            .lines()
            .find(|line| line.split(' ').next() == Some(format));
        assert!(
            row.is_some_and(|row| row.contains(" 1 the same ")),
            "{format}: {stdout}"
        );
    }
    assert!(stdout.ends_with("1 read, 0 skipped\n"));
}

#[test]
fn an_empty_input_leaves_a_good_output_as_it_is() {
    let empty = fresh("empty.csa");
    std::fs::write(&empty, "").unwrap();
    let (empty, out) = (empty.to_str().unwrap(), fresh("kept.kif"));
    convert(&[&fixture("two_games.csa"), out.to_str().unwrap()]);
    let good = std::fs::read(&out).unwrap();
    assert!(!good.is_empty());
    let output = convert(&[empty, out.to_str().unwrap()]);
    assert_refused(&output, "empty.csa: there is no game or position in it");
    assert_eq!(std::fs::read(&out).unwrap(), good);
    std::fs::write(empty, "PI\n+\n+7775FU\n").unwrap();
    let output = convert(&["--skip", empty, out.to_str().unwrap()]);
    assert_refused(&output, "nothing of 1 games or positions");
    assert_eq!(std::fs::read(&out).unwrap(), good);
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_read() {
    let pipe = fresh("pipe.csa");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo starts").success());
    for (input, why) in [
        (pipe.to_str().unwrap(), "a named pipe"),
        ("/dev/zero", "a device"),
    ] {
        let output = convert(&["--from", "csa", "--to", "kif", input, "-"]);
        assert_refused(&output, why);
    }
}
