//! What a script may rely on when it analyzes: records, graphs, exit codes, work that goes on.

mod common;

use common::assert_refused;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn analyze(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command
        .arg("analyze")
        .args(["--eval", "material", "--hash", "1"]);
    command.args(arguments);
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

fn file(name: &str, content: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the target directory is writable");
    path
}

fn fresh(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path.to_str().expect("a plain path").into()
}

/// Black gives its bishop away.
const GAME: &str = "startpos moves 7g7f 3c3d 8h4d 4c4d 2g2f resign\n";
const BISHOP: &str = "V2.2\nN+Ann\nN-Bob\nPI\n+\n+7776FU\nT3\n'a comment\n-3334FU\nT1\n+8844KA\nT2\n-5354FU\n%TORYO\n";

#[test]
fn values_lines_and_blunders_are_written_by_extension() {
    let input = file("analyze-in.csa", BISHOP);
    let input = input.to_str().unwrap();
    let (kif, svg) = (fresh("analyze-out.kifu"), fresh("analyze-out.svg"));
    let output = analyze(&[input, &kif, "--svg", &svg, "--nodes", "3000"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let record = std::fs::read_to_string(&kif).unwrap();
    for part in ["評価値", "読み筋", "a comment", "▲", "先手：Ann", "大悪手"] {
        assert!(record.contains(part), "{part}: {record}");
    }
    assert_eq!(record.matches("評価値").count(), 5, "{record}");
    let graph = std::fs::read_to_string(&svg).unwrap();
    assert!(
        graph.starts_with("<svg ") && graph.contains("class=\"blunder\""),
        "{graph}"
    );
    let said = text(&output.stdout);
    assert!(
        said.contains("大悪手") && said.contains("先手 Ann: "),
        "{said}"
    );
    // The same again says nothing twice and leaves no work behind.
    let again = fresh("analyze-again.kifu");
    analyze(&[&kif, &again, "--nodes", "3000"]);
    assert_eq!(std::fs::read_to_string(&again).unwrap(), record);
    assert!(!Path::new(&format!("{again}.part")).exists());
}

#[test]
fn scripts_get_an_object_for_every_move() {
    let input = file("analyze-json.usi", GAME);
    let output = analyze(&[input.to_str().unwrap(), "--depth", "2", "--json"]);
    let rows: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let moves: Vec<_> = rows
        .iter()
        .map(|row| row["move"].as_str().unwrap())
        .collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h4d", "4c4d", "2g2f"]);
    assert!(
        rows.iter()
            .all(|row| row["value"].is_i64() && row["depth"] == 2)
    );
    assert_eq!(rows[2]["grade"], "blunder");
    assert!(rows[2]["better"].is_string());
}

#[test]
fn interrupted_work_goes_on() {
    let input = file("analyze-part.usi", GAME);
    let input = input.to_str().unwrap();
    let out = fresh("analyze-part.csa");
    let part = format!("{out}.part");
    // Work of another kind is not taken over.
    std::fs::write(&part, "something else\n{\"ply\":0}\n").unwrap();
    let arguments = [input, &out, "--nodes", "500"];
    assert_eq!(analyze(&arguments).status.code(), Some(0));
    let fresh_result = std::fs::read_to_string(&out).unwrap();
    // What was found before counts, and a torn line does not.
    let title = format!(
        "material None None Some(500) None 1 {}",
        GAME.trim_end().trim_end_matches(" resign")
    );
    let known = r#"{"ply":5,"value":-7777,"depth":9,"nodes":1,"line":""}"#;
    std::fs::write(&part, format!("{title}\n{known}\n{{\"ply\":4,\"val")).unwrap();
    assert_eq!(analyze(&arguments).status.code(), Some(0));
    let resumed = std::fs::read_to_string(&out).unwrap();
    assert!(resumed.contains("'** -7777"), "{resumed}");
    assert!(!fresh_result.contains("-7777"));
    assert!(!Path::new(&part).exists());
}

#[test]
fn bad_input_is_named() {
    let bad = file("analyze-bad.csa", "V2.2\nPI\n+\n+7775FU\n");
    let good = file("analyze-good.usi", GAME);
    let (bad, good) = (bad.to_str().unwrap(), good.to_str().unwrap());
    for (arguments, message) in [
        (&[bad][..], "line 4: \"+7775FU\" is illegal"),
        (&["/nowhere.csa"], "/nowhere.csa: "),
        (&[good, "out.doc"], "out.doc: the extension is of no record"),
        (&[good, "--game", "2"], "there is no game 2, only 1"),
        (&["-"], "say --from"),
        (&[good, "--language", "fr"], "expected en or ja"),
    ] {
        assert_refused(&analyze(arguments), message);
    }
}
