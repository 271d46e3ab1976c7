//! `tesuji farm` and `tesuji work`, as people type them: workers killed at random, a match that equals that
//! of one machine.
#![cfg(feature = "farm")]
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

#[path = "../../jobs/tests/postgres/mod.rs"]
mod postgres;

use postgres::TestPostgres;
use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A farm for the program: its address is in the environment.
struct ProgramFarm {
    folder: tempfile::TempDir,
    store: String,
    _server: Option<TestPostgres>,
}

impl ProgramFarm {
    fn in_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("farm.db").display().to_string();
        Self::init(folder, store, None)
    }

    fn on_server() -> Self {
        let server = TestPostgres::start();
        server.create_database("farm");
        let store = server.owner_address("farm");
        Self::init(tempfile::tempdir().unwrap(), store, Some(server))
    }

    fn init(folder: tempfile::TempDir, store: String, server: Option<TestPostgres>) -> Self {
        let farm = Self {
            folder,
            store,
            _server: server,
        };
        farm.expect(&["farm", "init", "--bench-depth", "1"]);
        farm
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("TESUJI_STORE", &self.store)
            .stdin(Stdio::null());
        if arguments[0] == "work" || ["add", "keep", "collect"].contains(&arguments[1]) {
            command.args(["--files", "files"]);
        }
        command
    }

    fn expect(&self, arguments: &[&str]) -> Output {
        let output = self.command(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        output
    }

    /// Begins to work; what the worker says goes to a file.
    fn worker(&self, name: &str, run: usize) -> Child {
        self.spawn(self.command(&["work", "--name", name]), name, run)
    }

    /// Starts a program as a worker of this name.
    fn spawn(&self, mut command: Command, name: &str, run: usize) -> Child {
        let log = std::fs::File::create(self.folder.path().join(format!("{name}-{run}.log")));
        command.stderr(log.unwrap()).stdout(Stdio::null());
        command.spawn().unwrap()
    }

    /// The same command as another program's arguments.
    fn under(&self, program: &str, first: &[&str], work: &Command) -> Command {
        let mut command = Command::new(program);
        command
            .args(first)
            .arg(work.get_program())
            .args(work.get_args())
            .current_dir(self.folder.path())
            .env("TESUJI_STORE", &self.store)
            .stdin(Stdio::null());
        command
    }

    fn status(&self) -> serde_json::Value {
        let output = self.expect(&["farm", "list", "--json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// How the one campaign stands, unless something has gone wrong with it.
    fn campaign(&self) -> serde_json::Value {
        let campaign = self.status()["campaigns"][0].take();
        assert_eq!(campaign["dead"], 0, "{campaign}");
        campaign
    }

    /// Begins to keep the farm; a file is kept by its workers.
    fn keeper(&self) -> Option<Child> {
        let is_server = self.store.starts_with("postgres");
        is_server.then(|| self.command(&["farm", "keep"]).spawn().unwrap())
    }

    /// Lets everybody work until the campaign is done, then asks them to end.
    fn finish(&self, workers: Vec<Child>) -> serde_json::Value {
        let keeper = self.keeper();
        let mut campaign = self.campaign();
        while campaign["state"] != "done" {
            std::thread::sleep(Duration::from_millis(200));
            campaign = self.campaign();
        }
        for child in workers.into_iter().chain(keeper) {
            end(child);
        }
        campaign
    }
}

/// Asks a program to end, which it does.
fn end(mut child: Child) {
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    assert!(asked.unwrap().success());
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(0 | 130)), "{code:?}");
}

/// The jobs that workers were told are stored.
fn acknowledged(folder: &Path) -> Vec<u64> {
    let mut jobs = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "log") {
            let text = std::fs::read_to_string(&path).unwrap();
            let told = text.lines().filter_map(|line| {
                let (_, rest) = line.split_once(": job ")?;
                rest.split_once(" (selfplay) done")?.0.parse::<u64>().ok()
            });
            jobs.extend(told);
        }
    }
    jobs
}

