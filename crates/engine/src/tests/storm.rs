//! Storms of random commands: every `go` is answered once, in order, with a legal move.

use super::fake_search::UsiSession;
use fastrand::Rng;
use tesuji_shogi::{Board, Position};
use tesuji_usi::{BestMove, Checkmate, Command, Reply};

/// The positions a `go` may have been about.
struct Asked {
    positions: Vec<Position>,
    for_mate: bool,
}

/// A random game, as a command and as a position; sometimes a move in it is wrong.
fn position(rng: &mut Rng) -> (String, Position) {
    let mut pos = Position::start();
    let mut line = String::from("position startpos moves");
    for _ in 0..rng.usize(0..40) {
        let moves = pos.legal_moves();
        let Some(mv) = (!moves.is_empty()).then(|| moves.get(rng.usize(0..moves.len()))) else {
            break;
        };
        let mv = mv.unwrap();
        line += &format!(" {mv}");
        pos.play(mv);
    }
    if rng.u32(0..8) == 0 {
        line += [" 5e5e", " 9i1a", " resign", " \u{1f600}"][rng.usize(0..4)];
    }
    (line, pos)
}

fn go(rng: &mut Rng) -> String {
    let limit = match rng.u32(0..11) {
        0 => "infinite".to_owned(),
        1 => format!("depth {}", rng.u32(0..4)),
        2 => format!("nodes {}", rng.u32(0..500)),
        3 => format!("movetime {}", rng.u32(0..4)),
        4 => format!(
            "btime {} wtime 10 byoyomi {}",
            rng.u32(0..50),
            rng.u32(0..10)
        ),
        5 => "btime 0 wtime 0 binc 5 winc 5".to_owned(),
        6 => format!("mate {}", rng.u32(0..5)),
        7 => "mate infinite nodes 300".to_owned(),
        8 => "rtime 1".to_owned(),
        9 => "depth 2 searchmoves 7g7f 2g2f 5a5b".to_owned(),
        _ => String::new(),
    };
    let ponder = if rng.u32(0..3) == 0 { " ponder" } else { "" };
    format!("go{ponder} {limit}")
}

fn other(rng: &mut Rng) -> String {
    let lines = [
        "stop",
        "stop",
        "stop",
        "ponderhit",
        "ponderhit",
        "ponderhit btime 5 wtime 5 byoyomi 1",
        "isready",
        "usinewgame",
        "gameover lose",
        "usi",
        "",
        "d",
        "eval",
        "key",
        "go perft 2",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "gibberish \u{0}\u{7f}",
        "setoption name Stochastic_Ponder value true",
        "setoption name nothing value 3",
        "setoption name USI_Hash value 99999999999",
        "setoption name Stochastic_Ponder value false",
        "position sfen what",
        "bench 1",
        "go perft 99",
    ];
    lines[rng.usize(0..lines.len())].to_owned()
}

/// One sequence of commands, and what it comes to.
fn storm(seed: u64, mut session: UsiSession) {
    let mut rng = Rng::with_seed(seed);
    let mut pos = Position::start();
    let mut asked: Vec<Asked> = Vec::new();
    let mut lines = Vec::new();
    for _ in 0..rng.usize(4..24) {
        let line = match rng.u32(0..3) {
            0 => {
                let (line, played) = position(&mut rng);
                pos = played;
                line
            }
            1 => {
                let line = go(&mut rng);
                let mut positions = vec![pos.clone()];
                if pos.played() > 0 {
                    // What a stochastic ponder looks at until its guess is right.
                    pos.undo();
                    positions.push(pos.clone());
                    pos = positions[0].clone();
                }
                let for_mate = line.contains("mate");
                asked.push(Asked {
                    positions,
                    for_mate,
                });
                line
            }
            _ => other(&mut rng),
        };
        session.say(&line);
        lines.push(line);
        if rng.u32(0..6) == 0 {
            std::thread::sleep(std::time::Duration::from_millis(rng.u64(0..3)));
        }
    }
    let said = session.end();
    let answers = said.iter().filter_map(|reply| match reply {
        Reply::BestMove(best) => Some((Some(*best), None)),
        Reply::Checkmate(mate) => Some((None, Some(mate))),
        _ => None,
    });
    let answers: Vec<_> = answers.collect();
    let story = || format!("seed {seed}:\n{}", lines.join("\n"));
    assert_eq!(answers.len(), asked.len(), "{}", story());
    for (asked, (best, mate)) in asked.iter().zip(answers) {
        assert_eq!(asked.for_mate, mate.is_some(), "{}", story());
        let fits = asked.positions.iter().any(|pos| match (best, mate) {
            (Some(BestMove::Move { mv, ponder }), _) => {
                let mut after = pos.clone();
                let legal = after.try_play(mv).is_ok();
                legal && ponder.is_none_or(|reply| after.is_legal(reply))
            }
            (Some(BestMove::Resign), _) => pos.legal_moves().is_empty(),
            (_, Some(Checkmate::Line(line))) => {
                let mut pos = pos.clone();
                line.iter().all(|&mv| pos.try_play(mv).is_ok()) && pos.legal_moves().is_empty()
            }
            (_, Some(_)) => true,
            _ => false,
        });
        assert!(fits, "{best:?} {mate:?}\n{}", story());
    }
}

#[test]
fn every_go_is_answered_once() {
    (0..300).for_each(|seed| storm(seed, UsiSession::new()));
}

#[test]
fn every_go_is_answered_once_by_the_real_search() {
    (0..60).for_each(|seed| storm(seed, UsiSession::real()));
}

#[test]
#[ignore = "ten thousand sequences take some minutes"]
fn every_go_is_answered_once_in_many_storms() {
    (300..10_300).for_each(|seed| storm(seed, UsiSession::real()));
}

#[test]
fn commands_that_are_no_text_are_survived() {
    let mut rng = Rng::with_seed(7);
    let mut session = UsiSession::new();
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..rng.usize(0..60)).map(|_| rng.u8(..)).collect();
        let line = String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ");
        if !matches!(Command::read(&line).command, Some(Command::Quit)) {
            session.say(&line);
        }
    }
    assert!(session.ask("isready", "readyok").starts_with("readyok"));
}
