//! What one client does to hurt the others, and what they notice of it: nothing.

use crate::guest::{Guest, RunningServer};
use std::time::Duration;
use tesuji_csa::server::ServerConfig;
use tesuji_record::csa::write_move;
use tesuji_shogi::{Board, Position};

/// The most memory that this process has had so far, in megabytes; 0 where the system does not say.
/// The server, every client and every other test are in it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse().ok());
    kilobytes.unwrap_or(0_u64) >> 10
}

/// More than all tests need, less than any of the floods would take if they were kept.
const MEMORY: u64 = 160;

#[test]
fn a_move_followed_by_two_megabytes_of_newlines_costs_the_other_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(ServerConfig::default(), folder.path());
    let [mut black, mut white] = Guest::pair(server.address, "game-0-3");
    black.say("+7776FU\n");
    let flood = black.flood(b"\n", 2 << 20);
    white.wait("+7776FU,");
    std::thread::sleep(Duration::from_secs(1));
    white.say("-3334FU\n");
    let heard = white.wait_for(&["-3334FU,", "#"]);
    assert!(heard.starts_with("-3334FU,T"), "{heard}");
    // Who does not stop is disconnected, and has thereby resigned.
    white.wait("#WIN");
    drop(black);
    let _ = flood.join();
    let results = server.end();
    assert_eq!((results[0].winner, results[0].reason), ("white", "RESIGN"));
}

#[test]
fn megabytes_before_the_login_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(ServerConfig::default(), folder.path());
    let hostile: Vec<_> = (0..4)
        .map(|_| {
            let guest = Guest::connect(server.address);
            let flood = guest.flood(b"\n", 5 << 20);
            (guest, flood)
        })
        .collect();
    let [mut black, mut white] = Guest::pair(server.address, "game-0-3");
    black.say("+7776FU\n");
    white.wait("+7776FU,");
    white.say("%TORYO\n");
    black.wait("#WIN");
    for (guest, flood) in hostile {
        let sent = flood.join().expect("a flood does not panic");
        assert!(sent < 5 << 20, "{sent} bytes were taken before the login");
        drop(guest);
    }
    assert!(peak_memory() < MEMORY, "{} MB", peak_memory());
}

/// Moves of a game that does not end, as clients send them.
fn long_game(plies: usize) -> Vec<String> {
    let mut number: u64 = 7;
    let mut next = |below: usize| {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (number >> 33) as usize % below
    };
    let mut game = || {
        let mut pos = Position::start();
        let mut moves = Vec::new();
        while moves.len() < plies {
            let legal = pos.legal_moves();
            let mv = legal.get(next(legal.len().max(1)))?;
            moves.push(write_move(&pos, mv));
            pos.play(mv);
        }
        Some(moves)
    };
    (0..100)
        .find_map(|_| game())
        .expect("few games end so soon")
}

#[test]
fn words_that_change_nothing_save_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(ServerConfig::default(), folder.path());
    let mut pair = Guest::pair(server.address, "game-600-10");
    for (ply, mv) in long_game(150).iter().enumerate() {
        pair[ply % 2].say(&format!("{mv}\n"));
        for guest in &mut pair {
            let heard = guest.wait_for(&[mv, "#"]);
            assert!(heard.ends_with('\n') && !heard.contains('#'), "{heard}");
        }
    }
    let [black, mut white] = pair;
    let flood = black.flood(b"AGREE\n", 120_000);
    // The other one is heard meanwhile, and wins when the flooder is disconnected or moves no more.
    white.say("\n");
    white.wait("\n");
    let _ = flood.join();
    drop(black);
    white.wait("#WIN");
    assert!(peak_memory() < MEMORY, "{} MB", peak_memory());
}
