use super::*;
use crate::{
    Answer, NoListener, Phase, Search, SearchControl, SearchInfo, SearchLimits, SearchListener,
    SearchRequest, SearchResult,
};
use tesuji_eval::{Material, Relation};
use tesuji_shogi::{Board, Position, Value};

fn think(search: &mut impl Search, sfen: &str, limits: SearchLimits) -> SearchResult {
    let position = Position::from_sfen(sfen).unwrap();
    let request = SearchRequest::new(position).with_limits(limits);
    let control = SearchControl::new(Phase::Thinking, None);
    search.think(&request, &control, &mut NoListener)
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// Every principal variation reported must be legal from the root on.
struct LegalityListener<'a>(&'a Position, usize);

impl SearchListener for LegalityListener<'_> {
    fn info(&mut self, info: &SearchInfo) {
        let mut pos = self.0.clone();
        for &mv in &info.pv {
            assert!(pos.try_play(mv).is_ok(), "{mv} in {:?}", info.pv);
        }
        self.1 += 1;
    }
}

#[test]
fn every_line_is_legal_and_the_answer_begins_the_last() {
    for sfen in [START, MIDDLE] {
        let pos = Position::from_sfen(sfen).unwrap();
        let mut search = Tournament::new(Relation::new(), 1, 1 << 22).unwrap();
        let mut listener = LegalityListener(&pos, 0);
        let control = SearchControl::new(Phase::Thinking, None);
        let mut request = SearchRequest::new(pos.clone()).with_limits(SearchLimits::depth(9));
        request.limits.multi_pv = 3;
        let best = search.think(&request, &control, &mut listener);
        assert!(listener.1 >= 27);
        assert_eq!(best.answer, Answer::Move(best.pv[0]));
        assert_eq!(best.depth, 9);
    }
}

#[test]
fn the_same_request_gives_the_same_answer() {
    let ask = || {
        let mut search = Tournament::new(Relation::new(), 1, 1 << 22).unwrap();
        let first = think(&mut search, MIDDLE, SearchLimits::depth(8));
        search.new_game();
        assert_eq!(think(&mut search, MIDDLE, SearchLimits::depth(8)), first);
        first
    };
    assert_eq!(ask(), ask());
}

#[test]
fn nodes_are_counted_exactly() {
    let mut search = Tournament::new(Material, 1, 1 << 20).unwrap();
    for nodes in [1, 2, 10, 777, 12_345] {
        let limits = SearchLimits::nodes(nodes);
        let best = think(&mut search, START, limits);
        assert_eq!(best.nodes, nodes);
        assert!(matches!(best.answer, Answer::Move(_)));
    }
}

#[test]
fn mates_have_their_true_length() {
    // 5 plies: found by search, each of them a check.
    let cases = [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", 1),
        (
            "7nl/5kP2/3p2g1p/2p1gp3/p6sP/s1BGpN3/4nPSp1/1+r4R2/L1+p3K1L w GSNLPb6p 122",
            5,
        ),
    ];
    for (sfen, plies) in cases {
        let mut search = Tournament::new(Material, 1, 1 << 22).unwrap();
        let best = think(&mut search, sfen, SearchLimits::depth(12));
        if plies == 1 {
            assert_eq!(best.value, Value::mate_in(1), "{sfen}");
        }
        if let Some(distance) = best.value.mate_distance() {
            let mut pos = Position::from_sfen(sfen).unwrap();
            assert_eq!(best.pv.len() as i32, distance.abs(), "{sfen}");
            for &mv in &best.pv {
                pos.play(mv);
            }
            assert!(pos.legal_moves().is_empty() && pos.in_check());
        }
    }
}

#[test]
fn no_move_resigns_and_an_entered_king_declares() {
    let mut search = Tournament::new(Material, 1, 1 << 20).unwrap();
    let mated = think(
        &mut search,
        "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
        SearchLimits::depth(3),
    );
    assert_eq!(mated.answer, Answer::Resign);
    let entered = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1";
    let best = think(&mut search, entered, SearchLimits::depth(3));
    assert_eq!(best.answer, Answer::Declare);
}

#[test]
fn only_wanted_moves_are_played() {
    let mut search = Tournament::new(Material, 1, 1 << 20).unwrap();
    let mut request = SearchRequest::new(Position::start()).with_limits(SearchLimits::depth(5));
    request.search_moves = vec!["9g9f".parse().unwrap(), "1g1f".parse().unwrap()];
    let control = SearchControl::new(Phase::Thinking, None);
    let best = search.think(&request, &control, &mut NoListener);
    assert!(matches!(best.answer, Answer::Move(mv) if request.search_moves.contains(&mv)));
}

