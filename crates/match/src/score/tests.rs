//! Elo and errors against a table, and ratings against the strengths that made the results.

use super::*;

fn near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-3,
        "{found} instead of {expected}"
    );
}

#[test]
fn elo_and_errors_agree_with_a_table() {
    near(elo_of(0.75), 190.8485);
    near(elo_of(0.5), 0.0);
    near(score_of(100.0), 0.640_065);
    near(normal(0.0), 0.5);
    near(normal(1.96), 0.975_002);
    near(normal(-1.0), 0.158_655);
    // 100 pairs: points 0.5525 per game, variance of a pair's mean 0.055928.
    let stats = MatchStats {
        wins: 88,
        draws: 45,
        losses: 67,
        pairs: [5, 15, 40, 34, 6],
    };
    near(stats.score(), 0.5525);
    near(stats.error().unwrap(), 0.023_649);
    near(stats.elo().unwrap().value, 36.616);
    let estimate = stats.elo().unwrap();
    assert!((32.0..35.0).contains(&estimate.error), "{estimate}");
    near(stats.los().unwrap(), 0.986_789);
}

#[test]
fn a_reversed_tally_says_the_opposite() {
    let mut stats = MatchStats::default();
    for (first, second) in [(2, 2), (2, 1), (1, 0), (2, 0)] {
        stats.add(first);
        stats.add(second);
        stats.add_pair(first, second);
    }
    assert_eq!((stats.wins, stats.draws, stats.losses), (4, 2, 2));
    assert_eq!(stats.pairs, [0, 1, 1, 1, 1]);
    near(
        stats.elo().unwrap().value,
        -stats.reversed().elo().unwrap().value,
    );
    assert_eq!(MatchStats::default().elo(), None);
}

#[test]
fn who_lost_everything_may_still_be_better_than_that() {
    // 0 of 40, in twenty pairs and without pairs: by Wilson at most 8.76 %, 407 Elo less.
    for pairs in [[20, 0, 0, 0, 0], [0; 5]] {
        let stats = MatchStats {
            losses: 40,
            pairs,
            ..MatchStats::default()
        };
        let elo = stats.elo().unwrap();
        assert_eq!((elo.value, elo.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        near(elo.high, -407.019);
        assert_eq!(elo.to_string(), "below -407.0");
        assert_eq!(stats.reversed().elo().unwrap().to_string(), "above +407.0");
        assert!(stats.los().unwrap() < 1e-6);
    }
    // One game of three says little.
    let stats = MatchStats {
        wins: 1,
        losses: 2,
        ..MatchStats::default()
    };
    let elo = stats.elo().unwrap();
    assert!(elo.low < -400.0 && elo.high > 200.0, "{elo:?}");
}

#[test]
fn ratings_find_the_strengths_that_made_the_results() {
    let strengths = [120.0, 0.0, -30.0, -90.0];
    let mut results = Vec::new();
    for one in 0..4 {
        for other in one + 1..4 {
            let expected = score_of(strengths[one] - strengths[other]);
            let wins = (expected * 10_000.0).round() as u64;
            let stats = MatchStats {
                wins,
                losses: 10_000 - wins,
                ..MatchStats::default()
            };
            results.push((one, other, stats));
        }
    }
    for (found, expected) in ratings(4, &results).into_iter().zip(strengths) {
        assert!((found - expected).abs() < 0.5, "{found} {expected}");
    }
    let perfect = MatchStats {
        wins: 10,
        ..MatchStats::default()
    };
    assert!(
        ratings(2, &[(0, 1, perfect)])
            .iter()
            .all(|elo| elo.is_finite())
    );
}