fn killed_at_random(farm: &ProgramFarm, games: u64) {
    let (number, mut dice) = (games.to_string(), fastrand::Rng::with_seed(7));
    let add = [
        "farm", "add", "selfplay", "--name", "games", "--games", &number, "--nodes", "5",
    ];
    let more = [
        "--eval",
        "material",
        "--hash",
        "1",
        "--move-limit",
        "30",
        "--lease",
        "3",
    ];
    let rest = ["--games-per-job", "1", "--check", "0.01"];
    farm.expect(&[&add[..], &more[..], &rest[..]].concat());
    let names = ["anna", "bert", "carl", "dora"];
    let mut keeper = farm.keeper();
    let mut workers: Vec<Child> = names.iter().map(|name| farm.worker(name, 0)).collect();
    let (mut kills, mut before) = (0, 0);
    loop {
        std::thread::sleep(Duration::from_millis(dice.u64(100..700)));
        let campaign = farm.campaign();
        if campaign["state"] == "done" {
            break;
        }
        // However slow the machine is, something is done between two kills.
        let done = campaign["done"].as_u64().unwrap();
        if done < before + 4 {
            continue;
        }
        (kills, before) = (kills + 1, done);
        let victim = dice.usize(..workers.len());
        // SIGKILL: nothing is finished, nothing is told.
        let _ = workers[victim].kill();
        let _ = workers[victim].wait();
        workers[victim] = farm.worker(names[victim], kills);
        if let Some(keeper) = &mut keeper
            && kills % 5 == 0
        {
            let _ = keeper.kill();
            let _ = keeper.wait();
            *keeper = farm.command(&["farm", "keep"]).spawn().unwrap();
        }
    }
    workers.into_iter().chain(keeper).for_each(end);
    let campaign = farm.campaign();
    assert_eq!(
        campaign["results"], games,
        "every job has one result: {campaign}"
    );
    assert_eq!(
        (&campaign["dead"], &campaign["refused"]),
        (&0.into(), &0.into())
    );
    let told = acknowledged(farm.folder.path());
    assert_eq!(
        told.iter().collect::<HashSet<_>>().len(),
        told.len(),
        "told twice"
    );
    assert!(told.len() as u64 <= campaign["done"].as_u64().unwrap());
    farm.expect(&["farm", "audit"]);
    farm.expect(&["farm", "collect", "games", "out"]);
    let journal = std::fs::read_to_string(farm.folder.path().join("out/games-0.jsonl")).unwrap();
    let numbers: Vec<u64> = journal
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|entry| entry["game"].as_u64().unwrap())
        .collect();
    assert_eq!(
        numbers,
        (0..games).collect::<Vec<_>>(),
        "every game once, in order"
    );
    println!("{kills} kills, {} acknowledged, {games} games", told.len());
}

#[test]
fn workers_killed_at_random_lose_nothing_in_a_file() {
    killed_at_random(&ProgramFarm::in_file(), games());
}

#[test]
fn workers_killed_at_random_lose_nothing_on_a_server() {
    killed_at_random(&ProgramFarm::on_server(), games());
}

/// How many games the killed workers play; TESUJI_KILLED_GAMES=1000 is the long run.
fn games() -> u64 {
    let wanted = std::env::var("TESUJI_KILLED_GAMES").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(120)
}

#[test]
fn a_match_on_many_machines_is_the_match_of_one() {
    let farm = ProgramFarm::in_file();
    let setup = [
        "--tc",
        "nodes=30",
        "--rounds",
        "4",
        "--max-moves",
        "60",
        "--sprt",
        "0,50",
    ];
    let players = ["--option", "USI_Hash=2", "material", "relation"];
    let add = ["farm", "add", "match", "--name", "two", "--check", "1"];
    farm.expect(&[&add[..], &setup[..], &players[..]].concat());
    farm.finish(["anna", "bert"].map(|name| farm.worker(name, 0)).into());
    farm.expect(&["farm", "audit"]);
    farm.expect(&["farm", "collect", "two", "many.jsonl"]);
    let status = farm.status();
    let test = &status["campaigns"][0]["test"];
    let one = ["match", "--games", "one.jsonl"];
    farm.expect(&[&one[..], &setup[..], &players[..]].concat());
    let games = |name: &str| {
        let text = std::fs::read_to_string(farm.folder.path().join(name)).unwrap();
        let (header, games) = text.split_once('\n').unwrap();
        let game = |line: &str| {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            let key = game["id"].as_u64().unwrap();
            (key, (game["moves"].to_string(), game["winner"].to_string()))
        };
        (
            header.to_owned(),
            games.lines().map(game).collect::<BTreeMap<_, _>>(),
        )
    };
    assert_eq!(games("many.jsonl"), games("one.jsonl"));
    // The single-machine verb takes the games of the farm and says the same of them.
    let shown = ["match", "--json", "--games", "many.jsonl"];
    let output = farm.expect(&[&shown[..], &setup[..], &players[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let llr = test["llr"].as_f64().unwrap();
    let found = text.lines().find_map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).ok()?;
        row["llr"].as_f64().or_else(|| row["sprt"]["llr"].as_f64())
    });
    assert!((found.unwrap() - llr).abs() < 1e-9, "{text} {test}");
}

