//! Every combination plays legal moves or says in a sentence why not; values do not depend on boards.

use super::*;
use crate::{NoListener, Phase, Search, SearchControl, SearchLimits, SearchRequest, TimeBudget};
use std::time::Duration;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_shogi::{Position, Value};

const BYTES: usize = 1 << 16;

fn player(parts: &PlayerParts, eval: &EvalSpec) -> Result<Box<dyn Search>, PartsError> {
    let any = AnyEval::choose(eval, &EvalSettings::default()).unwrap();
    let is_material = *eval == EvalSpec::Material;
    choose_boxed(parts, (any, is_material), (1, BYTES))
}

/// Every board, search, table and quiescence.
fn all_parts() -> impl Iterator<Item = PlayerParts> {
    let tables = || std::iter::once(None).chain(TableName::ALL.iter().copied().map(Some));
    SearchName::ALL.iter().flat_map(move |&search| {
        BoardName::ALL.iter().flat_map(move |&board| {
            tables().flat_map(move |table| {
                [None, Some(true), Some(false)].map(|quiescence| PlayerParts {
                    board,
                    table,
                    quiescence,
                    ..PlayerParts::of(search)
                })
            })
        })
    })
}

/// Lively positions: checks, captures, promotions and drops within a few moves.
const POSITIONS: [&str; 3] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "7nl/5kgs1/3+P1ppp1/8p/9/2R6/4P1PPP/5GSK1/7NL b BNr 1",
    "ln1g3nl/1r2k1gs1/p1pppp2p/6pp1/1p5P1/2P1P4/PP1PGPP1P/1B4SR1/LNSGK2NL w Bs 1",
];

#[test]
fn every_combination_plays_or_says_why_not() {
    let (mut played, mut refused) = (0, 0);
    for eval in [EvalSpec::Material, EvalSpec::Relation] {
        for (number, parts) in all_parts().enumerate() {
            let mut search = match player(&parts, &eval) {
                Ok(search) => search,
                Err(PartsError::Refused(why)) => {
                    let why = why.reason();
                    let is_sentence = why.len() > 30 && !why.contains('\n');
                    assert!(is_sentence && parts.check().is_err(), "{parts}: {why}");
                    refused += 1;
                    continue;
                }
                Err(PartsError::Table(error)) => panic!("{parts}: {error}"),
            };
            let sfen = POSITIONS[number % POSITIONS.len()];
            let mut pos = Position::from_sfen(sfen).unwrap();
            for _ in 0..3 {
                let limits = SearchLimits::nodes(40);
                let request = SearchRequest::new(pos.clone()).with_limits(limits);
                let control = SearchControl::new(Phase::Thinking, None);
                let result = search.think(&request, &control, &mut NoListener);
                let Some(mv) = result.answer.played() else {
                    assert!(tesuji_shogi::Board::legal_moves(&pos).is_empty(), "{parts}");
                    break;
                };
                let mut line = pos.clone();
                let is_legal = result.pv.iter().all(|&mv| line.try_play(mv).is_ok());
                assert!(is_legal, "{parts} {eval}: {:?} in {pos:?}", result.pv);
                pos.play(mv);
            }
            played += 1;
        }
    }
    // 15 searches, 3 boards, 4 tables, 3 settings of quiescence, 2 evaluators.
    assert_eq!(played + refused, 15 * 3 * 4 * 3 * 2);
    // Refused: six rungs with a table, the tournament search elsewhere, without its table or without
    // its quiescence.
    let rungs = 6 * 3 * 2 * 3 * 2;
    let tournament = (36 - 2 * 2) * 2;
    assert_eq!(refused, rungs + tournament);
}

fn value(search: SearchName, board: BoardName, eval: &EvalSpec, pos: &Position) -> Value {
    let parts = PlayerParts {
        board,
        ..PlayerParts::of(search)
    };
    let mut search = player(&parts, eval).unwrap();
    let mut request = SearchRequest::new(pos.clone()).with_limits(SearchLimits::depth(2));
    request.rules.all_legal_moves = true;
    let control = SearchControl::new(Phase::Thinking, None);
    search.think(&request, &control, &mut NoListener).value
}

