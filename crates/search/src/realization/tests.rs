//! Full width is alpha-beta; MTD(f) finds what alpha-beta finds; and both keep what they are told.

use super::category::COUNTED;
use super::*;
use crate::ladder::{Following, NoTable, Order, Real, Rung};
use crate::{Answer, Best, Control, Info, Limits, Phase, Quiet, Report, Root, Search};
use proptest::prelude::*;
use std::time::Duration;
use tesuji_eval::{Material, Relation};
use tesuji_shogi::{Board, Move, Position, Value};

const BYTES: usize = 1 << 20;

fn root(pos: &Position) -> Root {
    let mut root = Root::new(pos.clone());
    root.rules.all_moves = true; // As the ladder does.
    root
}

fn think(search: &mut impl Search, root: &Root, limits: &Limits) -> Best {
    search.think(
        root,
        limits,
        &Control::new(Phase::Thinking, None),
        &mut Quiet,
    )
}

fn deep(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn played(choices: &[usize]) -> Position {
    let mut pos = Position::start();
    for &choice in choices {
        let moves = pos.legal_moves();
        match moves.get(choice % moves.len().max(1)) {
            Some(mv) => pos.play(mv),
            None => break,
        };
    }
    Position::from_sfen(&pos.to_sfen()).unwrap()
}

fn is_legal_line(pos: &Position, line: &[Move]) -> bool {
    let mut pos = pos.clone();
    line.iter().all(|&mv| pos.try_play(mv).is_ok())
}

#[test]
fn chances_are_what_was_counted() {
    for &(name, percent, chance) in COUNTED {
        let counted = Chance::of(percent / 100.0);
        let off = counted.halvings().abs_diff(chance.halvings());
        assert!(
            off <= 3,
            "{name}: {percent} % is {counted:?}, not {chance:?}"
        );
    }
    assert_eq!(Chance::of(1.0), Chance::SUREST);
    assert!(Anything::CHANCE.is_likelier_than(Chance::of(0.0)));
}

#[test]
fn a_tuple_says_the_likeliest() {
    // The rook on 2h takes the pawn that has just come to 2g, or goes elsewhere.
    let mut pos = Position::from_sfen("4k4/9/9/9/9/7p1/9/7R1/4K4 w - 1").unwrap();
    pos.play("2f2g".parse().unwrap());
    let scene = Scene::of(&pos);
    let (takes, goes): (Move, Move) = ("2h2g".parse().unwrap(), "2h3h".parse().unwrap());
    assert_eq!(
        (Safe, Recapture).chance(&scene, takes),
        Some(Recapture::CHANCE)
    );
    assert_eq!(
        (Recapture, Safe).chance(&scene, takes),
        Some(Recapture::CHANCE)
    );
    assert_eq!((Recapture, Safe).chance(&scene, goes), Some(Safe::CHANCE));
    assert_eq!((Recapture, EvenCapture).chance(&scene, goes), None);
    assert_eq!(
        ((Recapture, Safe), FullWidth).chance(&scene, goes),
        Some(Chance::HALF)
    );
}

#[test]
fn nobody_has_to_take_what_a_selective_class_brings() {
    // Black's only capture loses the rook for a pawn.
    let pos = Position::from_sfen("4k4/9/7g1/7p1/9/9/9/7R1/4K4 b - 1").unwrap();
    let mut search = Realization::new(Material, (EvenCapture, Recapture), AlphaBeta, BYTES);
    let best = think(&mut search, &root(&pos), &deep(6));
    let standing = tesuji_eval::Evaluator::evaluate(&Material, &pos);
    assert!(best.value >= standing, "{best:?}");
}

#[test]
fn several_lines_are_different_and_in_order() {
    #[derive(Default)]
    struct Last(Vec<Info>);
    impl Report for Last {
        fn info(&mut self, info: &Info) {
            self.0.retain(|old| old.depth == info.depth);
            self.0.push(info.clone());
        }
    }
    let limits = Limits {
        lines: 3,
        ..deep(3)
    };
    let pos = played(&[3, 9, 27, 4, 11]);
    let (control, mut last) = (Control::new(Phase::Thinking, None), Last::default());
    let mut search = Realization::new(Material, FullWidth, MtdF, BYTES);
    search.think(&root(&pos), &limits, &control, &mut last);
    let infos = last.0;
    assert_eq!(
        infos.iter().map(|info| info.rank).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert!(infos.is_sorted_by(|a, b| a.value.value >= b.value.value && a.line[0] != b.line[0]));
}

#[test]
fn limits_are_kept() {
    let pos = played(&[5; 12]);
    let mut search = Realization::usual(Relation::new(), BYTES);
    let limits = Limits {
        nodes: Some(1234),
        ..Limits::default()
    };
    let best = think(&mut search, &root(&pos), &limits);
    assert_eq!(best.nodes, 1234);

    let only: Move = pos.legal_moves().iter().last().unwrap();
    let mut few = root(&pos);
    few.moves = vec![only];
    assert_eq!(
        think(&mut search, &few, &deep(4)).answer,
        Answer::Move(only)
    );

    let control = Control::new(Phase::Thinking, None);
    control.stop();
    let best = search.think(&root(&pos), &Limits::default(), &control, &mut Quiet);
    assert!(matches!(best.answer, Answer::Move(mv) if pos.is_legal(mv)));
    assert_eq!((best.nodes, best.depth), (0, 0));

    let budget = crate::Budget::exactly(Duration::from_millis(5));
    let control = Control::new(Phase::Thinking, Some(budget));
    let best = search.think(&root(&pos), &Limits::default(), &control, &mut Quiet);
    assert!(is_legal_line(&pos, &best.line));
}

#[test]
fn who_cannot_move_resigns_and_who_goes_round_draws() {
    let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
    let mut search = Realization::usual(Material, BYTES);
    assert_eq!(
        think(&mut search, &root(&mated), &deep(3)).answer,
        Answer::Resign
    );

    // Black is a rook behind. Going back to 5i, where the same stood four moves ago, draws.
    let mut pos = Position::from_sfen("4k4/9/9/9/9/9/9/r8/4K4 b - 1").unwrap();
    for mv in ["5i4i", "9h8h", "4i5i", "8h9h"] {
        pos.play(mv.parse().unwrap());
    }
    for mv in ["5i4i", "9h8h"] {
        pos.play(mv.parse().unwrap());
    }
    let best = think(&mut search, &root(&pos), &deep(4));
    assert_eq!(
        (best.value, best.line[0].to_string().as_str()),
        (Value::ZERO, "4i5i")
    );
}

#[test]
fn a_game_that_ends_by_its_length_is_drawn() {
    let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/r3K4 b - 10").unwrap();
    let mut root = root(&pos);
    root.rules.move_limit = Some(10);
    root.rules.draw[pos.turn()] = Value::new(-7);
    let mut search = Realization::new(Material, FullWidth, AlphaBeta, BYTES);
    assert_eq!(think(&mut search, &root, &deep(3)).value, Value::new(-7));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn full_width_is_alpha_beta(choices in prop::collection::vec(any::<usize>(), 0..60)) {
        let pos = played(&choices);
        for depth in 1..=3 {
            let eval = Relation::new();
            let tree = Real::new(pos.clone(), Following::new(&eval), Order::Captures, depth);
            let plain = Rung::FailSoft.count(tree, Value::ZERO, &mut NoTable).value;
            let mut search = Realization::new(Relation::new(), FullWidth, AlphaBeta, BYTES);
            let best = think(&mut search, &root(&pos), &deep(depth));
            prop_assert_eq!(best.value, plain);
            prop_assert_eq!(best.depth, depth);
            prop_assert!(is_legal_line(&pos, &best.line));
            let mut search = Realization::new(Relation::new(), (FullWidth,), MtdF, BYTES);
            prop_assert_eq!(think(&mut search, &root(&pos), &deep(depth)).value, plain);
        }
    }

    #[test]
    fn both_methods_find_the_same(choices in prop::collection::vec(any::<usize>(), 0..60)) {
        let pos = played(&choices);
        let root = Root::new(pos.clone());
        let limits = deep(13);
        let wide = think(&mut Realization::usual(Material, BYTES), &root, &limits);
        let mut zero = Realization::new(Material, Usual::default(), MtdF, BYTES);
        let narrow = think(&mut zero, &root, &limits);
        prop_assert_eq!(wide.value, narrow.value);
        prop_assert!(is_legal_line(&pos, &narrow.line) && is_legal_line(&pos, &wide.line));
        // A memory of one slot changes nothing but the number of nodes.
        let forgetful = think(&mut Realization::usual(Material, 1), &root, &limits);
        prop_assert_eq!(wide.value, forgetful.value);
    }
}
