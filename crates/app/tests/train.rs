//! What a script may rely on in `tesuji train online` and `tesuji selfplay`.

mod common;

use common::assert_refused;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tesuji_shogi::{Board, Position};

/// A table of random games.
fn write_games(path: &Path) {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut table = String::from("#id\n");
    for game in 0..12 {
        let (mut pos, mut moves) = (Position::start(), String::new());
        for _ in 0..60 {
            let legal = pos.legal_moves();
            let Some(mv) = legal.get(rng.usize(..legal.len().max(1))) else {
                break;
            };
            moves.push_str(&format!(" {mv}"));
            pos.play(mv);
        }
        let start = format!("{game}\tx\ty\t2016\ta\tb\t3000\t3000\tb\t%TORYO\t60\tstartpos moves");
        table.push_str(&format!("{start}{moves}\t-\n"));
    }
    std::fs::write(path, table).expect("room for a file");
}

fn learning(games: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command
        .args(["train", "online"])
        .arg(games)
        .arg("--out")
        .arg(out);
    command.args(["--tables", "kp", "--threads", "1", "--step", "40"]);
    command.args(["--checkpoint", "2", "--held-out", "0.2"]);
    command
}

#[test]
fn a_learner_that_is_killed_goes_on_and_ends_with_the_same_tables() {
    let folder = tempfile::tempdir().expect("room for files");
    let games = folder.path().join("games.tsv");
    write_games(&games);
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let output = learning(&games, &whole).arg("--json").output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result["files"][0]["clipped"], 0);
    assert!(result["compared"].as_u64().is_some_and(|count| count > 0));
    for _ in 0..2 {
        let mut child = learning(&games, &killed)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        while !killed.join("checkpoint.bin").exists() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("the program can be killed");
        child.wait().expect("the program ends");
    }
    let output = learning(&games, &killed).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let table = |folder: &Path| std::fs::read(folder.join("kp.bin")).expect("a table");
    assert!(table(&whole) == table(&killed));
    for name in ["index.html", "agreement.svg", "log.jsonl", "training.json"] {
        assert!(killed.join(name).exists(), "{name}");
    }
}

#[test]
fn what_cannot_be_learnt_from_is_named() {
    let folder = tempfile::tempdir().expect("room for files");
    let games = folder.path().join("games.tsv");
    std::fs::write(&games, "1\tx\ty\n").expect("room for a file");
    let out = folder.path().join("out");
    let output = learning(&games, &out).output().expect("the program starts");
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("games.tsv:1: has 3 fields, not 13"), "{text}");
    let output = learning(&games, &out)
        .args(["--method", "regression"])
        .output();
    let output = output.expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("needs --players FILE"), "{text}");
}

#[test]
fn games_begin_from_the_positions_of_a_book() {
    let folder = tempfile::tempdir().expect("room for files");
    let out = folder.path().join("games");
    let selfplay = |openings: &str| {
        Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .arg("selfplay")
            .arg(&out)
            .args(["--games", "2", "--nodes", "5", "--threads", "1", "--json"])
            .args(["--random-plies", "0", "--openings", openings])
            .current_dir(folder.path())
            .output()
            .expect("the program starts")
    };
    let output = selfplay("builtin");
    assert!(output.status.success(), "{output:?}");
    let totals: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(totals["games"], 2);
    std::fs::write(folder.path().join("wrong.db"), "sfen nonsense\n").expect("room for a file");
    assert_refused(&selfplay("wrong.db"), "wrong.db:1:");
}
