//! What a script may rely on: exit codes, the `nodes` line, one JSON object per line.

mod common;

use common::assert_refused;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tesuji(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

fn file(name: &str, content: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the target directory is writable");
    path
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn perft_prints_its_nodes() {
    for extra in [
        &[][..],
        &["--played"],
        &["--threads", "2"],
        &["--board", "mailbox"],
    ] {
        let output = tesuji(&[&["perft", "--depth", "3"], extra].concat());
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).starts_with("nodes 25470\n"));
        assert!(output.stderr.is_empty());
    }
}

#[test]
fn branches_sum_to_the_whole() {
    let output = tesuji(&["perft", "--depth", "2", "--divide", "--json"]);
    let lines: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (whole, branches) = lines.split_last().unwrap();
    let sum: u64 = branches.iter().map(|b| b["nodes"].as_u64().unwrap()).sum();
    assert_eq!(branches.len(), 30);
    assert_eq!(whole["nodes"], sum);
    assert_eq!(whole["sfen"], START);
}

#[test]
fn a_right_file_is_a_yes_and_a_wrong_one_a_no() {
    let right = file("right.tsv", &format!("# start\n\n{START}\t1\t30\n"));
    let output = tesuji(&["perft", "--file", right.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("1 right, 0 wrong, 0 skipped\nnodes 30\n"));

    let wrong = file("wrong.tsv", &format!("{START}\t1\t30\n{START}\t2\t901\n"));
    let wrong = wrong.to_str().unwrap();
    let output = tesuji(&["perft", "--file", wrong]);
    assert_eq!(output.status.code(), Some(1));
    let expected = format!("{wrong}:2: expected 901, counted 900: {START} depth 2\n");
    assert!(text(&output.stdout).starts_with(&expected));

    let output = tesuji(&["perft", "--file", wrong, "--max-nodes", "900"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn bad_input_is_named_and_exits_with_two() {
    let broken = file("broken.tsv", &format!("{START}\t1\t30\n{START}\t1\n"));
    let broken = broken.to_str().unwrap();
    let cases: [(&[&str], String); 6] = [
        (&["benhc"], "unrecognized subcommand 'benhc'".into()),
        (&["bench", "--depth", "0"], "'--depth <N>'".into()),
        (
            &["perft", "--sfen", "9/9 b - 1"],
            "the board has 2 ranks".into(),
        ),
        (&["perft", "--depth", "five"], "'--depth <N>'".into()),
        (
            &["perft", "--file", "nowhere.tsv"],
            "tesuji: nowhere.tsv: ".into(),
        ),
        (
            &["perft", "--file", broken],
            format!("tesuji: {broken}:2: the count of nodes is missing"),
        ),
    ];
    for (arguments, message) in cases {
        let output = tesuji(arguments);
        assert_refused(&output, &message);
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_table_of_generators_has_one_object_per_line() {
    let table = [
        "bench", "movegen", "--rounds", "1", "--millis", "1", "--json",
    ];
    let output = tesuji(&[&table[..], &["--only", "captures"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let stdout = text(&output.stdout);
    let lines = stdout
        .lines()
        .map(serde_json::from_str::<serde_json::Value>);
    let lines: Vec<_> = lines.map(Result::unwrap).collect();
    let mut sets: Vec<_> = lines
        .iter()
        .filter_map(|line| line["set"].as_str())
        .collect();
    // One row for every board that has such a generator.
    sets.dedup();
    assert_eq!(sets, ["start", "festival", "widest", "middle", "checked"]);
    let last = lines.last().unwrap();
    assert!(last["ns_per_cycle"].as_f64().unwrap() > 0.0);
}

#[test]
fn without_a_verb_it_is_an_engine() {
    use std::io::Write;
    use std::process::Stdio;
    let mut engine = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let commands = "usi\nisready\nposition startpos moves 7g7f\ngo depth 3\n";
    let mut stdin = engine.stdin.take().expect("it listens");
    stdin.write_all(commands.as_bytes()).expect("it reads");
    drop(stdin);
    let output = engine.wait_with_output().expect("it ends");
    let said = text(&output.stdout);
    let order = ["\nusiok\n", "\nreadyok\n", " pv ", "\nbestmove "].map(|word| said.find(word));
    assert!(order.is_sorted() && order[0].is_some(), "{said}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_bench_prints_its_signature() {
    let output = tesuji(&["bench", "--depth", "3"]);
    let said = text(&output.stdout);
    assert!(said.contains("\nNodes searched  : "), "{said}");
    let json = tesuji(&["bench", "--depth", "3", "--json"]);
    let last: serde_json::Value =
        serde_json::from_str(text(&json.stdout).lines().last().unwrap()).unwrap();
    let signature = format!("Nodes searched  : {}\n", last["nodes"]);
    assert!(said.contains(&signature), "{said} {last}");
}

const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

#[test]
fn mate_prints_a_line() {
    let output = tesuji(&["mate", "--sfen", MATE_IN_ONE]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "mate in 1: G*5b\n");
    let output = tesuji(&["mate", "--sfen", "4k4/9/9/9/9/9/9/9/9 b G 1", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "nomate");
    assert!(answer.get("moves").is_none());
}

#[test]
fn mate_knows_proofs_alternatives_and_brinkmates() {
    let output = tesuji(&["mate", "--sfen", MATE_IN_ONE, "--verify", "--shortest"]);
    assert_eq!(
        text(&output.stdout),
        "mate in 1: G*5b  (proof of 1 positions holds)\n"
    );
    let two_ways = "4k4/9/4P4/9/9/9/9/9/4R4 b GS 1";
    let output = tesuji(&["mate", "--sfen", two_ways, "--alternatives"]);
    assert!(text(&output.stdout).contains("also at move 1: "));
    // With the gold on 7c the promoted pawn will mate, wherever the king goes.
    let corner = "k8/9/1+P7/2G6/9/9/8p/9/9 b - 1";
    let output = tesuji(&["mate", "--sfen", corner, "--brinkmate"]);
    assert!(text(&output.stdout).starts_with("brinkmate: "));
}

#[test]
fn mate_compares_with_what_a_file_expects() {
    let wrong = file(
        "wrong.sfen",
        &format!("{MATE_IN_ONE}\tid=one\texpect=nomate\n"),
    );
    let output = tesuji(&["mate", "--file", wrong.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout),
        "one: mate in 1: G*5b  (no mate was expected)\n"
    );
}

#[test]
fn mate_solvers_are_timed_beside_a_peer() {
    let set = file("one.sfen", &format!("{MATE_IN_ONE}\tid=one\texpect=mate\n"));
    // The program itself is a USI engine like any other.
    let peer = format!("'{}' name=itself", env!("CARGO_BIN_EXE_tesuji"));
    let path = set.to_str().unwrap();
    let arguments = [
        "bench", "mate", "--file", path, "--peer", &peer, "--json", "--verify",
    ];
    let output = tesuji(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let solvers: Vec<_> = rows
        .iter()
        .map(|row| row["solver"].as_str().unwrap())
        .collect();
    assert_eq!(solvers, ["first", "shortest", "leaf, 500 nodes", "itself"]);
    for row in &rows {
        assert_eq!(
            (&row["set"], &row["mates"]),
            (&"one".into(), &1.into()),
            "{row}"
        );
        assert_eq!(
            row["lines"],
            i32::from(row["solver"] != "leaf, 500 nodes"),
            "{row}"
        );
    }
    let wrong = file("not_one.sfen", &format!("{MATE_IN_ONE}\texpect=nomate\n"));
    let output = tesuji(&["bench", "mate", "--file", wrong.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn mate_refuses_what_has_no_king() {
    let output = tesuji(&["mate", "--sfen", "9/9/9/9/9/9/9/9/4K4 b G 1"]);
    assert_refused(&output, "White has no king to mate");
}

#[test]
fn a_match_is_played_and_goes_on() {
    let games = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-match.jsonl");
    let page = games.with_extension("html");
    let _ = std::fs::remove_file(&games);
    let run = |rounds: &str, limit: &str| {
        let paths = [&games, &page].map(|path| path.to_str().unwrap());
        tesuji(&[
            "match",
            "material",
            "relation",
            "--tc",
            limit,
            "--rounds",
            rounds,
            "--games",
            paths[0],
            "--html",
            paths[1],
            "--json",
            "--max-moves",
            "40",
            "--option",
            "USI_Hash=1",
        ])
    };
    for rounds in ["1", "2"] {
        let output = run(rounds, "nodes=30");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let last: serde_json::Value =
            serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap();
        assert_eq!(last["games"], 2 * rounds.parse::<u64>().unwrap());
    }
    assert_eq!(std::fs::read_to_string(&games).unwrap().lines().count(), 5);
    assert!(std::fs::read_to_string(&page).unwrap().contains("<svg"));
    assert_refused(&run("2", "nodes=31"), "belongs to another match");
}

#[test]
fn a_match_notices_what_cannot_be_written_before_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.jsonl");
    let page = folder.path().join("no such folder").join("page.html");
    let [games, page] = [&games, &page].map(|path| path.to_str().unwrap());
    let output = tesuji(&[
        "match", "material", "relation", "--tc", "nodes=30", "--rounds", "1", "--games", games,
        "--html", page,
    ]);
    assert_refused(&output, "page.html: cannot write it");
    let lines = std::fs::read_to_string(games).unwrap().lines().count();
    assert_eq!(lines, 1, "only the header: no game was played");
}

#[test]
#[cfg(unix)]
fn mate_says_unknown_when_it_is_interrupted() {
    use std::io::{BufRead, BufReader, Read};
    let easy = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    // Microcosmos (Hashimoto 1986), mate in 1525: it takes a while.
    let hard = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g \
                b - 1";
    let file = file("interrupted.sfen", &format!("{easy}\n{hard}\n{hard}\n"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["mate", "--shortest", "--file", file.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut answers = String::new();
    said.read_line(&mut answers).unwrap();
    let process = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &process]).status();
    assert!(killed.unwrap().success());
    said.read_to_string(&mut answers).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // Ctrl-C may come before the second is begun; the third never is.
    let rest = answers.strip_prefix("mate in 1: G*5b\n").unwrap();
    assert!(["", "unknown: stopped\n"].contains(&rest), "{answers}");
}

/// Talks to the engine in an address space of so many kilobytes.
#[cfg(target_os = "linux")]
fn engine_within(kilobytes: u32, commands: &str) -> Output {
    let script = format!("ulimit -v {kilobytes}; printf '{commands}' | exec \"$0\" usi");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_tesuji")]);
    shell.output().expect("there is a shell")
}

#[test]
#[cfg(target_os = "linux")]
fn as_many_threads_as_there_is_room_for_search() {
    let commands = "setoption name USI_Hash value 16\\nsetoption name USI_OwnBook value false\\n\
                    setoption name Threads value 128\\nisready\\ngo nodes 2000\\n";
    let output = engine_within(1_500_000, commands);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let shortage = "info string error: the system has no room for 128 threads: searching with ";
    let threads = said.lines().find_map(|line| line.strip_prefix(shortage));
    let threads: usize = threads.expect(&said).parse().unwrap();
    assert!((2..60).contains(&threads), "{said}");
    let last = said.lines().last().unwrap();
    assert!(
        last.starts_with("bestmove ") && last != "bestmove resign",
        "{said}"
    );
}
