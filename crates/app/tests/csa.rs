//! Whole games between two clients of this program on its own server.

mod common;

use common::assert_refused;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn tesuji(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("csa").args(arguments);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// A server on a free port, and the port.
fn serve(arguments: &[&str]) -> (Child, String) {
    let mut command = tesuji(&[&["serve", "--port", "0"], arguments].concat());
    let mut server = command.spawn().expect("the server starts");
    let mut line = String::new();
    let stderr = server.stderr.take().expect("it speaks");
    BufReader::new(stderr)
        .read_line(&mut line)
        .expect("it says where it listens");
    let port = line
        .trim_end()
        .strip_prefix("listening on 127.0.0.1:")
        .expect("it does");
    (server, port.into())
}

fn client(folder: &Path, port: &str, name: &str, ponder: bool, extra: &str) -> Child {
    let text = format!(
        "[server]\nhost = '127.0.0.1'\nport = {port}\nname = '{name}'\n\
         password = 'test-60-1F,secret-{name}'\nretry = 0.1\n\
         [engine]\nplayer = 'material'\noptions = {{ NodesLimit = 100, USI_Hash = 1 }}\n\
         ponder = {ponder}\n\
         [records]\nfolder = {folder:?}\nlog = {:?}\n{extra}",
        folder.join(format!("{name}.log"))
    );
    let settings = folder.join(format!("{name}.toml"));
    std::fs::write(&settings, text).expect("the target directory is writable");
    let mut command = tesuji(&[settings.to_str().expect("a plain path"), "--json"]);
    command.spawn().expect("the client starts")
}

fn finish(child: Child) -> Output {
    child.wait_with_output().expect("it ends")
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target directory is writable");
    folder
}

#[test]
fn two_clients_play_a_league() {
    for (name, stay, ponder) in [("csa-stay", true, true), ("csa-return", false, false)] {
        let home = folder(name);
        let league = home.join("league");
        let mut options = vec!["--games", "4", "--max-moves", "60", "--folder"];
        options.push(league.to_str().unwrap());
        options.extend(stay.then_some("--stay"));
        let (server, port) = serve(&options);
        let after = if stay { "stay" } else { "logout" };
        let extra = format!("[play]\ngames = 4\nafter = '{after}'\n");
        let clients = ["ann", "bob"].map(|name| client(&home, &port, name, ponder, &extra));
        for (child, name) in clients.into_iter().zip(["ann", "bob"]) {
            let output = finish(child);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let said = text(&output.stdout);
            assert_eq!(said.lines().count(), 4, "{said}");
            let log = std::fs::read_to_string(home.join(format!("{name}.log"))).unwrap();
            assert!(log.contains(" > LOGIN ") && !log.contains("secret"));
        }
        let output = finish(server);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let results = std::fs::read_to_string(league.join("results.tsv")).unwrap();
        assert_eq!(results.lines().count(), 5, "{results}");
        for line in results.lines().skip(1) {
            let fields: Vec<_> = line.split('\t').collect();
            assert!(
                ["RESIGN", "MAX_MOVES", "SENNICHITE"].contains(&fields[5]),
                "{line}"
            );
            let record = league.join(fields[7]);
            let check = Command::new(env!("CARGO_BIN_EXE_tesuji"))
                .args(["convert", "--check", record.to_str().unwrap()])
                .output()
                .unwrap();
            assert_eq!(check.status.code(), Some(0), "{}", text(&check.stderr));
        }
    }
}

#[test]
fn wrong_settings_are_named_and_secrets_are_not() {
    let home = folder("csa-wrong");
    let path = home.join("wrong.toml");
    let path = path.to_str().unwrap();
    for (settings, message) in [
        (
            "[server]\nhost = 'h'\nname = 'n'\npassword = 'my secret'\n",
            "server.password: ",
        ),
        (
            "[server]\nhost = 'h'\nname = 'n'\npassword = 'secret'\nport = 'x'\n",
            "line 5: ",
        ),
        (
            "[server]\nhost='h'\nname='n'\npassword='secret'\n[engine]\nplayer='/no/such'\n",
            "/no/such: cannot be started",
        ),
        (
            "[server]\nhost='h'\nname='n'\npassword='secret'\n[engine.options]\nThreads=[1]\n",
            "engine.options.Threads: ",
        ),
    ] {
        std::fs::write(path, settings).unwrap();
        let output = tesuji(&[path]).output().unwrap();
        assert_refused(&output, message);
        let said = text(&output.stderr);
        assert!(!said.contains("secret"), "{said}");
    }
    let example = tesuji(&["example"]).output().unwrap();
    std::fs::write(path, &example.stdout).unwrap();
    // The example is complete: with the host taken away, only the connection is missing.
    let text_of = text(&example.stdout).replace("wdoor.c.u-tokyo.ac.jp", "127.0.0.1");
    let text_of = text_of.replace("# port = 4081", "port = 1\ntries = 1");
    std::fs::write(path, text_of).unwrap();
    let output = tesuji(&[path]).current_dir(&home).output().unwrap();
    assert_refused(&output, "127.0.0.1:1: ");
    assert_eq!(tesuji(&[]).output().unwrap().status.code(), Some(2));
}

#[test]
fn a_round_robin_ends_by_itself_and_is_rated() {
    let home = folder("csa-round-robin");
    let (league, ratings) = (home.join("league"), home.join("ratings.tsv"));
    let (league, ratings) = (league.to_str().unwrap(), ratings.to_str().unwrap());
    let options = ["--round-robin", "ann,bob", "--ratings", ratings, "--stay"];
    let rest = ["--max-moves", "30", "--folder", league];
    let (server, port) = serve(&[&options[..], &rest[..]].concat());
    let extra = "[play]\ngames = 2\nafter = 'stay'\n";
    let clients = ["ann", "bob"].map(|name| client(&home, &port, name, false, extra));
    for child in clients {
        let output = finish(child);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let output = finish(server);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("rating"), "{said}");
    let rated = std::fs::read_to_string(ratings).unwrap();
    assert!(
        rated.lines().skip(1).all(|line| line.ends_with("\t2")),
        "{rated}"
    );
    assert_eq!(rated.lines().count(), 3, "{rated}");
    // What cannot be used is named.
    std::fs::write(ratings, "ann\tmuch\t1\n").unwrap();
    let options = [
        "serve",
        "--port",
        "0",
        "--ratings",
        ratings,
        "--folder",
        league,
    ];
    let output = tesuji(&options).output().unwrap();
    assert_refused(&output, "ratings.tsv:1: expected a player");
    let wrong = tesuji(&["serve", "--port", "0", "--round-robin", "ann,ann"]).output();
    assert_eq!(wrong.unwrap().status.code(), Some(2));
}
