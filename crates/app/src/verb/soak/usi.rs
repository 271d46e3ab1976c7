//! Commands at random to an engine.

use super::process::{WatchedProcess, memory};
use super::tally::Tally;
use fastrand::Rng;
use std::process::Command;
use std::time::Duration;
use tesuji_eval::AnyEval;
use tesuji_search::tournament::Tournament;
use tesuji_shogi::{Board, Move, Position};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What an engine needs beside its tables, in megabytes: the program, its network, its book, stacks.
const PROGRAM: u64 = 120;

/// The histories of one thread, in megabytes, rounded up.
const HISTORIES: u64 = (Tournament::<AnyEval>::THREAD_BYTES as u64 >> 20) + 1;

/// A mate that takes minutes and much memory: the eighth of Shogi Zuko (1755).
const HARD_MATE: &str = "4+bn1g1/5kpPl/2l1b1s2/3+l1N1GP/4G1+P1N/5L3/9/1+r7/R8 b GP3sn13p 1";

/// What bounds the memory of an engine.
struct MemoryOptions {
    hash: u64,
    threads: u64,
}

impl MemoryOptions {
    /// Takes note of an option that is set, if it is one of these.
    fn set(&mut self, option: &str) {
        let value = option
            .rsplit(' ')
            .next()
            .and_then(|value| value.parse().ok());
        match (option.split(' ').next(), value) {
            (Some("USI_Hash"), Some(value)) => self.hash = value,
            (Some("Threads"), Some(value)) => self.threads = value,
            _ => {}
        }
    }

    /// How many megabytes the engine may have: half of a small hash is for the table, however much
    /// the threads need.
    fn most(&self) -> u64 {
        PROGRAM + self.hash.max(self.hash / 2 + self.threads * HISTORIES)
    }
}

/// One engine, from its start to its end.
pub(super) fn storm(tally: &Tally, seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let mut command = Command::new(&tally.own);
    command.arg("usi").current_dir(&tally.folder);
    let mut engine = WatchedProcess::start(&mut command, false)?;
    engine.say(b"usi");
    engine.wait("usiok", PATIENCE)?;
    let mut options = MemoryOptions {
        hash: 16,
        threads: 1,
    };
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
                options.set(option);
            }
            2 => engine.say(b"position sfen 9/9/9 b - 1 moves 7g7f"),
            3 => engine.say(b"stop"),
            4 => engine.say(
                rng.choice([&b"usinewgame"[..], b"gameover win", b"ponderhit"])
                    .unwrap_or(b"stop"),
            ),
            5 => look_for_mate(tally, &mut engine, &mut rng)?,
            6 => hurry(tally, &mut engine, &mut rng)?,
            _ if !think(tally, &mut engine, &mut rng)? => {
                tally.add("usi engines killed", 1);
                engine.kill();
                return Ok(());
            }
            _ => {}
        }
        tally.add("usi commands", 1);
        let (now, most) = (memory(engine.id()), options.most());
        tally.most("usi memory, most MB", now);
        tally.most("usi memory, most % of allowed", now * 100 / most);
        if now > most {
            let MemoryOptions { hash, threads } = options;
            return Err(format!(
                "the engine has {now} MB with USI_Hash {hash} and {threads} threads"
            ));
        }
    }
    leave(tally, &mut engine, &mut rng)
}

/// Ends the engine, sometimes in the middle of something: everything is answered, in order.
fn leave(tally: &Tally, engine: &mut WatchedProcess, rng: &mut Rng) -> Result<(), String> {
    sync(engine)?;
    if rng.bool() {
        engine.say(b"setoption name USI_Hash value 32\nisready\ngo infinite\nquit");
        in_order(engine, "bestmove")?;
        tally.add("usi quits in the middle", 1);
    } else {
        engine.say(b"quit");
    }
    let status = engine.end(PATIENCE)?;
    tally.add("usi storms", 1);
    match status.success() {
        true => Ok(()),
        false => Err(format!("quit ended with {status}")),
    }
}

/// Waits for `readyok` and then for the answer, which must not come before.
fn in_order(engine: &WatchedProcess, answer: &str) -> Result<String, String> {
    let heard = engine.wait("readyok", PATIENCE)?;
    if let Some(early) = heard.iter().find(|line| is_about_search(line)) {
        return Err(format!("{early:?} came before readyok"));
    }
    let heard = engine.wait(answer, PATIENCE)?;
    Ok(heard.last().cloned().unwrap_or_default())
}