#[test]
fn a_tuning_on_many_machines_is_the_tuning_of_one() {
    let farm = ProgramFarm::in_file();
    std::fs::write(
        farm.folder.path().join("openings.sfen"),
        "startpos moves 7g7f\nstartpos moves 2g2f\n",
    )
    .unwrap();
    let setup = [
        "--params",
        "rfp_slope",
        "--games",
        "24",
        "--batch",
        "4",
        "--tc",
        "nodes=20",
        "--eval",
        "material",
        "--hash",
        "1",
        "--max-moves",
        "40",
        "--openings",
        "openings.sfen",
    ];
    let add = ["farm", "add", "tune", "--name", "slope", "--check", "0.3"];
    farm.expect(&[&add[..], &setup[..]].concat());
    farm.finish(["anna", "bert"].map(|name| farm.worker(name, 0)).into());
    farm.expect(&["farm", "audit"]);
    farm.expect(&["farm", "collect", "slope", "many.jsonl"]);
    let one = ["tune", "--journal", "one.jsonl"];
    farm.expect(&[&one[..], &setup[..]].concat());
    let read = |name: &str| std::fs::read_to_string(farm.folder.path().join(name)).unwrap();
    assert_eq!(read("many.jsonl"), read("one.jsonl"));
    assert_eq!(read("one.jsonl").lines().count(), 1 + 3);
}

/// Games for workers that have something wrong with them.
fn add_games(farm: &ProgramFarm, games: u64) {
    let games = games.to_string();
    let add = [
        "farm", "add", "selfplay", "--name", "games", "--games", &games,
    ];
    let more = ["--nodes", "5", "--eval", "material", "--hash", "1"];
    let rest = ["--move-limit", "60", "--games-per-job", "2", "--check", "0"];
    farm.expect(&[&add[..], &more[..], &rest[..]].concat());
}

#[test]
fn clocks_of_workers_do_not_matter() {
    let farm = ProgramFarm::on_server();
    add_games(&farm, 40);
    // A program that believes in another day: the library of faketime answers when it asks for the time.
    let shifted = |shift: &str, program: &Command| {
        let script = "LD_PRELOAD=$(faketime -f +0d printenv LD_PRELOAD) exec \"$0\" \"$@\"";
        let mut command = farm.under("bash", &["-c", script], program);
        command
            .env("FAKETIME", shift)
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        command
    };
    let hour = |shift: &str| -> i64 {
        let mut date = Command::new("date");
        let output = shifted(shift, date.arg("+%s")).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.trim().parse::<i64>().unwrap() / 3600
    };
    assert!(
        hour("+1d") - hour("-1d") >= 47,
        "faketime is missing: apt-get install faketime"
    );
    let worker = |(name, shift)| {
        let work = farm.command(&["work", "--name", name]);
        farm.spawn(shifted(shift, &work), name, 0)
    };
    let workers = [("anna", "+1d"), ("bert", "-1d"), ("carl", "+0d")].map(worker);
    let workers = workers.into();
    let campaign = farm.finish(workers);
    assert_eq!(
        (&campaign["results"], &campaign["refused"]),
        (&20.into(), &0.into())
    );
    let status = farm.status();
    assert_eq!(
        status["failures"],
        serde_json::json!([]),
        "no lease ran out"
    );
    let workers = status["workers"].as_array().unwrap();
    assert_eq!(
        workers.len(),
        3,
        "all of them were heard of today: {status}"
    );
    assert_eq!(acknowledged(farm.folder.path()).len(), 20);
}

#[test]
fn a_worker_whose_disk_is_full_takes_nothing_and_tells_nothing() {
    let farm = ProgramFarm::on_server();
    add_games(&farm, 6);
    // No file of this worker may become longer than a kilobyte: what it writes breaks off in the middle.
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\"";
    let work = farm.command(&["work", "--name", "full"]);
    let mut full = farm.under("bash", &["-c", script], &work);
    let mut full = full.stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(full.stderr.take().unwrap()).lines();
    let warning = said.map(Result::unwrap).find(|line| line.contains("spool"));
    assert!(warning.unwrap().contains("next try"), "it waits for room");
    let campaign = farm.finish(vec![farm.worker("anna", 0)]);
    full.kill().unwrap();
    full.wait().unwrap();
    assert_eq!(campaign["results"], 3, "{campaign}");
    let events = farm.expect(&["farm", "audit", "--worker", "full"]);
    let events = String::from_utf8(events.stdout).unwrap();
    assert!(
        events.contains("enrolled") && !events.contains("completed"),
        "{events}"
    );
}

#[test]
fn secrets_and_unsafe_connections_are_refused_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = |store: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        let output = command
            .args(["work", "--store", store])
            .current_dir(folder.path())
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = run("postgres://anna:geheim@127.0.0.1:1/farm");
    assert!(
        said.contains("TESUJI_STORE") && !said.contains("geheim"),
        "{said}"
    );
    let said = run("postgres://anna@farm.example/farm?sslmode=disable");
    assert!(said.contains("verify-full"), "{said}");
    let said = run("nowhere.db");
    assert!(said.contains("tesuji farm init"), "{said}");
}
