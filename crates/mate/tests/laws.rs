//! What must always hold of a verdict.

mod common;

use common::{brute, chance::Chance, random, sets};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_mate::{
    BrinkmateVerdict, LeafSolver, MateLimits, MateVerdict, Probe, ProblemError, QuickVerdict,
    Solver, StopReason,
};
use tesuji_shogi::Mailbox;
use tesuji_shogi::{Board, Color, Move, Position};

const MEGABYTES: usize = 16 << 20;

const SHORTEST: MateLimits<'static> = MateLimits {
    shortest: true,
    ..MateLimits::NONE
};

/// Plays a line on the plain board: each attacking move a check, no answer at the end.
fn assert_mates(pos: &Position, moves: &[Move], id: &str) {
    let mut board = Mailbox::from(pos);
    for (i, &mv) in moves.iter().enumerate() {
        assert!(board.legal_moves().contains(mv), "{id}: {mv} is not legal");
        board.play(mv);
        assert!(i % 2 == 1 || board.in_check(), "{id}: {mv} is no check");
    }
    assert_eq!(moves.len() % 2, 1, "{id}: the attacker moves last");
    assert!(board.legal_moves().is_empty(), "{id}: there is an answer");
}

#[test]
fn every_set_is_answered_rightly() {
    let mut solver = Solver::new(MEGABYTES);
    for problem in sets::all() {
        let (pos, id) = (&problem.pos, &problem.id);
        let verdict = solver
            .solve(pos, pos.turn(), &MateLimits::NONE, &mut ())
            .unwrap();
        match (problem.mate, &verdict) {
            (true, MateVerdict::Mate(moves)) => {
                assert_mates(pos, moves, id);
                assert!(
                    problem
                        .length
                        .is_none_or(|length| moves.len() % 2 == length % 2)
                );
            }
            (false, MateVerdict::NoMate) => {}
            (mate, verdict) => panic!("{id}: mate {mate}, but {verdict:?}"),
        }
    }
}

/// The signature of the solver: a change that is only a move of code leaves it as it is.
#[test]
fn node_counts_are_those_of_the_last_change_of_search() {
    let mut solver = Solver::new(MEGABYTES);
    for (set, nodes) in [
        ("games", 12_591),
        ("special", 87_509),
        ("classics", 368_724),
    ] {
        let mut found = 0;
        for problem in sets::all().filter(|problem| problem.set == set) {
            let pos = &problem.pos;
            let verdict = solver.solve(pos, pos.turn(), &MateLimits::NONE, &mut ());
            assert!(verdict.is_ok(), "{}", problem.id);
            found += solver.nodes();
        }
        assert_eq!(found, nodes, "{set}");
    }
}

#[test]
fn the_shortest_mates_are_found_and_their_proofs_hold() {
    let mut solver = Solver::new(MEGABYTES);
    let known = |problem: &sets::Problem| problem.length.is_some_and(|length| length <= 11);
    for problem in sets::all().filter(known) {
        let (pos, id) = (&problem.pos, &problem.id);
        let verdict = solver.solve(pos, pos.turn(), &SHORTEST, &mut ()).unwrap();
        let MateVerdict::Shortest(moves) = verdict else {
            panic!("{id}: {verdict:?}");
        };
        assert_mates(pos, &moves, id);
        assert_eq!(Some(moves.len()), problem.length, "{id}");
        let size = solver
            .verify(pos, pos.turn())
            .unwrap_or_else(|flaw| panic!("{id}: {flaw}"));
        assert!(size as usize >= moves.len() / 2, "{id}: {size}");
    }
}