#[test]
fn rungs_and_full_width_agree_on_all_boards() {
    let same = |search: &&SearchName| search.rung().is_some() || search.name().contains("full");
    for eval in [EvalSpec::Material, EvalSpec::Relation] {
        for sfen in &POSITIONS[1..] {
            let pos = Position::from_sfen(sfen).unwrap();
            let expected = value(SearchName::Minimax, BoardName::Position, &eval, &pos);
            for &search in SearchName::ALL.iter().filter(same) {
                for &board in BoardName::ALL {
                    let found = value(search, board, &eval, &pos);
                    assert_eq!(found, expected, "{search} on {board} with {eval} in {sfen}");
                }
            }
        }
    }
}

#[test]
fn realization_says_the_same_on_all_boards() {
    let halvings = |search, board, pos: &Position| {
        let parts = PlayerParts {
            board,
            quiescence: Some(true),
            ..PlayerParts::of(search)
        };
        let mut search = player(&parts, &EvalSpec::Relation).unwrap();
        let request = SearchRequest::new(pos.clone()).with_limits(SearchLimits::depth(9));
        let control = SearchControl::new(Phase::Thinking, None);
        search.think(&request, &control, &mut NoListener).value
    };
    for sfen in POSITIONS {
        let pos = Position::from_sfen(sfen).unwrap();
        for search in [SearchName::Realization, SearchName::RealizationForcing] {
            let expected = halvings(search, BoardName::Position, &pos);
            for &board in BoardName::ALL {
                assert_eq!(
                    halvings(search, board, &pos),
                    expected,
                    "{search} {board} {sfen}"
                );
            }
        }
        let mtdf = halvings(SearchName::RealizationMtdf, BoardName::Scan, &pos);
        assert_eq!(
            mtdf,
            halvings(SearchName::Realization, BoardName::Scan, &pos)
        );
    }
}

#[test]
fn every_player_stops_when_its_time_is_up_and_sees_a_mate() {
    let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    for &search in SearchName::ALL {
        for parts in [PlayerParts::of(search), PastPlayer::Tenuki2019.parts()] {
            let mut search = player(&parts, &EvalSpec::Material).unwrap();
            let request = SearchRequest::new(pos.clone()).with_limits(SearchLimits::nodes(4000));
            let control = SearchControl::new(Phase::Thinking, None);
            let result = search.think(&request, &control, &mut NoListener);
            let mates = ["G*5b", "G*4b", "G*6b"].map(|mv| mv.parse().ok());
            assert!(
                mates.contains(&result.answer.played()),
                "{parts} {result:?}"
            );
            let budget = TimeBudget::exactly(Duration::from_millis(3));
            let control = SearchControl::new(Phase::Thinking, Some(budget));
            let endless = SearchRequest::new(Position::start());
            let result = search.think(&endless, &control, &mut NoListener);
            assert!(result.answer.played().is_some(), "{parts}");
        }
    }
}

#[test]
fn threads_share_a_table_of_best_moves() {
    let any = AnyEval::choose(&EvalSpec::Relation, &EvalSettings::default()).unwrap();
    let parts = PastPlayer::Tenuki2019.parts();
    let mut search = choose_boxed(&parts, (any, false), (3, BYTES)).unwrap();
    let request = SearchRequest::new(Position::start()).with_limits(SearchLimits::depth(4));
    let control = SearchControl::new(Phase::Thinking, None);
    let result = search.think(&request, &control, &mut NoListener);
    assert_eq!(result.depth, 4);
    assert!(Position::start().is_legal(result.answer.played().unwrap()));
}

#[test]
fn names_read_back() {
    for parts in all_parts() {
        assert_eq!(parts.to_string().parse(), Ok(parts));
    }
    for preset in PastPlayer::ALL {
        assert_eq!(preset.name().parse(), Ok(preset));
        assert_eq!(preset.parts().to_string().parse(), Ok(preset.parts()));
        assert!(preset.parts().check().is_ok());
    }
    let error = "search=plasma"
        .parse::<PlayerParts>()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("\"plasma\" is no search: minimax, negamax"),
        "{error}"
    );
    assert!("colour=red".parse::<PlayerParts>().is_err());
    assert!("quiescence=maybe".parse::<PlayerParts>().is_err());
}
