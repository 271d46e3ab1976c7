//! What a script may rely on in `tesuji data`, `tesuji train nnue` and `tesuji selfplay` when something is
//! wrong: a file, a disk, a memory, a second process, or a kill.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tesuji_shogi::{Board, Position};

/// A folder and the program in it.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("room for files"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(words.split_whitespace());
        command.current_dir(self.0.path());
        command
    }

    /// What it says when it is refused.
    fn refused(&self, words: &str) -> String {
        let output = self.command(words).output().expect("the program starts");
        assert_ne!(output.status.code(), Some(0), "{words}: {output:?}");
        assert_ne!(output.status.code(), Some(101), "{words}: {output:?}");
        assert!(output.status.code().is_some(), "{words}: {output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn done(&self, words: &str) -> String {
        let output = self.command(words).output().expect("the program starts");
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Under a shell that limits something first.
    #[cfg(target_os = "linux")]
    fn limited(&self, limit: &str, words: &str) -> Output {
        let script = format!("{limit}; trap '' XFSZ; exec \"$0\" \"$@\"");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_tesuji")]);
        shell
            .args(words.split_whitespace())
            .current_dir(self.0.path());
        shell.output().expect("there is a shell")
    }

    /// Records of random games, as `name`.psv.
    fn records(&self, name: &str, games: u64) {
        let mut table = String::new();
        for game in 0..games {
            let mut rng = fastrand::Rng::with_seed(game);
            let (mut pos, mut moves, mut values) =
                (Position::start(), String::new(), String::new());
            for _ in 0..40 {
                let legal = pos.legal_moves();
                let Some(mv) = legal.get(rng.usize(..legal.len().max(1))) else {
                    break;
                };
                moves.push_str(&format!(" {mv}"));
                values.push_str(&format!("{} ", rng.i32(-900..900)));
                pos.play(mv);
            }
            let start = format!("{game}\tx\ty\t2016\tA\tA\t3000\t3000\tb\t%TORYO\t40");
            table.push_str(&format!("{start}\tstartpos moves{moves}\t{values}\n"));
        }
        std::fs::write(self.path("games.tsv"), table).expect("room for a file");
        std::fs::write(self.path("players.tsv"), "1\tA\t600\n").expect("room for a file");
        self.done(&format!("data games games.tsv players.tsv {name}.psv"));
    }
}

/// The first step of a small training; more of it with more games.
const TRAIN: &str = "train nnue in.psv --arch kp-256x2-32-32 --batch 64 --epochs 4 --checkpoint 3 \
                     --threads 1 --keep-checks --keep-tactical --validation-share 0.1";

#[test]
fn every_verb_refuses_bytes_that_are_no_records_and_writes_nothing() {
    let place = Place::new();
    place.records("sound", 2);
    let mut rng = fastrand::Rng::with_seed(1);
    let random: Vec<u8> = (0..4000).map(|_| rng.u8(..)).collect();
    let mut wrong_result = std::fs::read(place.path("sound.psv")).expect("a file");
    wrong_result[40 * 7 + 38] = 127;
    for bytes in [random, wrong_result] {
        std::fs::write(place.path("in.psv"), bytes).expect("room for a file");
        for words in [
            "data stats in.psv",
            "data filter in.psv out.psv",
            "data shuffle out.psv in.psv",
            "data split in.psv out.psv other.psv",
            "data scale in.psv out.psv --factor 2",
            "data merge out.psv in.psv:0.5",
            "data leaves in.psv out.psv --eval material",
            "data visited in.psv out.psv --eval material --nodes 5",
            "data comparisons out.psv in.psv --eval material",
            "data rescore in.psv out.psv --eval material --nodes 5",
            "train nnue in.psv --out out.psv",
        ] {
            let said = place.refused(words);
            assert!(said.contains("in.psv: record "), "{words}: {said}");
            assert!(!place.path("out.psv").exists(), "{words}");
            assert!(!place.path("other.psv").exists(), "{words}");
        }
    }
    // The unfinished output of a rescoring does not bind the command that follows.
    place.done("data rescore sound.psv out.psv --eval material --nodes 5");
}

#[test]
fn shares_scales_and_limits_that_mean_nothing_are_refused() {
    let place = Place::new();
    place.records("in", 3);
    for (words, what) in [
        ("data merge out.psv in.psv:-1", "0 or a number above"),
        ("data merge out.psv in.psv:nan", "0 or a number above"),
        (
            "data games games.tsv players.tsv out.psv --scale=nan",
            "a number above 0",
        ),
        (
            "data games games.tsv players.tsv out.psv --scale=-5",
            "a number above 0",
        ),
        ("data scale in.psv out.psv --factor=inf", "a number above 0"),
        (
            "data split in.psv out.psv ./out.psv",
            "cannot have this name",
        ),
        ("data filter in.psv out.pack", "psv, hcpe or sbinpack"),
        ("selfplay out.psv --move-limit 0", "1.."),
        (
            "train nnue in.psv --out out.psv --lr 1e-4 --lr-end 1e-3",
            "--lr-end",
        ),
        (
            "train nnue in.psv --out out.psv --validation-limit 0",
            "1..",
        ),
    ] {
        let said = place.refused(words);
        assert!(said.contains(what), "{words}: {said}");
        assert!(!place.path("out.psv").exists(), "{words}");
    }
    assert_eq!(place.done("data merge out.psv in.psv:2"), "240 positions\n");
    assert_eq!(place.done("data merge out.psv in.psv:0"), "0 positions\n");
    std::fs::write(place.path("players.tsv"), "1\tA\tNaN\n").expect("room for a file");
    let said = place.refused("data games games.tsv players.tsv out.psv");
    assert!(said.contains("players.tsv:1:"), "{said}");
    place.done("data stats in.psv --html stats.html");
    let page = std::fs::read_to_string(place.path("stats.html")).expect("a page");
    assert!(page.contains("<polyline") && page.contains("100 %"));
}

#[test]
fn data_and_trainer_read_the_same_formats() {
    let place = Place::new();
    place.records("in", 8);
    std::fs::copy(place.path("in.psv"), place.path("in.bin")).expect("room for a file");
    for name in ["in.hcpe", "in.sbinpack"] {
        place.done(&format!("data merge {name} in.psv"));
    }
    for name in ["in.bin", "in.hcpe", "in.sbinpack"] {
        let said = place.done(&format!("data stats {name}"));
        assert!(said.starts_with("320 positions"), "{name}: {said}");
        let words = TRAIN
            .replace("in.psv", name)
            .replace("--epochs 4", "--epochs 1");
        place.done(&format!("{words} --out {name}.net"));
    }
    // Moves in the other layout are told, and so is what reads them.
    std::fs::copy(place.path("in.hcpe"), place.path("wrong.psv")).expect("room for a file");
    for words in ["data stats wrong.psv", "train nnue wrong.psv --out net"] {
        let said = place.refused(words);
        assert!(said.contains("wrong.psv: record 1"), "{said}");
    }
    place.done("convert in.hcpe shifted.psv");
    let mut bytes = std::fs::read(place.path("shifted.psv")).expect("a file");
    let hcpe = std::fs::read(place.path("in.hcpe")).expect("a file");
    for (record, other) in bytes.chunks_exact_mut(40).zip(hcpe.chunks_exact(38)) {
        record[34..36].copy_from_slice(&other[34..36]);
    }
    std::fs::write(place.path("shifted.psv"), bytes).expect("room for a file");
    for words in ["data stats shifted.psv", "train nnue shifted.psv --out net"] {
        let said = place.refused(words);
        assert!(said.contains("convert --moves"), "{said}");
    }
    assert!(!place.path("net").exists());
}

#[test]
fn a_restart_with_wrong_input_leaves_the_training_as_it_was() {
    let place = Place::new();
    place.records("in", 8);
    place.done(&format!("{TRAIN} --out net"));
    let names = ["checkpoint.bin", "log.jsonl", "nn.bin"];
    let files = || names.map(|name| std::fs::read(place.path("net").join(name)).expect("a file"));
    let before = files();
    std::fs::write(place.path("wrong"), "nonsense").expect("room for a file");
    std::fs::write(place.path("wrong.psv"), "nonsense").expect("room for a file");
    for (train, rest) in [
        (TRAIN.replace("in.psv", "missing.psv"), ""),
        (TRAIN.replace("in.psv", "wrong.psv"), ""),
        (TRAIN.to_owned(), "--init wrong"),
        (TRAIN.to_owned(), "--comparisons wrong.psv"),
        (TRAIN.replace("256x2", "512x2"), "--init net/nn.bin"),
    ] {
        place.refused(&format!("{train} --out net --restart {rest}"));
        assert!(before == files(), "{train} {rest}");
        place.refused(&format!("{train} --out new {rest}"));
        assert!(!place.path("new").exists(), "{train} {rest}");
    }
    // Another network under the old name is another training.
    place.done(&format!("{TRAIN} --out next --init net/nn.bin --seed 2"));
    std::fs::copy(place.path("next/nn.bin"), place.path("net/nn.bin")).expect("room for a file");
    let said = place.refused(&format!("{TRAIN} --out next --init net/nn.bin --seed 2"));
    assert!(said.contains("begun with initial"), "{said}");
}

fn started(mut command: Command) -> std::process::Child {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// Waits for something that another process does.
fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_there() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_training_that_is_killed_ends_as_an_unbroken_one_and_is_not_joined_by_a_second() {
    let place = Place::new();
    place.records("in", 60);
    place.done(&format!("{TRAIN} --out whole"));
    for kill in 0..2 {
        let mut child = started(place.command(&format!("{TRAIN} --out killed")));
        let checkpoint = place.path("killed/checkpoint.bin");
        wait_for("a checkpoint", || checkpoint.exists());
        if kill == 0 {
            let second = format!("{TRAIN} --out killed");
            let second = place.command(&second).output().expect("it starts");
            let said = String::from_utf8_lossy(&second.stderr).into_owned();
            // The first one may have ended by then.
            if child.try_wait().expect("it is ours").is_none() {
                assert!(said.contains("another training writes"), "{said}");
            }
        }
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    place.done(&format!("{TRAIN} --out killed"));
    let network = |name: &str| std::fs::read(place.path(name).join("nn.bin")).expect("a network");
    assert!(network("whole") == network("killed"));
}

/// The journals and data of a run: the numbers of its games, and how many positions are there.
fn games_of(folder: &Path) -> (Vec<u64>, u64, u64) {
    let (mut games, mut positions, mut bytes) = (Vec::new(), 0, 0);
    for thread in 0..2 {
        let journal = std::fs::read(folder.join(format!("games-{thread}.jsonl")));
        let journal = journal.unwrap_or_default();
        let entries = tesuji_learn::selfplay::journal_entries(&journal)
            .expect("a journal")
            .0;
        games.extend(entries.iter().map(|entry| entry.game));
        positions += entries
            .iter()
            .map(|entry| u64::from(entry.positions))
            .sum::<u64>();
        let data = std::fs::metadata(folder.join(format!("games-{thread}.psv")));
        bytes += data.map_or(0, |data| data.len());
    }
    games.sort_unstable();
    (games, positions, bytes)
}

const SELFPLAY: &str = "selfplay games --games 60 --nodes 60 --threads 2 --eval material --hash 1 \
                        --move-limit 60";

#[test]
fn self_play_that_is_killed_plays_no_game_twice() {
    let place = Place::new();
    let folder = place.path("games");
    for kills in 0..3 {
        let mut child = started(place.command(SELFPLAY));
        wait_for("some games", || games_of(&folder).0.len() > 8 * (kills + 1));
        child.kill().expect("the program can be killed");
        child.wait().expect("the program ends");
    }
    place.done(SELFPLAY);
    let (games, positions, bytes) = games_of(&folder);
    assert_eq!(games, (0..60).collect::<Vec<_>>());
    assert_eq!(positions * 40, bytes);
    place.done("data stats games/games-0.psv games/games-1.psv");
}

#[test]
fn self_play_that_began_wrongly_does_not_bind_the_right_command() {
    let place = Place::new();
    let said = place.refused("selfplay games --games 1 --nodes 5 --eval nnue:missing.bin");
    assert!(said.contains("missing.bin"), "{said}");
    assert!(!place.path("games").exists());
    std::fs::write(place.path("mate.txt"), "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\n").expect("room");
    let said = place.refused("selfplay games --games 1 --nodes 5 --openings mate.txt");
    assert!(
        said.contains("mate.txt:1: there is no legal move"),
        "{said}"
    );
    // As long as no game is there, other settings are welcome.
    place.done("selfplay games --games 0 --nodes 7 --eval material");
    place.done("selfplay games --games 1 --nodes 5 --eval material");
    let said = place.refused("selfplay games --games 2 --nodes 7 --eval material");
    assert!(said.contains("other settings"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_and_loses_nothing() {
    let place = Place::new();
    place.records("in", 60);
    // No file becomes longer than forty kilobytes: what is written breaks off in the middle.
    let limit = "ulimit -f 40";
    for words in [
        "data filter in.psv out.psv",
        "data shuffle out.psv in.psv",
        "data rescore in.psv out.psv --eval material --nodes 1",
    ] {
        let output = place.limited(limit, words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(!place.path("out.psv").exists(), "{words}");
    }
    place.done("data rescore in.psv out.psv --eval material --nodes 1");
    let output = place.limited(limit, &format!("{TRAIN} --out net"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write it"), "{said}");
    place.done(&format!("{TRAIN} --out net"));
    let output = place.limited(limit, SELFPLAY);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    place.done(SELFPLAY);
    let (games, positions, bytes) = games_of(&place.path("games"));
    assert_eq!((games.len(), positions * 40), (60, bytes));
}

#[test]
#[cfg(target_os = "linux")]
fn more_parameters_than_memory_holds_are_told() {
    let place = Place::new();
    place.records("in", 8);
    let words = TRAIN.replace("kp-256", "halfkp-256");
    let output = place.limited("ulimit -v 700000", &format!("{words} --out net"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("no room in memory") && said.contains("MB"),
        "{said}"
    );
    assert!(!place.path("net").exists());
}
