//! Self-play writes what was searched, goes on after a kill, and plays no game twice.

use super::*;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tesuji_eval::{AnyEval, Material};
use tesuji_record::samples::SampleFormat;
use tesuji_search::tournament::AnyTournament;
use tesuji_shogi::{Color, Position};

fn plan(folder: &Path, games: u64, threads: usize) -> SelfplayPlan {
    SelfplayPlan {
        folder: folder.into(),
        eval_name: "material".into(),
        eval_digest: Some(7),
        format: DataFormat::Psv,
        seed: 7,
        games,
        threads,
        table_bytes: 1 << 20,
        openings: Openings::start(4..=8),
        rules: GameRules {
            nodes: 60,
            stray_percent: 10,
            move_limit: 40,
            ..GameRules::default()
        },
        remembered: 1 << 12,
    }
}

fn play(plan: &SelfplayPlan) -> SelfplayTally {
    let eval = AnyEval::new(Material);
    run(plan, &eval, &AtomicBool::new(false), &mut |_| {}).expect("games can be kept")
}

/// The numbers of the games that the journals speak of.
fn journal(folder: &Path) -> Vec<u64> {
    let mut games = Vec::new();
    for thread in 0..4 {
        let text = fs::read_to_string(folder.join(format!("games-{thread}.jsonl")));
        for line in text.unwrap_or_default().lines() {
            games.push(serde_json::from_str::<GameEntry>(line).unwrap().game);
        }
    }
    games.sort_unstable();
    games
}

#[test]
fn every_written_position_is_sound_and_none_comes_twice() {
    let folder = tempfile::tempdir().unwrap();
    let tally = play(&plan(folder.path(), 6, 1));
    let bytes = fs::read(folder.path().join("games-0.psv")).unwrap();
    let mut seen = HashSet::new();
    for sample in SampleFormat::Psv.samples(&bytes[..]) {
        let sample = sample.expect("every record can be read");
        assert!(sample.mv.is_some());
        assert!(seen.insert(sample.position.to_sfen_without_ply()));
    }
    assert_eq!(seen.len() as u64, tally.positions);
    assert_eq!(tally.games + tally.refused, 6);
    assert!(tally.positions > 60);
}

#[test]
fn a_run_that_was_cut_off_goes_on_to_the_same_games() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    play(&plan(whole.path(), 5, 1));
    play(&plan(cut.path(), 3, 1));
    // What a kill leaves: half a record, half a line.
    for (name, rest) in [
        ("games-0.psv", &b"half a record"[..]),
        ("games-0.jsonl", b"{\"ga"),
    ] {
        let path = cut.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(rest);
        fs::write(&path, bytes).unwrap();
    }
    play(&plan(cut.path(), 5, 1));
    for name in ["games-0.psv", "games-0.jsonl"] {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert_eq!(read(whole.path()), read(cut.path()), "{name}");
    }
}

#[test]
fn threads_share_the_games_and_fewer_threads_go_on() {
    let folder = tempfile::tempdir().unwrap();
    play(&plan(folder.path(), 6, 3));
    assert_eq!(journal(folder.path()), [0, 1, 2, 3, 4, 5]);
    let tally = play(&plan(folder.path(), 9, 1));
    assert_eq!(journal(folder.path()), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(tally.games + tally.refused, 9);
}

#[test]
fn data_shorter_than_its_journal_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    play(&plan(folder.path(), 2, 1));
    let data = folder.path().join("games-0.psv");
    fs::write(&data, b"short").unwrap();
    let eval = AnyEval::new(Material);
    let refused = run(
        &plan(folder.path(), 4, 1),
        &eval,
        &AtomicBool::new(false),
        &mut |_| {},
    );
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("its journal speaks of")
    );
    assert_eq!(fs::read(&data).unwrap(), b"short");
}

#[test]
fn other_settings_and_a_second_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    play(&plan(folder.path(), 1, 1));
    let before = fs::read(folder.path().join("games-0.psv")).unwrap();
    let eval = AnyEval::new(Material);
    let refused = |plan: &SelfplayPlan| {
        let played = run(plan, &eval, &AtomicBool::new(false), &mut |_| {});
        played.unwrap_err().to_string()
    };
    let mut other = plan(folder.path(), 3, 1);
    other.seed = 8;
    assert!(refused(&other).contains("seed was 7 and is 8 now"));
    let mut other = plan(folder.path(), 3, 1);
    other.rules.nodes = 61;
    assert!(refused(&other).contains("played with other settings: rules"));
    let mut other = plan(folder.path(), 3, 1);
    other.openings = Openings::start(4..=9);
    assert!(refused(&other).contains("openings"));
    let claimed = settings::claim(&plan(folder.path(), 3, 1)).unwrap();
    assert!(refused(&plan(folder.path(), 3, 1)).contains("another run writes"));
    drop(claimed);
    assert_eq!(fs::read(folder.path().join("games-0.psv")).unwrap(), before);
    fs::write(folder.path().join("selfplay.json"), "a letter\n").unwrap();
    assert!(refused(&plan(folder.path(), 3, 1)).contains("no settings of self-play"));
}