/// Whether a line belongs to a `go`.
fn is_about_search(line: &str) -> bool {
    let beginnings = ["bestmove", "checkmate", "info depth", "info currmove"];
    beginnings.iter().any(|start| line.starts_with(start))
}

const OPTIONS: [&str; 10] = [
    "USI_Hash value 1",
    "USI_Hash value 64",
    "USI_Hash value 256",
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

/// Waits until everything before was heard; nobody asked for a move there, and nothing is said about
/// a search after its answer.
fn sync(engine: &mut WatchedProcess) -> Result<(), String> {
    engine.say(b"isready");
    let heard = engine.wait("readyok", PATIENCE)?;
    match heard.iter().find(|line| is_about_search(line)) {
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
fn think(tally: &Tally, engine: &mut WatchedProcess, rng: &mut Rng) -> Result<bool, String> {
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
    check_move(&pos, best).map_err(context)?;
    Ok(true)
}

/// Asks for a mate and checks the line.
fn look_for_mate(tally: &Tally, engine: &mut WatchedProcess, rng: &mut Rng) -> Result<(), String> {
    sync(engine)?;
    let (pos, text) = match rng.u8(0..3) {
        0 => (
            Position::from_sfen(HARD_MATE).map_err(|error| error.to_string())?,
            format!("position sfen {HARD_MATE}"),
        ),
        _ => position(rng),
    };
    let (go, is_endless) = match rng.u8(0..4) {
        0 => ("go mate infinite".into(), true),
        1 => (
            format!("go mate infinite nodes {}", rng.u32(1..100_000)),
            false,
        ),
        _ => (format!("go mate {}", rng.u32(0..2000)), false),
    };
    engine.say(format!("{text}\n{go}").as_bytes());
    std::thread::sleep(Duration::from_millis(rng.u64(0..1500)));
    let now = memory(engine.id());
    tally.most("usi memory in go mate, most MB", now);
    if is_endless {
        engine.say(b"stop");
    }
    let context = |fault: String| format!("{fault} ({go}, {text})");
    let heard = engine.wait("checkmate", PATIENCE).map_err(context)?;
    tally.add("usi go mate answered once", 1);
    let answer = heard.last().map_or("", |line| line.as_str());
    let words: Vec<_> = answer.split_ascii_whitespace().skip(1).collect();
    if let ["nomate" | "timeout" | "notimplemented"] = words[..] {
        return Ok(());
    }
    let mut after = pos;
    let mut play = |word: &&str| {
        word.parse::<Move>()
            .is_ok_and(|mv| after.try_play(mv).is_ok())
    };
    match words.iter().all(&mut play) && !words.is_empty() && after.legal_moves().is_empty() {
        true => Ok(()),
        false => Err(context(format!("{answer:?} is no mate"))),
    }
}

/// Asks before the engine is ready and does not wait: a legal move comes, after `readyok`.
fn hurry(tally: &Tally, engine: &mut WatchedProcess, rng: &mut Rng) -> Result<(), String> {
    sync(engine)?;
    let (pos, text) = position(rng);
    let go = rng.choice([
        "go infinite\nstop",
        "go nodes 300",
        "go mate infinite\nstop",
    ]);
    let go = go.unwrap_or("go nodes 300");
    let is_mate = go.contains("mate");
    engine.say(format!("usinewgame\nisready\n{text}\n{go}").as_bytes());
    let context = |fault: String| format!("{fault} ({go}, {text})");
    if is_mate {
        in_order(engine, "checkmate").map_err(context)?;
    } else {
        let best = in_order(engine, "bestmove").map_err(context)?;
        check_move(&pos, &best).map_err(context)?;
    }
    tally.add("usi go before readyok", 1);
    Ok(())
}

/// A move that is answered must be legal.
fn check_move(pos: &Position, answer: &str) -> Result<(), String> {
    let word = answer.split_ascii_whitespace().nth(1).unwrap_or_default();
    let is_legal = word.parse::<Move>().is_ok_and(|mv| pos.is_legal(mv));
    match is_legal || word == "resign" || word == "win" {
        true => Ok(()),
        false => Err(format!("{answer:?} is not legal")),
    }
}
