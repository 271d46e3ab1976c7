//! Matches against engines that misbehave, with a runner that is killed and goes on.

use super::process::{WatchedProcess, children, limited};
use super::tally::Tally;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tesuji_match::games::{GameLine, Winner};

/// How long a match may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// What engines do when they are asked for a move.
const TEMPERS: [(&str, &str); 6] = [
    ("crasher", "exit 1"),
    ("cheater", "echo bestmove 5e5d"),
    ("mumbler", "printf 'bestmove \\377\\376\\033[2J\\n'"),
    ("claimer", "echo bestmove win"),
    (
        "flooder",
        "yes info string noise | head -c 2000000; echo bestmove resign",
    ),
    ("sleeper", "sleep 4; echo bestmove 7g7f"),
];

/// One match, however often it is interrupted.
pub(super) fn storm(tally: &Tally, seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let folder = tally.folder.join(format!("match-{seed}"));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut tempers = TEMPERS.to_vec();
    rng.shuffle(&mut tempers);
    tempers.truncate(2);
    let rounds = rng.usize(1..4);
    let file = folder.join("games.jsonl");
    let arguments = arguments(&folder, &tempers, rounds, &file)?;
    let mut is_disturbed = false;
    for attempt in 0.. {
        let mut command = match rng.u8(0..4) {
            0 if attempt == 0 => {
                tally.add("match disks full", 1);
                limited(&tally.own, 4, &arguments)
            }
            _ => {
                let mut command = Command::new(&tally.own);
                command.args(&arguments);
                command
            }
        };
        let mut runner = WatchedProcess::start(&mut command, false)?;
        let pause = Duration::from_millis(rng.u64(100..3000));
        match rng.u8(0..3) {
            0 if attempt < 4 => {
                std::thread::sleep(pause);
                runner.kill();
                tally.add("match runners killed", 1);
                continue;
            }
            1 if attempt < 4 => {
                std::thread::sleep(pause);
                is_disturbed |= kill_one(&mut rng, runner.id(), tally);
            }
            _ => {}
        }
        if runner.end(PATIENCE)?.success() {
            break;
        }
        if attempt > 8 {
            return Err("the match does not end".into());
        }
    }
    check(tally, &file, 4 * rounds, is_disturbed)?;
    let _ = std::fs::remove_dir_all(&folder);
    tally.add("match storms", 1);
    Ok(())
}

/// The words of the match: an honest player against two others.
fn arguments(
    folder: &Path,
    tempers: &[(&str, &str)],
    rounds: usize,
    file: &Path,
) -> Result<Vec<String>, String> {
    let mut words = vec!["match".into()];
    words.push("material name=honest option.NodesLimit=200 option.USI_Hash=1".into());
    for (name, go) in tempers {
        let script = format!(
            "while read -r word rest; do case $word in usi) echo id name {name}; echo usiok;; \
             isready) echo readyok;; go) {go};; quit) exit;; esac; done\n"
        );
        let path = folder.join(format!("{name}.sh"));
        std::fs::write(&path, script).map_err(|error| error.to_string())?;
        words.push(format!("sh {} name={name}", path.display()));
    }
    let rounds = rounds.to_string();
    let rest = ["--gauntlet", "--rounds", &rounds, "--tc", "move=0.5"];
    words.extend(rest.map(String::from));
    let rest = ["--margin", "2500", "--concurrency", "2", "--games"];
    words.extend(rest.map(String::from));
    words.push(file.display().to_string());
    Ok(words)
}

/// Kills one of the engines of a match.
fn kill_one(rng: &mut Rng, runner: u32, tally: &Tally) -> bool {
    let engines = children(runner);
    let Some(engine) = rng.choice(engines) else {
        return false;
    };
    tally.add("match engines killed", 1);
    let kill = Command::new("kill")
        .args(["-9", &engine.to_string()])
        .status();
    kill.is_ok()
}

/// Every game is there once, and the honest player has lost none.
fn check(tally: &Tally, file: &Path, games: usize, is_disturbed: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    if !text.ends_with('\n') {
        return Err("the file of games ends inside a line".into());
    }
    let mut played: BTreeMap<usize, GameLine> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let game: GameLine =
            serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let honest = match game.black == "honest" {
            true => Winner::Black,
            false => Winner::White,
        };
        if game.winner != Some(honest) && !is_disturbed {
            return Err(format!("the honest player did not win: {line}"));
        }
        if let Some(twice) = played.insert(game.id, game) {
            return Err(format!("game {} is there twice", twice.id));
        }
    }
    if played.len() != games || played.keys().copied().ne(0..games) {
        return Err(format!("{} of {games} games are there", played.len()));
    }
    tally.add("match games", games as u64);
    Ok(())
}
