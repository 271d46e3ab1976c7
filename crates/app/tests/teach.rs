//! What a reader and a script may rely on in `tesuji teach`.

mod common;

use common::assert_refused;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RUNGS: [&str; 8] = [
    "minimax",
    "negamax",
    "alpha-beta",
    "nega-alpha-beta",
    "fail-soft",
    "pvs",
    "mtdf",
    "deepening",
];

fn teach(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let command = command.arg("teach").args(arguments);
    command.output().expect("the program starts")
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn page(name: &str, arguments: &[&str]) -> String {
    let path = place(name);
    let output = teach(
        &[
            &[
                "--depth",
                "2",
                "--html",
                path.to_str().expect("a plain path"),
            ],
            arguments,
        ]
        .concat(),
    );
    assert!(text(&output).is_empty());
    std::fs::read_to_string(path).expect("a page")
}

/// Every element that is opened is closed in its place; panics where not.
fn check_tags(html: &str) -> usize {
    let mut open: Vec<&str> = Vec::new();
    let mut count = 0;
    let mut rest = html
        .strip_prefix("<!DOCTYPE html>")
        .expect("a page begins so");
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "a bracket inside of <{tag}>");
        assert!(
            tag.matches('"').count().is_multiple_of(2),
            "a quote is missing in <{tag}>"
        );
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes something else");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a tag has a name"));
        }
        count += 1;
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    count
}

#[test]
fn every_rung_finds_75_and_says_how() {
    let told = text(&teach(&["--depth", "2"]));
    assert_eq!(told.matches("\nValue 75, ").count(), RUNGS.len());
    for rung in RUNGS {
        assert!(told.contains(&format!("\n{rung} ")), "{rung}");
    }
    assert!(told.contains("✂ C2   β 75 ≤ α 75"));
    assert!(told.contains("Value 75, 29 nodes, 16 leaves."));
    assert!(told.contains("Value 75, 21 nodes, 10 leaves."));
    assert!(!told.contains("ここで"));
    let told = text(&teach(&[
        "--depth",
        "1",
        "--language",
        "ja",
        "--rung",
        "alpha-beta",
    ]));
    assert!(told.contains("値 75、節点 21、葉 10。") && told.contains("ここで"));
    assert!(!told.contains("Value 75"));
}

#[test]
fn the_page_is_well_formed_and_stands_alone() {
    let both = page("both.html", &[]);
    assert!(check_tags(&both) > 1000);
    for rung in RUNGS {
        assert!(both.contains(&format!("<section id=\"{rung}\">")), "{rung}");
    }
    assert!(both.contains("lang=\"en\"") && both.contains("lang=\"ja\""));
    assert!(both.contains("<svg") && both.contains("class=\"cut\""));
    let alone = both.replace("http://www.w3.org/2000/svg", "");
    assert!(!alone.contains("http") && !alone.contains("<script"));

    let english = page("en.html", &["--language", "en"]);
    let japanese = page("ja.html", &["--language", "ja"]);
    check_tags(&english);
    check_tags(&japanese);
    assert!(!english.contains("lang=\"ja\"") && japanese.contains("<html lang=\"ja\">"));
    // No half-written file stays behind.
    assert!(!place("both.html.part").exists());
}

#[test]
fn other_trees_and_positions_can_be_taught() {
    let tree = "[[3 12 8] [2 4 6] [14 5 2]]";
    let told = text(&teach(&[
        "--tree", tree, "--depth", "1", "--sfen", "startpos",
    ]));
    assert_eq!(told.matches("\nValue 3, ").count(), RUNGS.len());
    let json = text(&teach(&[
        "--tree", tree, "--json", "--rung", "pvs", "--rung", "mtdf",
    ]));
    let traces = json.lines().map(serde_json::from_str::<serde_json::Value>);
    let traces: Vec<_> = traces.map(Result::unwrap).collect();
    assert_eq!(
        (&traces[0]["rung"], &traces[1]["rung"]),
        (&"pvs".into(), &"mtdf".into())
    );
    assert_eq!(traces[0]["value"], 3);
    assert_eq!(traces[0]["nodes"][1]["branch"], "A");

    let real = text(&teach(&[
        "--json", "--rung", "pvs", "--depth", "1", "--sfen", "startpos",
    ]));
    let real: serde_json::Value = serde_json::from_str(&real).unwrap();
    assert_eq!(real["nodes"][1]["ply"], 1);
    assert_eq!(real["nodes"][1]["branch"].as_str().map(str::len), Some(4));

    for (arguments, message) in [
        (["--tree", "[[3 12"], "a bracket [ is never closed"),
        (["--rung", "guess"], "is no rung of the ladder"),
        (["--sfen", "9/9"], "--sfen"),
        (["--html", "/no/such/folder/page.html"], "cannot write it"),
    ] {
        assert_refused(&teach(&arguments), message);
    }
}

#[test]
fn mistakes_and_listings_are_shown() {
    let broken = text(&teach(&["--fault", "strict-cut"]));
    assert!(
        broken.contains("It says 75 after 25 nodes; right is 75 after 21."),
        "{broken}"
    );
    let broken = text(&teach(&["--fault", "forgotten-sign"]));
    assert!(broken.contains("right is 75 after 21"), "{broken}");
    assert!(!broken.contains("It says 75"), "{broken}");
    let ruby = text(&teach(&["--listing", "ruby", "--rung", "negamax"]));
    assert!(ruby.contains("def negamax(node)"), "{ruby}");
    let told = text(&teach(&["--rung", "alpha-beta", "--depth", "1"]));
    assert!(told.contains("A2b was cut. With −∞ in its place minimax says 75, with +∞ 75."));
}