#[test]
fn several_threads_stop_together() {
    let mut search = Tournament::new(Relation::new(), 3, 1 << 22).unwrap();
    for _ in 0..20 {
        let control = SearchControl::new(Phase::Pondering, None);
        let request = SearchRequest::new(Position::from_sfen(MIDDLE).unwrap());
        let best = std::thread::scope(|scope| {
            let thinking = scope.spawn(|| search.think(&request, &control, &mut NoListener));
            std::thread::sleep(std::time::Duration::from_millis(5));
            control.stop();
            thinking.join().unwrap()
        });
        let Answer::Move(mv) = best.answer else {
            panic!("a move")
        };
        assert!(request.position.is_legal(mv));
    }
}

#[test]
fn whole_games_end_by_the_rules() {
    let mut search = Tournament::new(Relation::new(), 1, 1 << 20).unwrap();
    let limits = SearchLimits::nodes(400);
    for game in 0..6 {
        search.new_game();
        let mut pos = Position::start();
        pos.play(pos.legal_moves().get(game * 5).unwrap());
        while pos.played() < 300 {
            let request = SearchRequest::new(pos.clone()).with_limits(limits.clone());
            let control = SearchControl::new(Phase::Thinking, None);
            let best = search.think(&request, &control, &mut LegalityListener(&pos, 0));
            match best.answer {
                Answer::Move(mv) => assert!(pos.try_play(mv).is_ok(), "{mv} in {pos:?}"),
                Answer::Resign => {
                    assert!(pos.legal_moves().is_empty());
                    break;
                }
                Answer::Declare => break,
            }
        }
    }
}

#[test]
fn every_number_can_be_set_within_its_range() {
    let mut params = crate::params::Params::default();
    for param in params.list() {
        assert!(
            (param.least..=param.most).contains(&param.value),
            "{}",
            param.name
        );
        assert!(params.set(param.name, param.most));
        assert!(!params.set(param.name, param.most + 1));
    }
    assert!(!params.set("no_such_number", 1));
    assert!(params.list().iter().all(|param| param.value == param.most));
}

/// Whatever a tuner tries within the ranges is a search: it answers with a legal move, and nothing
/// overflows, which the tests check.
#[test]
fn any_numbers_within_their_ranges_make_a_search() {
    let mut search = Tournament::new(Relation::new(), 1, 1 << 20).unwrap();
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut roll = |sides: u64| {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(1442695040888963407);
        (state >> 33) % sides
    };
    for round in 0..30 {
        for param in search.params().list() {
            let range = (i64::from(param.most) - i64::from(param.least)) as u64;
            let value = match (round, roll(4)) {
                (0, _) => param.least,
                (1, _) => param.most,
                (_, 0) => param.least,
                (_, 1) => param.most,
                _ => param.least + roll(range + 1) as i32,
            };
            assert!(search.params().set(param.name, value), "{}", param.name);
        }
        search.params().leaf_mate_nodes %= 20;
        search.new_game();
        for sfen in [START, MIDDLE] {
            let best = think(&mut search, sfen, SearchLimits::nodes(1500));
            let pos = Position::from_sfen(sfen).unwrap();
            assert!(pos.is_legal(best.pv[0]), "{:?}", best.pv);
        }
    }
}

/// What an evaluation calls a point does not matter: only what it thinks of positions does.
#[test]
fn an_evaluation_with_larger_values_plays_the_same_moves() {
    struct Doubled(Relation);
    impl tesuji_eval::Eval for Doubled {
        type Stack = <Relation as tesuji_eval::Eval>::Stack;
        fn stack(&self) -> Self::Stack {
            tesuji_eval::Eval::stack(&self.0)
        }
        fn push(stack: &mut Self::Stack, change: tesuji_shogi::Change) {
            <Relation as tesuji_eval::Eval>::push(stack, change);
        }
        fn pop(stack: &mut Self::Stack) {
            <Relation as tesuji_eval::Eval>::pop(stack);
        }
        fn value(&self, stack: &mut Self::Stack, pos: &Position) -> Value {
            let value = tesuji_eval::Eval::value(&self.0, stack, pos);
            Value::new(2 * value.points())
        }
    }
    let mut single = Tournament::new(Relation::new(), 1, 1 << 20).unwrap();
    let mut double = Tournament::new(Doubled(Relation::new()), 1, 1 << 20).unwrap();
    for sfen in [START, MIDDLE] {
        let one = think(&mut single, sfen, SearchLimits::depth(8));
        let two = think(&mut double, sfen, SearchLimits::depth(8));
        assert_eq!((&one.pv, one.nodes), (&two.pv, two.nodes), "{sfen}");
        let (one, two) = (one.value, two.value);
        let is_mate = one.mate_distance().is_some();
        let expected = if is_mate {
            one
        } else {
            Value::new(2 * one.points())
        };
        assert!((two - expected).points().abs() <= 3, "{one:?} {two:?}");
    }
}
