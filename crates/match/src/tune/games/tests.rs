//! An iteration of real games: the same whoever plays it, fair, and interrupted.

use super::super::parameter::select_parameters;
use super::*;
use tesuji_eval::Material;

fn games(concurrency: usize) -> TuningGames {
    let parameters = select_parameters("qsearch_futility_margin").unwrap();
    let eval = AnyEval::new(Material);
    let openings = ["7g7f", "2g2f"].map(|mv| {
        let mut pos = Position::start();
        pos.play(mv.parse().unwrap());
        Position::from_sfen(&pos.to_sfen()).unwrap()
    });
    let limit = ThinkingLimit::Nodes(40);
    let mut games = TuningGames::new(&parameters, [eval.clone(), eval], limit, openings.to_vec());
    games.table_bytes = 1 << 20;
    games.rules.move_limit = Some(40);
    games.concurrency = concurrency;
    games
}

fn iteration(values: [i32; 2]) -> TuningIteration {
    let trial = |opening| Trial {
        plus: vec![values[0]],
        minus: vec![values[1]],
        opening,
    };
    TuningIteration {
        number: 0,
        seed: 1,
        trials: (0..3).map(trial).collect(),
    }
}

#[test]
fn an_iteration_is_the_same_whoever_plays_it() {
    let different = iteration([60, 800]);
    let alone = games(1).play(&different).unwrap();
    let together = games(2).play(&different).unwrap();
    assert_eq!(alone, together);
    let games = games(1);
    let apart = different
        .trials
        .iter()
        .rev()
        .map(|trial| games.play_trial(trial).unwrap());
    let mut apart: Vec<_> = apart.collect();
    apart.reverse();
    assert_eq!(alone, apart);
    assert!(
        alone
            .iter()
            .all(|outcome| outcome.plies > 4 && outcome.faults == 0)
    );
}

#[test]
fn equal_values_share_the_points_of_a_pair() {
    for outcome in games(1).play(&iteration([330, 330])).unwrap() {
        assert_eq!(outcome.difference(), 0.0, "{outcome:?}");
    }
}

#[test]
fn a_value_out_of_range_and_an_interruption_are_told() {
    let error = games(1).play(&iteration([-7, 330])).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("qsearch_futility_margin that can be -7")
    );
    let mut interrupted = games(1);
    interrupted.interrupt.store(true, Ordering::Relaxed);
    let error = interrupted.play(&iteration([300, 330])).unwrap_err();
    assert!(matches!(error, TuningGamesError::Interrupted));
}
