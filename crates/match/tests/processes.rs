//! Engines of every temper, as processes: what they do wrong is their loss, and the match goes on.
#![cfg(unix)]

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;
use tesuji_match::adjudicate::Adjudication;
use tesuji_match::crosstable::Crosstable;
use tesuji_match::game::{GameEnd, GameSettings};
use tesuji_match::games::{GameLine, GamesFile, GamesHeader, Winner};
use tesuji_match::live::LiveGame;
use tesuji_match::runner::{Entrant, MatchRunner};
use tesuji_match::schedule::{MatchFormat, MatchSchedule};
use tesuji_shogi::{ByColor, Position, RuleSet};
use tesuji_usi::process::EngineLaunch;

/// A USI engine in a few lines of shell; `go` is what it does when it is asked.
fn engine(name: &str, go: &str) -> Entrant {
    let script = format!(
        "while read -r word rest; do case $word in usi) echo id name {name}; echo usiok;; \
         isready) echo; echo readyok;; go) {go};; quit) exit;; esac; done"
    );
    Entrant {
        name: name.into(),
        launch: EngineLaunch {
            command: vec!["sh".into(), "-c".into(), script],
            folder: None,
            options: vec![("Threads".into(), "1".into())],
            suggestions: vec![("MaxMovesToDraw".into(), "99".into())],
            patience: Duration::from_secs(20),
        },
        limit: "0b0.2".parse().expect("a time control"),
    }
}

fn runner(entrants: Vec<Entrant>, rounds: usize) -> MatchRunner {
    MatchRunner {
        schedule: MatchSchedule::new(MatchFormat::Gauntlet, entrants.len(), 1, rounds, None),
        settings: GameSettings {
            rules: RuleSet::default(),
            limits: ByColor([entrants[0].limit; 2]),
            margin: Duration::from_secs(2),
            adjudication: Adjudication::default(),
            ponder: false,
        },
        entrants,
        openings: vec![Position::start()],
        concurrency: 2,
    }
}

const HEADER: fn() -> GamesHeader = || GamesHeader {
    players: vec![],
    openings: String::new(),
    schedule: String::new(),
    rules: String::new(),
};

#[test]
fn faults_are_losses_and_the_match_goes_on() {
    let tempers = [
        ("crasher", "exit 1", GameEnd::Crash),
        ("cheater", "echo bestmove 5e5d", GameEnd::IllegalMove),
        ("mumbler", "echo bestmove 0000", GameEnd::Nonsense),
        ("claimer", "echo bestmove win", GameEnd::WrongDeclaration),
        ("loser", "echo bestmove resign", GameEnd::Resign),
        ("sleeper", "sleep 3; echo bestmove 7g7f", GameEnd::Time),
    ];
    // The honest one can only open: whoever meets it ends the game at once.
    let honest = "echo info depth 3 score cp 12 nodes 7 pv 7g7f; echo bestmove 7g7f";
    let mut entrants = vec![engine("honest", honest)];
    entrants.extend(tempers.map(|(name, go, _)| engine(name, go)));
    let runner = runner(entrants, 1);
    let folder = tempfile::tempdir().unwrap();
    let (mut file, played) =
        GamesFile::open(&folder.path().join("games.jsonl"), &HEADER()).unwrap();
    let mut games: Vec<GameLine> = Vec::new();
    let seen = Mutex::new(Vec::new());
    let spectator = |game: &LiveGame<'_>| {
        let line = (game.names.map(str::to_owned), game.moves.len());
        seen.lock().unwrap().push(line);
    };
    let outcome = runner.run_watched(&mut file, &played, &spectator, |game| {
        games.push(game.clone());
        ControlFlow::Continue(())
    });
    outcome.unwrap();
    assert_eq!(games.len(), 12);
    // Every game was seen before its first move, and after each one that was played.
    let seen = seen.into_inner().unwrap();
    for game in &games {
        let names = [game.black.clone(), game.white.clone()];
        let plies = seen.iter().filter(|(of, _)| *of == names);
        let plies: Vec<usize> = plies.map(|(_, plies)| *plies).collect();
        let played = game.moves.split_whitespace().count();
        assert_eq!(plies, (0..=played).collect::<Vec<_>>(), "{game:?}");
    }
    let mut crosstable = Crosstable::default();
    for game in &games {
        crosstable.add(&runner.schedule, game);
        let fault = tempers
            .iter()
            .find(|(name, ..)| [&game.black, &game.white].contains(&&(*name).into()));
        assert_eq!(game.end, fault.unwrap().2, "{game:?}");
        let honest_is_black = game.black == "honest";
        let winner = if honest_is_black {
            Winner::Black
        } else {
            Winner::White
        };
        assert_eq!(game.winner, Some(winner), "{game:?}");
        if honest_is_black {
            assert_eq!(
                (game.values[0], game.nodes[0]),
                (Some(12), Some(7)),
                "{game:?}"
            );
        }
    }
    assert_eq!(crosstable.of(0, 7).wins, 12);
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let mut ghost = engine("ghost", "");
    ghost.launch.command = vec!["/no/such/program".into()];
    let runner = runner(vec![engine("honest", "echo bestmove resign"), ghost], 1);
    let folder = tempfile::tempdir().unwrap();
    let (mut file, played) =
        GamesFile::open(&folder.path().join("games.jsonl"), &HEADER()).unwrap();
    let outcome = runner.run(&mut file, &played, |_| ControlFlow::Continue(()));
    let error = outcome.unwrap_err().to_string();
    assert!(
        error.starts_with("ghost: /no/such/program: cannot be started"),
        "{error}"
    );
}

#[test]
fn a_match_goes_on_where_it_was_and_ends_when_told() {
    let runner = runner(
        vec![engine("a", "echo bestmove resign"), engine("b", "exit")],
        10,
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut ids = Vec::new();
    for limit in [3, 5, 100] {
        let (mut file, played) = GamesFile::open(&path, &HEADER()).unwrap();
        ids = played.iter().map(|game| game.id).collect();
        let mut left = limit;
        let outcome = runner.run(&mut file, &played, |game| {
            assert!(!ids.contains(&game.id), "game {} was played twice", game.id);
            ids.push(game.id);
            left -= 1;
            if left > 0 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        outcome.unwrap();
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..20).collect::<Vec<_>>());
    let (_, played) = GamesFile::open(&path, &HEADER()).unwrap();
    assert_eq!(played.len(), 20);
}
