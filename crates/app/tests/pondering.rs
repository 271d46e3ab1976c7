//! Engines that think on the other side's time, in matches and on servers.
#![cfg(unix)]

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use tesuji_csa::client::{ClientEngine, GameConditions, UsiClientEngine};
use tesuji_game::TimeControl;
use tesuji_match::adjudicate::Adjudication;
use tesuji_match::game::{GameEnd, GameSettings, play};
use tesuji_match::player::Player;
use tesuji_shogi::{ByColor, Color, Move, Position, RuleSet};
use tesuji_usi::process::{EngineLaunch, EngineProcess, MoveRequest, ProcessError};
use tesuji_usi::{BestMove, Go};

/// A USI engine in a few lines of shell. It writes down what it is told, and answers `go`,
/// `ponderhit` and `stop` with the next of its answers.
fn engine(log: &Path, answers: &[&str]) -> EngineProcess {
    let cases: String = (1..)
        .zip(answers)
        .map(|(number, answer)| format!("{number}) {answer};; "))
        .collect();
    let script = format!(
        "n=0; answer() {{ n=$((n+1)); case $n in {cases} *) echo bestmove resign;; esac; }}; \
         while read -r word rest; do \
         case $word in position|setoption|isready|usinewgame|usi) ;; \
         *) echo $word ${{rest%% *}} >> {log:?};; esac; \
         case $word in usi) echo option name USI_Ponder type check default false; echo usiok;; \
         isready) echo readyok;; quit) exit;; stop|ponderhit) answer;; \
         go) case $rest in ponder*) ;; *) answer;; esac;; esac; done"
    );
    EngineProcess::new(EngineLaunch {
        command: vec!["sh".into(), "-c".into(), script],
        folder: None,
        options: Vec::new(),
        suggestions: Vec::new(),
        patience: Duration::from_secs(20),
    })
}

fn told(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).expect("it writes");
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Black guesses right, then wrong, then gives up; a stopped engine answers too.
const BLACK: [&str; 4] = [
    "echo bestmove 7g7f ponder 3c3d",
    "echo info depth 5 score cp 30 pv 2g2f 4c4d; echo bestmove 2g2f ponder 4c4d",
    "echo bestmove 1g1f",
    "echo bestmove resign",
];
const WHITE: [&str; 2] = ["echo bestmove 3c3d", "echo bestmove 8c8d"];

#[test]
fn guesses_of_players_in_a_match_are_hit_or_missed() {
    let folder = tempfile::tempdir().unwrap();
    let logs = ["black", "white"].map(|name| folder.path().join(name));
    for ponder in [true, false] {
        let _ = std::fs::remove_file(&logs[0]);
        let (mut black, mut white) = (engine(&logs[0], &BLACK), engine(&logs[1], &WHITE));
        let settings = GameSettings {
            rules: RuleSet::default(),
            limits: ByColor(["60".parse().unwrap(); 2]),
            margin: Duration::from_secs(2),
            adjudication: Adjudication::default(),
            ponder,
        };
        let players: [&mut dyn Player; 2] = [&mut black, &mut white];
        let game = play(ByColor(players), &Position::start(), &settings).unwrap();
        drop((black, white));
        let moves: Vec<_> = game
            .moves
            .iter()
            .map(|played| played.mv.to_string())
            .collect();
        if ponder {
            assert_eq!(
                (game.end, game.winner),
                (GameEnd::Resign, Some(Color::White))
            );
            assert_eq!(moves, ["7g7f", "3c3d", "2g2f", "8c8d"]);
            // What was seen while pondering counts.
            assert_eq!(game.moves[2].depth, Some(5));
            let expected = [
                "go btime",
                "go ponder",
                "ponderhit",
                "go ponder",
                "stop",
                "go btime",
            ];
            assert_eq!(told(&logs[0])[..6], expected);
        } else {
            assert!(!told(&logs[0]).contains(&"go ponder".into()));
        }
    }
}

/// The answer, however long it takes.
fn answer(engine: &mut UsiClientEngine) -> BestMove {
    let (wake, woken) = mpsc::channel();
    engine.wake_with(Box::new(move || {
        let _ = wake.send(());
    }));
    loop {
        if let Some(answer) = engine.poll().expect("it lives") {
            return answer.best;
        }
        let patience = Duration::from_secs(20);
        woken.recv_timeout(patience).expect("it answers");
    }
}

#[test]
fn guesses_of_a_companion_are_hit_or_missed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut engine = UsiClientEngine::new(engine(&log, &BLACK));
    let conditions = GameConditions {
        move_limit: None,
        declaration: Default::default(),
        control: TimeControl {
            unit: Duration::from_secs(1),
            ..TimeControl::default()
        },
        delay: [Duration::ZERO; 2],
        ponder: true,
    };
    engine.new_game(&conditions).unwrap();
    let start = Position::start();
    let moves: Vec<Move> = ["7g7f", "3c3d", "2g2f", "4c4d"]
        .map(|mv| mv.parse().unwrap())
        .into();
    let [go, ponder] = [false, true].map(|ponder| Go {
        ponder,
        ..Go::default()
    });
    let request = |count: usize, go| MoveRequest {
        start: &start,
        moves: &moves[..count],
        go,
        deadline: None,
    };
    let best = |mv: usize| BestMove::Move {
        mv: moves[mv],
        ponder: Some(moves[mv + 1]),
    };
    engine.go(&request(0, &go)).unwrap();
    assert_eq!(answer(&mut engine), best(0));
    engine.ponder(&request(2, &ponder)).unwrap();
    engine.ponderhit().unwrap();
    assert_eq!(answer(&mut engine), best(2));
    engine.ponder(&request(4, &ponder)).unwrap();
    // Another move came: what it says when it is stopped is not its answer.
    engine.go(&request(3, &go)).unwrap();
    assert_eq!(answer(&mut engine), BestMove::Resign);
    assert_eq!(engine.best_so_far(), None);
    engine.game_over(Some(false));
    engine.abandon();
    let lost = engine.go(&request(0, &go));
    assert_eq!(lost, Err(ProcessError::Crash));
    // It may begin anew.
    engine.new_game(&conditions).unwrap();
    engine.go(&request(0, &go)).unwrap();
    assert_eq!(answer(&mut engine), best(0));
    let told = told(&log);
    let expected = [
        "go",
        "go ponder",
        "ponderhit",
        "go ponder",
        "stop",
        "go",
        "gameover lose",
    ];
    assert_eq!(told[..7], expected);
}
