//! Every rung gives the value of the rung below it.

use super::*;
use crate::tests::played;
use proptest::prelude::*;
use tesuji_eval::{Evaluator, Material, Relation};
use tesuji_shogi::Mailbox;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::{Position, Value};

const LOW: Value = Value::new(-Value::INFINITE.points());
const HIGH: Value = Value::INFINITE;

/// A drawn tree as text, up to four levels deep; few different values, so that there are ties.
fn drawn() -> impl Strategy<Value = String> {
    let leaf = (-6..=6_i32).prop_map(|value| value.to_string());
    let tree = leaf.prop_recursive(4, 80, 4, |below| {
        (-6..=6_i32, prop::collection::vec(below, 1..=4))
            .prop_map(|(guess, below)| format!("{guess}[{}]", below.join(" ")))
    });
    tree.prop_map(|text| {
        if text.contains('[') {
            text
        } else {
            format!("[{text}]")
        }
    })
}

fn real<'e, E: Evaluator>(
    pos: &Position,
    eval: &'e E,
    depth: u32,
) -> BoardTree<Position, IncrementalLeafEval<'e, E>> {
    BoardTree::new(
        pos.clone(),
        IncrementalLeafEval::new(eval),
        MoveOrder::Captures,
        depth,
    )
}

/// Every rung with every table gives the same value and a branch that is worth it.
fn check<T: Tree>(make: impl Fn() -> T, worth: impl Fn(T::Branch) -> Value) -> Vec<Climb<T::Branch>>
where
    T::Branch: std::fmt::Debug,
{
    let value = minimax(&mut make());
    let mut climbs = Vec::new();
    for rung in Rung::ALL {
        for guess in [Value::ZERO, value, Value::new(-40)] {
            let climb = rung.count(make(), guess, &mut NoTable);
            let others = [
                rung.count(make(), guess, &mut BestTable::new(1 << 12)),
                rung.count(make(), guess, &mut BestTable::new(1)),
                rung.count(make(), guess, &mut BoundsTable::new(1 << 12)),
                rung.count(make(), guess, &mut BoundsTable::new(3)),
            ];
            for found in [&[climb], &others[..]].concat() {
                assert_eq!(found.value, value, "{rung}");
                if let Some(best) = found.best {
                    assert_eq!(worth(best), value, "{rung} chooses {best:?}");
                }
            }
            assert_eq!(
                rung.trace(make(), guess, &mut NoTable).value,
                value,
                "{rung}"
            );
            climbs.push(climb);
        }
    }
    climbs
}

fn nodes(make: impl Fn() -> Drawn, rung: Rung) -> u64 {
    rung.count(make(), Value::ZERO, &mut NoTable).nodes
}

#[test]
fn the_tree_of_the_lessons_is_worth_75_to_every_rung() {
    let worth = |twig| Drawn::lesson().after(twig, minimax);
    let climbs = check(Drawn::lesson, worth);
    assert!(climbs.iter().all(|climb| climb.value.points() == 75));
    assert!(
        climbs
            .iter()
            .all(|climb| climb.best.unwrap().to_string() == "B")
    );
    let counts = Rung::ALL.map(|rung| nodes(Drawn::lesson, rung));
    assert_eq!(counts[0], Drawn::lesson().len() as u64);
    assert_eq!(counts[..5], [29, 29, 21, 21, 21]);
}

#[test]
fn equality_cuts_too() {
    // Min has 5 in A; in B, Max finds the same 5 at once: nothing better than a tie can come.
    let trace = Rung::AlphaBeta.trace(
        "[[5 9] [5 1]]".parse::<Drawn>().unwrap(),
        Value::ZERO,
        &mut NoTable,
    );
    let cut: Vec<_> = trace
        .nodes
        .iter()
        .flat_map(|node| node.cut.clone())
        .collect();
    assert_eq!(cut, ["2"]);
}

#[test]
fn fail_soft_answers_closer_than_fail_hard() {
    let tree = || "[[35 80]]".parse::<Drawn>().unwrap();
    let (alpha, beta) = (Value::new(75), HIGH);
    assert_eq!(nega_alpha_beta(&mut tree(), alpha, beta).points(), 75);
    assert_eq!(fail_soft(&mut tree(), alpha, beta).points(), 35);
}

