//! Honest players on a real clock while others flood the server.
//!
//! `FLOOD_GAMES=100 cargo test -p tesuji-csa --test server flood -- --nocapture` plays the experiment
//! in full and also judges how long a move takes to the other player; without it a few games are
//! played, and only lost ones are judged.

use crate::guest::{Guest, RunningServer};
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tesuji_csa::server::ServerConfig;

/// Moves that nobody minds, Black's and White's in turn; no position comes up four times.
const MOVES: [&str; 20] = [
    "+7776FU", "-3334FU", "+2726FU", "-8384FU", "+2625FU", "-8485FU", "+6978KI", "-4132KI",
    "+3938GI", "-7172GI", "+4746FU", "-6364FU", "+3847GI", "-7263GI", "+4756GI", "-6354GI",
    "+5968OU", "-5142OU", "+9796FU", "-9394FU",
];

/// Ten ways to be a nuisance, over and over until the games are over, each as fast as a good line
/// into the internet: the players share the machine with them.
fn flood(address: SocketAddr, kind: usize, over: &AtomicBool, sent: &AtomicUsize) {
    let blocks: [&[u8]; 5] = [b"\n", b"AGREE\n", b"+7776FU\n", b"x", b"LOGIN a b-1-1\n"];
    let block = blocks[kind % 5].repeat(4096 / blocks[kind % 5].len());
    let mut count = 0;
    while !over.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(address) else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        let _ = stream.set_write_timeout(Some(Duration::from_millis(200)));
        if kind >= 5 {
            count += 1;
            let login = format!("LOGIN hostile{kind} flood{count}-60-0,x\n");
            let _ = stream.write_all(login.as_bytes());
        }
        std::thread::sleep(Duration::from_millis(5));
        while let Ok(length) = stream.write(&block) {
            sent.fetch_add(length, Ordering::Relaxed);
            std::thread::sleep(Duration::from_micros(200));
            if over.load(Ordering::Relaxed) || length == 0 {
                break;
            }
        }
    }
}

/// Plays a game; how long each move was on its way, and how it ended.
fn play(address: SocketAddr, number: usize) -> (Vec<Duration>, String) {
    let mut pair = ['B', 'W'].map(|side| {
        let password = format!("honest{number}-0-3-{side},x");
        Guest::login(address, &format!("honest{number}{side}"), &password)
    });
    for guest in &mut pair {
        guest.wait("END Game_Summary");
        guest.stream.write_all(b"AGREE\n").expect("it is heard");
    }
    for guest in &mut pair {
        guest.wait("START:");
    }
    let mut delays = Vec::new();
    for (ply, mv) in MOVES.iter().enumerate() {
        // Up to two of the three seconds.
        let thought = (number * 37 + ply * 101) % 2000;
        std::thread::sleep(Duration::from_millis(thought as u64));
        let since = Instant::now();
        let line = format!("{mv},'* 12\n");
        pair[ply % 2]
            .stream
            .write_all(line.as_bytes())
            .expect("it is heard");
        let heard = pair[(ply + 1) % 2].wait_for(&[mv, "#"]);
        delays.push(since.elapsed());
        if heard.contains('#') {
            return (delays, heard);
        }
    }
    pair[0].say("%TORYO\n");
    (delays, pair[1].wait("#WIN"))
}

#[test]
fn honest_players_lose_nothing_while_others_flood() {
    let whole = std::env::var("FLOOD_GAMES").ok();
    let games: usize = whole.as_ref().and_then(|n| n.parse().ok()).unwrap_or(4);
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(ServerConfig::default(), folder.path());
    let address = server.address;
    let (over, sent) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let hostile: Vec<_> = (0..10)
        .map(|kind| {
            let (over, sent) = (Arc::clone(&over), Arc::clone(&sent));
            std::thread::spawn(move || flood(address, kind, &over, &sent))
        })
        .collect();
    let players: Vec<_> = (0..games)
        .map(|number| std::thread::spawn(move || play(address, number)))
        .collect();
    // Everything is counted before anything is judged: what went wrong should be seen as a whole.
    let (mut delays, mut faults) = (Vec::new(), Vec::new());
    for (number, player) in players.into_iter().enumerate() {
        match player.join() {
            Ok((late, end)) => {
                if !end.ends_with("#RESIGN\n#WIN\n") {
                    faults.push(format!("game {number}, on the way {late:?}: {end}"));
                }
                delays.extend(late);
            }
            Err(_) => faults.push(format!("game {number}: a player panicked, see above")),
        }
    }
    over.store(true, Ordering::Relaxed);
    for thread in hostile {
        thread.join().expect("a flood does not panic");
    }
    let results = server.end();
    let honest = results.iter().filter(|r| r.black.starts_with("honest"));
    let (resigned, others): (Vec<_>, Vec<_>) = honest.partition(|r| r.reason == "RESIGN");
    faults.extend(
        others
            .iter()
            .map(|result| format!("the server says {result}")),
    );
    if resigned.len() != games {
        faults.push(format!("{} of {games} games were played", resigned.len()));
    }
    assert!(!delays.is_empty(), "{}", faults.join("\n"));
    delays.sort_unstable();
    let at = |share: f64| delays[((delays.len() - 1) as f64 * share) as usize];
    let figures = format!(
        "{games} games, {} moves: delivery p50 {:?}, p99 {:?}, worst {:?}; {} MB of noise",
        delays.len(),
        at(0.5),
        at(0.99),
        at(1.0),
        sent.load(Ordering::Relaxed) >> 20
    );
    println!("{figures}");
    if whole.is_some() && at(0.99) >= Duration::from_millis(50) {
        faults.push("delivery takes too long".into());
    }
    assert!(faults.is_empty(), "{figures}\n{}", faults.join("\n"));
}
