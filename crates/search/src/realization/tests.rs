//! Full width is alpha-beta; MTD(f) finds what alpha-beta finds; and both keep what they are told.

use super::category::COUNTED;
use super::*;
use crate::ladder::{BoardTree, IncrementalLeafEval, MoveOrder, NoTable, Rung};
use crate::tests::played;
use crate::{
    Answer, NoListener, Phase, Search, SearchControl, SearchInfo, SearchLimits, SearchListener,
    SearchRequest, SearchResult, TimeBudget,
};
use proptest::prelude::*;
use std::time::Duration;
use tesuji_eval::{Material, Relation};
use tesuji_shogi::{Board, Move, Position, Value};

const BYTES: usize = 1 << 20;

fn request(pos: &Position, limits: SearchLimits) -> SearchRequest {
    let mut request = SearchRequest::new(pos.clone()).with_limits(limits);
    request.rules.all_legal_moves = true; // As the ladder does.
    request
}

fn think(search: &mut impl Search, request: &SearchRequest) -> SearchResult {
    let control = SearchControl::new(Phase::Thinking, None);
    search.think(request, &control, &mut NoListener)
}

fn is_legal_line(pos: &Position, line: &[Move]) -> bool {
    let mut pos = pos.clone();
    line.iter().all(|&mv| pos.try_play(mv).is_ok())
}

#[test]
fn probabilities_are_what_was_counted() {
    for &(name, percent, probability) in COUNTED {
        let counted = TransitionProbability::of(percent / 100.0);
        let off = counted.halvings().abs_diff(probability.halvings());
        assert!(
            off <= 3,
            "{name}: {percent} % is {counted:?}, not {probability:?}"
        );
    }
    assert_eq!(
        TransitionProbability::of(1.0),
        TransitionProbability::SUREST
    );
    assert!(Anything::PROBABILITY.is_likelier_than(TransitionProbability::of(0.0)));
}

#[test]
fn a_tuple_says_the_likeliest() {
    // The rook on 2h takes the pawn that has just come to 2g, or goes elsewhere.
    let mut pos = Position::from_sfen("4k4/9/9/9/9/7p1/9/7R1/4K4 w - 1").unwrap();
    pos.play("2f2g".parse().unwrap());
    let context = MoveContext::of(&pos);
    let (takes, goes): (Move, Move) = ("2h2g".parse().unwrap(), "2h3h".parse().unwrap());
    assert_eq!(
        (Safe, Recapture).probability(&context, takes),
        Some(Recapture::PROBABILITY)
    );
    assert_eq!(
        (Recapture, Safe).probability(&context, takes),
        Some(Recapture::PROBABILITY)
    );
    assert_eq!(
        (Recapture, Safe).probability(&context, goes),
        Some(Safe::PROBABILITY)
    );
    assert_eq!((Recapture, EvenCapture).probability(&context, goes), None);
    assert_eq!(
        ((Recapture, Safe), FullWidth).probability(&context, goes),
        Some(TransitionProbability::HALF)
    );
}

#[test]
fn nobody_has_to_take_what_a_selective_category_brings() {
    // Black's only capture loses the rook for a pawn.
    let pos = Position::from_sfen("4k4/9/7g1/7p1/9/9/9/7R1/4K4 b - 1").unwrap();
    let mut search = RealizationSearch::new(Material, (EvenCapture, Recapture), AlphaBeta, BYTES);
    let best = think(&mut search, &request(&pos, SearchLimits::depth(6)));
    let standing = tesuji_eval::Evaluator::evaluate(&Material, &pos);
    assert!(best.value >= standing, "{best:?}");
}