#[test]
fn random_positions_agree_with_brute_force() {
    let mut solver = Solver::new(MEGABYTES);
    let mut chance = Chance::new(2);
    let (mut mates, mut others) = (0, 0);
    while mates < 60 || others < 60 {
        let pos = random::position(&mut chance);
        let Some(brute) = brute::mate_in(&pos, 7, 300_000) else {
            continue;
        };
        let limits = MateLimits {
            nodes: Some(40_000),
            ..SHORTEST
        };
        let verdict = solver.solve(&pos, pos.turn(), &limits, &mut ()).unwrap();
        let sfen = pos.to_sfen();
        match (brute, verdict) {
            (Some(length), MateVerdict::Shortest(moves)) => {
                assert_eq!(moves.len(), length, "{sfen}");
                assert_mates(&pos, &moves, &sfen);
                solver.verify(&pos, pos.turn()).unwrap();
                mates += 1;
            }
            // Too hard for so few nodes.
            (_, MateVerdict::Unknown(_) | MateVerdict::Mate(_)) => {}
            (Some(length), verdict) => panic!("{sfen}: mate in {length}, but {verdict:?}"),
            (None, MateVerdict::Shortest(moves)) => {
                assert!(moves.len() > 7, "{sfen}: {moves:?}");
                solver.verify(&pos, pos.turn()).unwrap();
            }
            (None, _) => others += 1,
        }
    }
}

#[test]
fn the_proof_answers_for_the_positions_inside_it() {
    let mut solver = Solver::new(MEGABYTES);
    let mut recalled = 0;
    for problem in sets::all().step_by(3) {
        let turn = problem.pos.turn();
        let verdict = solver.solve(&problem.pos, turn, &MateLimits::NONE, &mut ());
        let Ok(MateVerdict::Mate(line)) = verdict else {
            let known = solver.probe(&problem.pos, turn);
            assert_eq!(known, Some(Probe::NoMate), "{}", problem.id);
            continue;
        };
        let (mut pos, mut bound) = (problem.pos.clone(), u32::MAX);
        for (ply, &mv) in line.iter().enumerate() {
            // A mate in one needs no entry of its own.
            if let Some(Probe::Mate { mv, plies }) = solver.probe(&pos, turn) {
                assert!(plies < bound, "{} at {ply}", problem.id);
                assert!(mv.is_none_or(|mv| pos.is_legal(mv)), "{}", problem.id);
                (bound, recalled) = (plies, recalled + 1);
            }
            pos.play(mv);
        }
    }
    assert!(recalled > 200, "{recalled}");
}

#[test]
fn both_colours_and_many_threads_say_the_same() {
    let mut solver = Solver::new(MEGABYTES);
    let mut team = Solver::new(MEGABYTES).with_threads(2);
    for problem in sets::all().step_by(7) {
        let flipped = problem.pos.flipped();
        let turn = flipped.turn();
        let one = solver
            .solve(&flipped, turn, &MateLimits::NONE, &mut ())
            .unwrap();
        let two = team
            .solve(&problem.pos, turn.foe(), &MateLimits::NONE, &mut ())
            .unwrap();
        assert_eq!(
            matches!(one, MateVerdict::Mate(_)),
            problem.mate,
            "{}",
            problem.id
        );
        assert_eq!(
            matches!(two, MateVerdict::Mate(_)),
            problem.mate,
            "{}",
            problem.id
        );
    }
}

#[test]
fn little_memory_suffices_for_much() {
    let mut solver = Solver::new(1 << 18);
    for problem in sets::all().step_by(5) {
        let verdict = solver.solve(&problem.pos, problem.pos.turn(), &MateLimits::NONE, &mut ());
        let mate = matches!(verdict, Ok(MateVerdict::Mate(_)));
        assert_eq!(mate, problem.mate, "{}", problem.id);
    }
}

#[test]
fn a_search_that_ends_early_says_so() {
    // A lone king on an open board: hard to decide.
    let pos = Position::from_sfen("9/6k2/9/9/9/9/9/9/9 b R4GLr2b4s4n3l18p 1").unwrap();
    let mut solver = Solver::new(MEGABYTES);
    let mut ask = |limits: &MateLimits<'_>| solver.solve(&pos, Color::Black, limits, &mut ());
    let few = MateLimits {
        nodes: Some(1000),
        ..MateLimits::NONE
    };
    assert_eq!(ask(&few), Ok(MateVerdict::Unknown(StopReason::Nodes)));
    let brief = MateLimits {
        time: Some(Duration::from_millis(1)),
        ..MateLimits::NONE
    };
    assert_eq!(ask(&brief), Ok(MateVerdict::Unknown(StopReason::Time)));
    let stop = AtomicBool::new(true);
    let stopped = MateLimits {
        stop: Some(&stop),
        ..MateLimits::NONE
    };
    assert_eq!(ask(&stopped), Ok(MateVerdict::Unknown(StopReason::Stopped)));
    assert_eq!(solver.nodes() / 2000, 0, "a stop is seen at once");
}

