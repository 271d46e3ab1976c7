//! Commands at random to an engine.

use super::process::{Watched, memory};
use super::tally::Tally;
use fastrand::Rng;
use std::process::Command;
use std::time::Duration;
use tesuji_shogi::{Board, Move, Position};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// More megabytes than an engine with a table of 64 needs.
const MEMORY: u64 = 1500;

/// One engine, from its start to its end.
pub(super) fn storm(tally: &Tally, seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let mut command = Command::new(&tally.own);
    command.arg("usi").current_dir(&tally.folder);
    let mut engine = Watched::start(&mut command, false)?;
    engine.say(b"usi");
    engine.wait("usiok", PATIENCE)?;
    engine.say(b"setoption name USI_Hash value 16");
    sync(&mut engine)?;
    for _ in 0..rng.usize(20..80) {
        if tally.is_over() {
            break;
        }
        match rng.u8(0..12) {
            0 => engine.say(&noise(&mut rng)),
            1 => {
                let option = rng.choice(OPTIONS).unwrap_or(OPTIONS[0]);
                engine.say(format!("setoption name {option}").as_bytes());
                sync(&mut engine)?;
            }
            2 => engine.say(b"position sfen 9/9/9 b - 1 moves 7g7f"),
            3 => engine.say(b"stop"),
            4 => engine.say(
                rng.choice([&b"usinewgame"[..], b"gameover win", b"ponderhit"])
                    .unwrap_or(b"stop"),
            ),
            _ if !think(tally, &mut engine, &mut rng)? => {
                tally.add("usi engines killed", 1);
                engine.kill();
                return Ok(());
            }
            _ => {}
        }
        tally.add("usi commands", 1);
        let now = memory(engine.id());
        tally.most("usi memory, most MB", now);
        if now > MEMORY {
            return Err(format!("the engine has {now} MB"));
        }
    }
    sync(&mut engine)?;
    engine.say(b"quit");
    let status = engine.end(PATIENCE)?;
    tally.add("usi storms", 1);
    match status.success() {
        true => Ok(()),
        false => Err(format!("quit ended with {status}")),
    }
}

const OPTIONS: [&str; 9] = [
    "USI_Hash value 1",
    "USI_Hash value 64",
    "USI_Hash value many",
    "Threads value 2",
    "Threads value 1",
    "MultiPV value 3",
    "MultiPV value 1",
    "USI_Ponder value true",
    "NoSuchOption value x",
];

/// Bytes that are no command.
fn noise(rng: &mut Rng) -> Vec<u8> {
    let length = rng.usize(0..300);
    let mut line = b"zz".to_vec();
    line.extend(
        (0..length)
            .map(|_| rng.u8(..))
            .filter(|&byte| byte != b'\n' && byte != b'\r'),
    );
    line
}

/// Waits until everything before was heard; nobody asked for a move there.
fn sync(engine: &mut Watched) -> Result<(), String> {
    engine.say(b"isready");
    let heard = engine.wait("readyok", PATIENCE)?;
    match heard.iter().find(|line| line.starts_with("bestmove")) {
        Some(extra) => Err(format!("{extra:?} came though nobody asked")),
        None => Ok(()),
    }
}

/// A position some moves from the start, and how it is told.
fn position(rng: &mut Rng) -> (Position, String) {
    let mut pos = Position::start();
    let mut text = String::from("position startpos moves");
    for _ in 0..rng.usize(0..120) {
        let legal = pos.legal_moves();
        let Some(mv) = legal.get(rng.usize(0..legal.len().max(1))) else {
            break;
        };
        text += &format!(" {mv}");
        pos.play(mv);
    }
    (pos, text)
}

/// Asks for a move and checks it; `false` if the engine is to be killed instead.
fn think(tally: &Tally, engine: &mut Watched, rng: &mut Rng) -> Result<bool, String> {
    sync(engine)?;
    let (pos, text) = position(rng);
    engine.say(text.as_bytes());
    let pause = Duration::from_millis(rng.u64(0..60));
    let (go, then): (String, Option<&[u8]>) = match rng.u8(0..7) {
        0 => (format!("go depth {}", rng.u8(1..7)), None),
        1 => (format!("go nodes {}", rng.u32(1..20_000)), None),
        2 => ("go movetime 30".into(), None),
        3 => ("go btime 0 wtime 0 byoyomi 60".into(), None),
        4 => ("go infinite".into(), Some(b"stop")),
        5 => ("go ponder btime 100 wtime 100".into(), Some(b"ponderhit")),
        _ => ("go ponder btime 100 wtime 100".into(), Some(b"stop")),
    };
    engine.say(go.as_bytes());
    if rng.u8(0..4) == 0 {
        engine.say(&noise(rng));
    }
    std::thread::sleep(pause);
    if rng.u8(0..80) == 0 {
        return Ok(false);
    }
    if let Some(then) = then {
        engine.say(then);
    }
    let context = |fault: String| format!("{fault} ({go}, {text})");
    let heard = engine.wait("bestmove", PATIENCE).map_err(context)?;
    tally.add("usi go answered once", 1);
    let best = heard.last().map_or("", |line| line.as_str());
    let word = best.split_ascii_whitespace().nth(1).unwrap_or_default();
    let is_legal = word.parse::<Move>().is_ok_and(|mv| pos.is_legal(mv));
    match is_legal || word == "resign" || word == "win" {
        true => Ok(true),
        false => Err(context(format!("{best:?} is not legal"))),
    }
}