#[test]
fn a_trace_says_what_happened_and_can_be_sent() {
    let trace = Rung::AlphaBeta.trace(Drawn::lesson(), Value::ZERO, &mut NoTable);
    assert_eq!(trace.nodes.len(), 21);
    assert_eq!(trace.passes().count(), 1);
    let cut: Vec<String> = (0..trace.nodes.len())
        .flat_map(|at| trace.nodes[at].cut.iter().map(move |twig| (at, twig)))
        .map(|(at, twig)| trace.name(at) + twig)
        .collect();
    assert_eq!(cut, ["A2b", "B2b", "C2", "D2"]);
    let json = serde_json::to_value(&trace).unwrap();
    assert_eq!(json["rung"], "alpha-beta");
    assert_eq!(json["value"], 75);
    assert_eq!(json["nodes"][0]["turn"], "max");
    assert_eq!(json["nodes"][1]["branch"], "A");
    assert_eq!(json["nodes"][1]["alpha"], -32_001);
}

#[test]
fn nodes_are_found_by_name() {
    let below = |name| -> Vec<i32> {
        let leaves = Drawn::lesson().leaves_below(name);
        leaves.into_iter().map(Value::points).collect()
    };
    assert_eq!(below("C2"), [85, 10]);
    assert_eq!(below("C2b"), [10]);
    assert_eq!(below("").len(), 16);
    assert_eq!(below("E").len(), 0);
}

#[test]
fn what_is_no_tree_is_refused() {
    for (text, error) in [
        ("", DrawnError::Nothing),
        ("[1 [2", DrawnError::Open),
        ("[]", DrawnError::Empty),
        ("[1 2] 3", DrawnError::Behind("3".into())),
        ("[1 2]]", DrawnError::Behind("]".into())),
        ("[1 x]", DrawnError::Word("x".into())),
        ("[1 40000]", DrawnError::Large("40000".into())),
    ] {
        assert_eq!(text.parse::<Drawn>(), Err(error), "{text}");
    }
    assert_eq!("[".repeat(100).parse::<Drawn>(), Err(DrawnError::Deep));
}

