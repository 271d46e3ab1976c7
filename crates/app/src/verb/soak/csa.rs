//! A server with honest and hostile clients, whose disk fills up and which is killed.

use super::client;
use super::peer::CsaPlayer;
use super::process::{SmallDisk, WatchedProcess, memory};
use super::tally::Tally;
use fastrand::Rng;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_record::TextFormat;
use tesuji_record::csa::write_move;
use tesuji_shogi::{Board, Position};

const PATIENCE: Duration = Duration::from_secs(60);

/// More megabytes than a server with a dozen clients needs.
const MEMORY: u64 = 200;

/// How many games are played side by side.
const GAMES: usize = 4;

/// One server, from its start to its end.
pub(super) fn storm(tally: &Tally, seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let folder = tally.folder.join(format!("csa-{seed}"));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    // The client's disk is not the one that fills up.
    let own_files = tally.folder.join(format!("client-{seed}"));
    let disk = SmallDisk::mount(&folder, 1024).filter(|_| rng.bool());
    let (mut server, port) = start_server(tally, &folder)?;
    let is_killed = rng.u8(0..5) == 0;
    let over = AtomicBool::new(false);
    let outcome = std::thread::scope(|scope| {
        for number in 0..3 {
            let (over, seed) = (&over, rng.u64(..));
            scope.spawn(move || hostile(tally, port, number, seed, over));
        }
        let mut games: Vec<_> = (0..GAMES)
            .map(|number| {
                let seed = rng.u64(..);
                scope.spawn(move || play(tally, port, number, seed))
            })
            .collect();
        let (seed, place) = (rng.u64(..), own_files.as_path());
        games.push(scope.spawn(move || client::play(tally, port, place, seed)));
        let outcome = watch(
            tally,
            &mut server,
            &mut rng,
            disk.as_ref(),
            (is_killed, &over),
            || games.iter().all(std::thread::ScopedJoinHandle::is_finished),
        );
        over.store(true, Ordering::Relaxed);
        let ends = games.into_iter().map(|game| match game.join() {
            Ok(end) => end,
            Err(_) => Err("a player panicked".into()),
        });
        let ends: Result<Vec<String>, String> = ends.collect();
        outcome.and(match is_killed {
            true => Ok(Vec::new()),
            false => ends,
        })
    });
    let played = outcome?;
    if !is_killed {
        wait_for_list(&folder, &played)?;
    }
    server.kill();
    check(tally, &folder, is_killed)?;
    drop(disk);
    for folder in [folder, own_files] {
        let _ = std::fs::remove_dir_all(folder);
    }
    tally.add("csa storms", 1);
    tally.add("csa honest games", played.len() as u64);
    Ok(())
}

/// A server that keeps its games in a folder, and the port at which it listens.
fn start_server(tally: &Tally, folder: &Path) -> Result<(WatchedProcess, u16), String> {
    let mut command = Command::new(&tally.own);
    command.args([
        "csa",
        "serve",
        "--port",
        "0",
        "--reconnect",
        "30",
        "--folder",
    ]);
    command.arg(folder);
    let server = WatchedProcess::start(&mut command, true)?;
    let heard = server.wait("listening on ", PATIENCE)?;
    let port = heard
        .last()
        .and_then(|line| line.rsplit(':').next()?.parse().ok());
    let port = port.ok_or("the server does not say where it listens")?;
    Ok((server, port))
}

/// Fills the disk, kills the server and looks at its memory while games are played.
fn watch(
    tally: &Tally,
    server: &mut WatchedProcess,
    rng: &mut Rng,
    disk: Option<&SmallDisk>,
    (is_killed, over): (bool, &AtomicBool),
    is_done: impl Fn() -> bool,
) -> Result<(), String> {
    let until = Instant::now() + Duration::from_secs(300);
    let kill_at = Instant::now() + Duration::from_millis(rng.u64(500..8000));
    let mut is_full = false;
    while !is_done() {
        std::thread::sleep(Duration::from_millis(100));
        let now = memory(server.id());
        tally.most("csa server memory, most MB", now);
        if now > MEMORY {
            return Err(format!("the server has {now} MB"));
        }
        if let Some(disk) = disk.filter(|_| rng.u8(0..15) == 0) {
            is_full = !is_full;
            disk.fill(is_full);
            tally.add("csa disks full", u64::from(is_full));
        }
        if is_killed && Instant::now() > kill_at {
            over.store(true, Ordering::Relaxed);
            server.kill();
            tally.add("csa servers killed", 1);
            break;
        }
        if Instant::now() > until {
            return Err("the games do not end".into());
        }
    }
    if let Some(disk) = disk {
        disk.fill(false);
    }
    Ok(())
}