#[test]
fn chains_hold_the_same_positions_as_single_records() {
    let (single, chains) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let one = play(&plan(single.path(), 3, 1));
    let other = play(&SelfplayPlan {
        format: DataFormat::Sbinpack,
        ..plan(chains.path(), 3, 1)
    });
    assert_eq!(one, other);
    let psv = fs::read(single.path().join("games-0.psv")).unwrap();
    let packed = fs::read(chains.path().join("games-0.sbinpack")).unwrap();
    let psv = SampleFormat::Psv.samples(&psv[..]).map(|s| s.unwrap());
    let packed = tesuji_record::sbinpack::Chains::new(&packed[..]).map(|s| s.unwrap());
    assert!(psv.eq(packed));
}

/// The game that is played from a position after some moves, as its ending and winner, and whether all
/// of its positions bear that result.
fn ending(sfen: &str, moves: &str, rules: &GameRules) -> (SelfplayEnding, Option<Color>) {
    let mut pos = Position::from_sfen(sfen).unwrap();
    for mv in moves.split_whitespace() {
        pos.try_play(mv.parse().unwrap()).map(drop).unwrap();
    }
    let mut search = AnyTournament::new(AnyEval::new(Material), 1, 1 << 20).unwrap();
    let played = game::play(&mut search, pos, rules, &mut fastrand::Rng::with_seed(1));
    let result = played.winner.map_or(
        tesuji_record::GameResult::Draw,
        tesuji_record::GameResult::Win,
    );
    assert!(played.samples.iter().all(|s| s.result == Some(result)));
    (played.ending, played.winner)
}

#[test]
fn games_end_as_the_rules_say() {
    use SelfplayEnding::*;
    let rules = GameRules {
        nodes: 50,
        move_limit: 6,
        resign_value: 30_000,
        ..GameRules::default()
    };
    let ended = |sfen: &str, moves: &str| ending(sfen, moves, &rules);
    let (black, white) = (Some(Color::Black), Some(Color::White));
    // A mate in one, and what is left behind it.
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    assert_eq!(ended(mate, ""), (Mate, black));
    assert_eq!(ended(mate, "G*5b"), (Mate, black));
    let entered = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB4P 1";
    assert_eq!(ended(entered, ""), (Declaration, black));
    let kings = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let round = "5i5h 5a5b 5h5i 5b5a ".repeat(4);
    assert_eq!(ended(kings, &round), (Repetition, None));
    // Black gives all the checks, and loses.
    let rook = "4k4/9/9/9/9/9/9/5R3/8K b - 1";
    let round = "4h5h 5a4a 5h4h 4a5a ".repeat(4);
    assert_eq!(ended(rook, &round), (PerpetualCheck, white));
    assert_eq!(ended(kings, ""), (MoveLimit, None));
    // Both sides see that Black is ahead; or the game is not worth playing.
    let ahead = "4k4/9/9/9/9/9/9/9/4K4 b SN 1";
    let early = GameRules {
        resign_value: 100,
        resign_plies: 2,
        ..rules.clone()
    };
    assert_eq!(ending(ahead, "", &early), (Resign, black));
    let even = GameRules {
        opening_limit: Some(100),
        ..rules.clone()
    };
    assert_eq!(ending(ahead, "", &even), (Refused, None));
}

#[test]
fn openings_without_a_move_are_refused() {
    let mated = "startpos\n4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\n";
    let refused = Openings::parse(mated, 0..=0).unwrap_err();
    assert_eq!(refused.line, 2);
    assert!(refused.what.contains("no legal move"), "{refused}");
}

#[test]
fn an_exchanged_evaluation_is_refused_and_a_wrong_start_is_not_kept_to() {
    let folder = tempfile::tempdir().unwrap();
    let eval = AnyEval::new(Material);
    let start = |plan: &SelfplayPlan| run(plan, &eval, &AtomicBool::new(false), &mut |_| {});
    // No search has room for such a table; then nothing was played.
    let wrong = SelfplayPlan {
        table_bytes: 1 << 60,
        ..plan(folder.path(), 2, 1)
    };
    assert!(matches!(start(&wrong), Err(SelfplayError::Search(_))));
    start(&plan(folder.path(), 2, 1)).unwrap();
    let exchanged = SelfplayPlan {
        eval_digest: Some(8),
        ..plan(folder.path(), 3, 1)
    };
    let refused = start(&exchanged).unwrap_err().to_string();
    assert!(refused.contains("eval_contents was"), "{refused}");
    // A folder of an older program does not say.
    let unknown = SelfplayPlan {
        eval_digest: None,
        ..plan(folder.path(), 3, 1)
    };
    start(&unknown).unwrap();
}