#[test]
fn several_lines_are_different_and_in_order() {
    #[derive(Default)]
    struct Last(Vec<SearchInfo>);
    impl SearchListener for Last {
        fn info(&mut self, info: &SearchInfo) {
            self.0.retain(|old| old.depth == info.depth);
            self.0.push(info.clone());
        }
    }
    let pos = played(&[3, 9, 27, 4, 11]);
    let mut request = request(&pos, SearchLimits::depth(3));
    request.limits.multi_pv = 3;
    let (control, mut last) = (SearchControl::new(Phase::Thinking, None), Last::default());
    let mut search = RealizationSearch::new(Material, FullWidth, MtdF, BYTES);
    search.think(&request, &control, &mut last);
    let infos = last.0;
    assert_eq!(
        infos.iter().map(|info| info.multipv).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert!(infos.is_sorted_by(|a, b| a.value.value >= b.value.value && a.pv[0] != b.pv[0]));
}

#[test]
fn limits_are_kept() {
    let pos = played(&[5; 12]);
    let mut search = RealizationSearch::standard(Relation::new(), BYTES);
    let best = think(&mut search, &request(&pos, SearchLimits::nodes(1234)));
    assert_eq!(best.nodes, 1234);

    let only: Move = pos.legal_moves().iter().last().unwrap();
    let mut few = request(&pos, SearchLimits::depth(4));
    few.search_moves = vec![only];
    assert_eq!(think(&mut search, &few).answer, Answer::Move(only));

    let control = SearchControl::new(Phase::Thinking, None);
    control.stop();
    let endless = request(&pos, SearchLimits::default());
    let best = search.think(&endless, &control, &mut NoListener);
    assert!(matches!(best.answer, Answer::Move(mv) if pos.is_legal(mv)));
    assert_eq!((best.nodes, best.depth), (0, 0));

    let budget = TimeBudget::exactly(Duration::from_millis(5));
    let control = SearchControl::new(Phase::Thinking, Some(budget));
    let best = search.think(&endless, &control, &mut NoListener);
    assert!(is_legal_line(&pos, &best.pv));
}

#[test]
fn who_cannot_move_resigns_and_who_goes_round_draws() {
    let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
    let mut search = RealizationSearch::standard(Material, BYTES);
    assert_eq!(
        think(&mut search, &request(&mated, SearchLimits::depth(3))).answer,
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
    let best = think(&mut search, &request(&pos, SearchLimits::depth(4)));
    assert_eq!(
        (best.value, best.pv[0].to_string().as_str()),
        (Value::ZERO, "4i5i")
    );
}

#[test]
fn a_game_that_ends_by_its_length_is_drawn() {
    let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/r3K4 b - 10").unwrap();
    let mut request = request(&pos, SearchLimits::depth(3));
    request.rules.move_limit = Some(10);
    request.rules.draw_value[pos.turn()] = Value::new(-7);
    let mut search = RealizationSearch::new(Material, FullWidth, AlphaBeta, BYTES);
    assert_eq!(think(&mut search, &request).value, Value::new(-7));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn generated_categories_are_those_classified(
        choices in prop::collection::vec(any::<usize>(), 0..80),
    ) {
        let mut pos = Position::start();
        for choice in choices {
            let moves = pos.legal_moves();
            match moves.get(choice % moves.len().max(1)) {
                Some(mv) => pos.play(mv),
                None => break,
            };
            type Forcing = (Recapture, WinningCapture, EvenCapture, Check, Evasion);
            for worse in [true, false] {
                let context = || match worse {
                    true => MoveContext::of(&pos),
                    false => MoveContext::of(&pos).without_worse(),
                };
                let sorted = |mut moves: LikelyMoves| {
                    moves.sort_by_key(|(mv, _)| mv.bits());
                    moves
                };
                let classified = sorted(StandardCategories::default().moves(&context()));
                let generated = Generated(StandardCategories::default()).moves(&context());
                prop_assert_eq!(sorted(generated), classified, "{:?}", pos);
                let classified = sorted(Forcing::default().moves(&context()));
                let generated = ForcingCategories::default().moves(&context());
                prop_assert_eq!(sorted(generated), classified, "{:?}", pos);
            }
        }
    }

    #[test]
    fn full_width_is_alpha_beta(choices in prop::collection::vec(any::<usize>(), 0..60)) {
        let pos = played(&choices);
        for depth in 1..=3 {
            let eval = Relation::new();
            let tree = BoardTree::new(
                pos.clone(),
                IncrementalLeafEval::new(&eval),
                MoveOrder::Captures,
                depth,
            );
            let plain = Rung::FailSoft.count(tree, Value::ZERO, &mut NoTable).value;
            let mut search = RealizationSearch::new(Relation::new(), FullWidth, AlphaBeta, BYTES);
            let best = think(&mut search, &request(&pos, SearchLimits::depth(depth)));
            prop_assert_eq!(best.value, plain);
            // Where the game is over nothing is searched, and no depth is told.
            let told = if best.pv.is_empty() { 0 } else { depth };
            prop_assert_eq!(best.depth, told);
            prop_assert_eq!(best.pv.is_empty(), pos.legal_moves().is_empty());
            prop_assert!(is_legal_line(&pos, &best.pv));
            let mut search = RealizationSearch::new(Relation::new(), (FullWidth,), MtdF, BYTES);
            prop_assert_eq!(think(&mut search, &request(&pos, SearchLimits::depth(depth))).value, plain);
        }
    }

    #[test]
    fn both_methods_find_the_same(choices in prop::collection::vec(any::<usize>(), 0..60)) {
        let pos = played(&choices);
        let request = SearchRequest::new(pos.clone()).with_limits(SearchLimits::depth(13));
        let wide = think(&mut RealizationSearch::standard(Material, BYTES), &request);
        let mut zero = RealizationSearch::new(Material, StandardCategories::default(), MtdF, BYTES);
        let narrow = think(&mut zero, &request);
        prop_assert_eq!(wide.value, narrow.value);
        prop_assert!(is_legal_line(&pos, &narrow.pv) && is_legal_line(&pos, &wide.pv));
        // A table of one slot changes nothing but the number of nodes.
        let forgetful = think(&mut RealizationSearch::standard(Material, 1), &request);
        prop_assert_eq!(wide.value, forgetful.value);
    }
}