/// A nuisance.
fn hostile(tally: &Tally, port: u16, number: usize, seed: u64, over: &AtomicBool) {
    let mut rng = Rng::with_seed(seed);
    let words: [&[u8]; 6] = [
        b"\n",
        b"AGREE\n",
        b"+7776FU\n",
        b"x",
        b"\xff\x00\x1b[2J\n",
        b"%KACHI\n",
    ];
    while !over.load(Ordering::Relaxed) {
        let word = words[rng.usize(0..words.len())];
        let Ok(mut peer) = CsaPlayer::connect(port) else {
            return;
        };
        if rng.bool() {
            let game = rng.u32(..);
            let _ = peer.say(&format!("LOGIN hostile{number} noise{game}-60-0,x"));
        }
        let sent = peer.flood(&word.repeat(4096 / word.len()), 1 << 20);
        tally.add("csa hostile connections", 1);
        tally.add("csa hostile kilobytes", sent >> 10);
        std::thread::sleep(Duration::from_millis(rng.u64(1..50)));
    }
}

/// Plays a game of two honest players, one of whom may lose its connection; the name of Black.
fn play(tally: &Tally, port: u16, number: usize, seed: u64) -> Result<String, String> {
    let mut rng = Rng::with_seed(seed);
    let names = ["B", "W"].map(|side| format!("honest{number}{side}"));
    let passwords = ["B", "W"].map(|side| format!("fair{number}-0-5-{side},secret{number}"));
    let mut login = Vec::new();
    for (name, password) in names.iter().zip(&passwords) {
        let mut peer = CsaPlayer::connect(port)?;
        peer.say(&format!("LOGIN {name} {password}"))?;
        peer.wait(&["LOGIN:"])?;
        login.push(peer);
    }
    for peer in &mut login {
        peer.wait(&["END Game_Summary"])?;
        peer.say("AGREE")?;
    }
    for peer in &mut login {
        peer.wait(&["START:"])?;
    }
    let mut pos = Position::start();
    for ply in 0..rng.usize(10..30) {
        let legal = pos.legal_moves();
        let Some(mv) = legal.get(rng.usize(0..legal.len().max(1))) else {
            break;
        };
        std::thread::sleep(Duration::from_millis(rng.u64(0..800)));
        if rng.u8(0..25) == 0 {
            let side = rng.usize(0..2);
            login[side] = CsaPlayer::begin(port, &names[side], &passwords[side])?;
            login[side].wait(&["START:"])?;
            tally.add("csa players came back", 1);
        }
        let text = write_move(&pos, mv);
        pos.play(mv);
        login[ply % 2].say(&text)?;
        for peer in &mut login {
            let heard = peer.wait(&[text.as_str(), "#"])?;
            if heard.starts_with('#') {
                return Err(format!("{heard} for {} after {ply} moves", names[ply % 2]));
            }
        }
        tally.add("csa honest moves", 1);
    }
    let loser = pos.played() % 2;
    login[loser].say("%TORYO")?;
    for (side, word) in [(loser, "#LOSE"), (1 - loser, "#WIN")] {
        let reason = login[side].wait(&["#"])?;
        let heard = login[side].wait(&["#"])?;
        if (reason.as_str(), heard.as_str()) != ("#RESIGN", word) {
            return Err(format!("{reason} {heard} instead of {word}"));
        }
    }
    let [black, _] = names;
    Ok(black)
}

/// Waits until every game that was played is listed, as a disk that was full takes its time.
fn wait_for_list(folder: &Path, played: &[String]) -> Result<(), String> {
    let until = Instant::now() + Duration::from_secs(90);
    loop {
        let list = std::fs::read_to_string(folder.join("results.tsv")).unwrap_or_default();
        let count = |name: &String| list.matches(&format!("\t{name}\t")).count();
        if played.iter().all(|name| count(name) == 1) {
            return Ok(());
        }
        if let Some(twice) = played.iter().find(|&name| count(name) > 1) {
            return Err(format!("the game of {twice} is listed twice"));
        }
        if Instant::now() > until {
            return Err(format!(
                "{} games were played, the list is {list}",
                played.len()
            ));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Every record and every line of the list is whole.
fn check(tally: &Tally, folder: &Path, is_killed: bool) -> Result<(), String> {
    let list = std::fs::read_to_string(folder.join("results.tsv")).unwrap_or_default();
    let mut ids = BTreeSet::new();
    for line in list.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let is_whole = fields.len() == 8;
        if !is_whole && !is_killed {
            return Err(format!("a line of the list is torn: {line}"));
        }
        if is_whole && fields[5] == "TIME_UP" && fields[2].starts_with("honest") {
            return Err(format!("an honest player lost on time: {line}"));
        }
        if is_whole && !ids.insert(fields[1].to_owned()) {
            return Err(format!("a game is listed twice: {line}"));
        }
    }
    let files = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    for path in files.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_some_and(|end| end == "csa") {
            let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&bytes);
            let read = TextFormat::Csa.read(&text);
            read.map_err(|error| format!("{}: {error}", path.display()))?;
            tally.add("csa records whole", 1);
        }
        if path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("crash-"))
        {
            return Err(format!("the server has made a mistake: {}", path.display()));
        }
    }
    Ok(())
}