#[test]
fn the_defender_may_be_asked_first() {
    let mut solver = Solver::new(MEGABYTES);
    // After G*5b the king is mated; before it, White to move steps aside.
    let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/9 w - 1").unwrap();
    let verdict = solver.solve(&mated, Color::Black, &MateLimits::NONE, &mut ());
    assert_eq!(verdict, Ok(MateVerdict::Mate(vec![])));
    let free = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 w G 1").unwrap();
    let verdict = solver.solve(&free, Color::Black, &MateLimits::NONE, &mut ());
    assert_eq!(verdict, Ok(MateVerdict::NoMate));
    // The king cannot move: whatever the pawn does, a gold mates.
    let lost = Position::from_sfen("k8/2+P6/1G7/9/9/9/9/4p4/9 w G 1").unwrap();
    let verdict = solver
        .solve(&lost, Color::Black, &MateLimits::NONE, &mut ())
        .unwrap();
    let MateVerdict::Mate(moves) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(moves.len(), 2);
}

#[test]
fn a_position_without_a_king_is_refused() {
    let pos = Position::from_sfen("9/9/9/9/9/9/9/9/4K4 b G 1").unwrap();
    let verdict = Solver::new(MEGABYTES).solve(&pos, Color::Black, &MateLimits::NONE, &mut ());
    assert_eq!(verdict, Err(ProblemError::NoKing(Color::White)));
}

#[test]
fn a_glance_agrees_with_the_solver() {
    let mut glances = 0;
    let mut leaf = LeafSolver::new(&Position::start());
    for problem in sets::all() {
        let mut pos = problem.pos.clone();
        // Asked twice: what is remembered must not change the answer.
        for _ in 0..2 {
            match leaf.quick_solve(&mut pos, 2000) {
                QuickVerdict::Mate(mv) => {
                    assert!(problem.mate && pos.is_legal(mv), "{}", problem.id);
                    glances += 1;
                }
                QuickVerdict::NoMate => assert!(!problem.mate, "{}", problem.id),
                QuickVerdict::Unknown => {}
            }
            assert_eq!(pos, problem.pos, "{}", problem.id);
        }
    }
    assert!(glances > 150, "{glances}");
}

#[test]
fn a_brinkmate_leaves_no_defence() {
    // No check mates, but with the gold on 7c the promoted pawn will, wherever the king goes.
    let pos = Position::from_sfen("k8/9/1+P7/2G6/9/9/8p/9/9 b - 1").unwrap();
    let mut solver = Solver::new(MEGABYTES);
    let found = solver.brinkmate(&pos, &MateLimits::NONE, &mut ()).unwrap();
    let BrinkmateVerdict::Brinkmate(mv, _) = found else {
        panic!("{found:?}");
    };
    let mut after = pos.clone();
    after.play(mv);
    for answer in after.legal_moves().iter() {
        let mut answered = after.clone();
        answered.play(answer);
        let verdict = solver.solve(&answered, Color::Black, &MateLimits::NONE, &mut ());
        assert!(matches!(verdict, Ok(MateVerdict::Mate(_))), "{mv} {answer}");
    }
    // A bare king against a bare king is in no danger at all.
    let calm = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap();
    assert_eq!(
        solver.brinkmate(&calm, &MateLimits::NONE, &mut ()),
        Ok(BrinkmateVerdict::None)
    );
}

#[test]
fn other_ways_to_mate_are_listed() {
    let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2G 1").unwrap();
    let mut solver = Solver::new(MEGABYTES);
    let line = ["G*5b".parse().unwrap()];
    let others = solver.alternatives(&pos, &line, &MateLimits::NONE).unwrap();
    assert!(
        others
            .iter()
            .all(|other| other.ply == 0 && other.mv != line[0])
    );
    for other in &others {
        assert_mates(&pos, &other.line, "alternative");
    }
}
