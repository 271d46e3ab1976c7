//! A client of ours that plays on a server, is killed in the middle of its game, and comes back.

use super::peer::CsaPlayer;
use super::process::{WatchedProcess, children, has_ended};
use super::tally::Tally;
use fastrand::Rng;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tesuji_record::TextFormat;
use tesuji_record::csa::{read_move, write_move};
use tesuji_shogi::{Board, Position};

/// Who plays Black, and who White.
const NAMES: [&str; 2] = ["steady", "client"];

/// How long a client, or the engine of one that was killed, may take to end on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Plays a game of an honest player against the client, which is killed now and then; the name of
/// Black.
pub(super) fn play(tally: &Tally, port: u16, folder: &Path, seed: u64) -> Result<String, String> {
    let mut rng = Rng::with_seed(seed);
    let folder = folder.join("client");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let settings = folder.join("settings.toml");
    std::fs::write(&settings, text(port, &folder)).map_err(|error| error.to_string())?;
    let start = || {
        let mut command = Command::new(&tally.own);
        WatchedProcess::start(command.arg("csa").arg(&settings), false)
    };
    let mut client = start()?;
    let mut peer = CsaPlayer::begin(port, NAMES[0], "client-0-10-B,secret")?;
    peer.wait(&["START:"])?;
    let mut pos = Position::start();
    let mut was_killed = false;
    for _ in 0..rng.usize(5..15) {
        let legal = pos.legal_moves();
        let Some(mv) = legal.get(rng.usize(0..legal.len().max(1))) else {
            break;
        };
        std::thread::sleep(Duration::from_millis(rng.u64(0..800)));
        let said = write_move(&pos, mv);
        peer.say(&said)?;
        peer.wait(&[&said])?;
        pos.play(mv);
        was_killed = rng.u8(0..5) == 0;
        if was_killed {
            std::thread::sleep(Duration::from_millis(rng.u64(0..30)));
            kill(tally, &mut client)?;
            client = start()?;
        }
        let heard = peer.wait(&["-", "%TORYO", "#"])?;
        let mv = heard.split(',').next().map(|text| read_move(&pos, text));
        match mv {
            Some(Ok(mv)) => pos.play(mv),
            _ if heard.starts_with('%') || was_killed => break,
            _ => return Err(format!("{heard} though the client was left in peace")),
        };
        tally.add("csa moves of the client", 1);
    }
    // Ends the game if nothing else has.
    peer.say("%TORYO")?;
    peer.wait(&["#WIN", "#LOSE"])?;
    // A client that was killed at the end waits for another game.
    if !was_killed {
        client.end(PATIENCE)?;
    }
    drop(client);
    check(tally, &folder)?;
    tally.add("csa games of the client", 1);
    Ok(NAMES[0].into())
}

fn text(port: u16, folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "[server]\nhost = \"127.0.0.1\"\nport = {port}\nname = \"{}\"\n\
         password = \"client-0-10-W,secret\"\nretry = 0.1\nreconnect = true\n\
         [engine]\nplayer = \"material\"\n[engine.options]\nUSI_Hash = 1\nDepthLimit = 2\n\
         [records]\nfolder = \"{folder}\"\n",
        NAMES[1]
    )
}

/// Kills the client; its engine must not stay behind.
fn kill(tally: &Tally, client: &mut WatchedProcess) -> Result<(), String> {
    let engines = children(client.id());
    client.kill();
    tally.add("csa clients killed", 1);
    let until = Instant::now() + PATIENCE;
    while !engines.iter().all(|&id| has_ended(id)) {
        if Instant::now() > until {
            return Err("the engine of a client that was killed stays behind".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// Every record that the client has written is whole.
fn check(tally: &Tally, folder: &Path) -> Result<(), String> {
    let files = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    for path in files.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_some_and(|end| end == "csa") {
            let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
            let read = TextFormat::Csa.read(&String::from_utf8_lossy(&bytes));
            read.map_err(|error| format!("{}: {error}", path.display()))?;
            tally.add("csa records of the client whole", 1);
        }
    }
    Ok(())
}