#[test]
fn mates_are_seen_and_the_shortest_is_taken() {
    // A gold on 5b mates at once.
    let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    for rung in Rung::ALL {
        let climb = rung.count(real(&pos, &Material, 3), Value::ZERO, &mut NoTable);
        assert_eq!(climb.value, Value::mate_in(1), "{rung}");
        assert_eq!(climb.best.unwrap().to_string(), "G*5b");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_rung_equals_minimax_on_drawn_trees(text in drawn()) {
        let tree: Drawn = text.parse().unwrap();
        prop_assert_eq!(&tree.to_string().parse::<Drawn>().unwrap(), &tree);
        let worth = |twig| tree.clone().after(twig, minimax);
        check(|| tree.clone(), worth);
        let count = |rung| nodes(|| tree.clone(), rung);
        prop_assert_eq!(count(Rung::Minimax), tree.len() as u64);
        prop_assert_eq!(count(Rung::Negamax), count(Rung::Minimax));
        prop_assert!(count(Rung::AlphaBeta) <= count(Rung::Minimax));
        prop_assert_eq!(count(Rung::NegaAlphaBeta), count(Rung::AlphaBeta));
        prop_assert_eq!(count(Rung::FailSoft), count(Rung::AlphaBeta));
    }

    #[test]
    fn answers_outside_the_window_are_bounds(text in drawn(), low in -7..7_i32, wide in 1..5_i32) {
        let tree: Drawn = text.parse().unwrap();
        let (alpha, beta) = (Value::new(low), Value::new(low + wide));
        let truth = minimax(&mut tree.clone());
        let hard = nega_alpha_beta(&mut tree.clone(), alpha, beta);
        prop_assert_eq!(hard, truth.clamp(alpha, beta));
        prop_assert_eq!(alpha_beta(&mut tree.clone(), alpha, beta), hard);
        for soft in [fail_soft(&mut tree.clone(), alpha, beta), pvs(&mut tree.clone(), alpha, beta)] {
            prop_assert_eq!(soft.clamp(alpha, beta), hard);
            let bounds = Bounds::told(alpha, beta, soft);
            prop_assert!(bounds.lower <= truth && truth <= bounds.upper);
        }
    }

    #[test]
    fn nothing_drawn_makes_the_reader_panic(text in "[-0-9\\[\\] x,]{0,40}") {
        let _ = text.parse::<Drawn>();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_rung_equals_minimax_on_real_positions(
        choices in prop::collection::vec(any::<usize>(), 0..60)
    ) {
        let pos = played(&choices);
        let eval = Relation::new();
        let worth = |mv| real(&pos, &eval, 2).after(mv, minimax);
        check(|| real(&pos, &eval, 2), worth);
        check(|| real(&pos, &Material, 2), |mv| {
            real(&pos, &Material, 2).after(mv, minimax)
        });
        let count = |rung: Rung| rung.count(real(&pos, &eval, 3), Value::ZERO, &mut NoTable);
        prop_assert_eq!(count(Rung::FailSoft).value, count(Rung::Pvs).value);
        prop_assert_eq!(count(Rung::FailSoft).value, count(Rung::Deepening).value);
    }

    #[test]
    fn every_board_and_leaf_evaluation_agrees(choices in prop::collection::vec(any::<usize>(), 0..60)) {
        let pos = played(&choices);
        let mut values = vec![fail_soft(&mut real(&pos, &Material, 2), LOW, HIGH)];
        let order = MoveOrder::Captures;
        let pieces = MaterialLeafEval::new(&pos);
        values.push(fail_soft(&mut BoardTree::new(pos.clone(), pieces.clone(), order, 2), LOW, HIGH));
        let (mailbox, scan) = (Mailbox::from(&pos), ScanBoard::from(&pos));
        values.push(fail_soft(&mut BoardTree::new(mailbox.clone(), pieces.clone(), order, 2), LOW, HIGH));
        values.push(fail_soft(&mut BoardTree::new(scan.clone(), pieces, order, 2), LOW, HIGH));
        let set_up = FreshLeafEval::new(|pos: &Position| Material.evaluate(pos));
        values.push(fail_soft(&mut BoardTree::new(scan, set_up, order, 2), LOW, HIGH));
        prop_assert!(values.iter().all(|&value| value == values[0]), "{:?}", values);

        let relation = Relation::new();
        let usual = fail_soft(&mut real(&pos, &relation, 1), LOW, HIGH);
        let anew = BoardTree::new(mailbox, FreshLeafEval::new(|pos: &Position| relation.evaluate(pos)), MoveOrder::Generated, 1);
        prop_assert_eq!(fail_soft(&mut { anew }, LOW, HIGH), usual);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn harmless_faults_are_harmless_and_first_branches_agree(text in drawn()) {
        let tree: Drawn = text.parse().unwrap();
        let value = minimax(&mut tree.clone());
        for fault in Fault::ALL.into_iter().filter(|fault| fault.is_harmless()) {
            prop_assert_eq!(fault.trace(tree.clone()).value, value);
        }
        for first in [FirstBranch::Leftmost, FirstBranch::UntilRaised] {
            prop_assert_eq!(pvs_first(&mut tree.clone(), LOW, HIGH, first), value);
        }
    }

    #[test]
    fn whatever_was_cut_may_be_anything(text in drawn()) {
        let tree: Drawn = text.parse().unwrap();
        let trace = Rung::AlphaBeta.trace(tree.clone(), Value::ZERO, &mut NoTable);
        for (number, node) in trace.nodes.iter().enumerate() {
            for branch in &node.cut {
                let name = format!("{}{branch}", trace.name(number));
                for value in [-Drawn::INFINITE, Drawn::INFINITE] {
                    let other = minimax(&mut tree.with_leaves_below(&name, value));
                    prop_assert_eq!(other, trace.value, "{} in {}", name, text);
                }
            }
        }
    }
}
