//! What `tesuji paper` promises: every paper is listed, and its experiments run.

use std::process::Command;

fn paper(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let output = command.arg("paper").args(arguments).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_paper_is_listed() {
    let list = paper(&[]);
    for name in ["t19", "k13", "t23", "y33", "o03"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
    }
}

#[test]
fn the_course_is_run_then_beside_now() {
    let rows = paper(&["t23", "--quick", "--json"]);
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row is an object"))
        .collect();
    let tree = rows
        .iter()
        .find(|row| row["what"] == "the drawn tree: alpha-beta");
    let tree = tree.expect("the tree is searched");
    assert_eq!(tree["then"], "75");
    assert_eq!(tree["now"], "75 in 21 nodes");
    assert!(rows.iter().any(|row| row["then"] == "left open"));
    let text = paper(&["k13", "--quick"]);
    assert!(
        text.contains("3.0 M/s") && text.contains("What differs:"),
        "{text}"
    );
}
