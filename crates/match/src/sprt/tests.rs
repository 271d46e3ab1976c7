//! The test against a table computed another way, and against players of known strength.

use super::*;
use crate::score::MatchStats;
use fastrand::Rng;

const USUAL: Sprt = Sprt {
    elo0: 0.0,
    elo1: 5.0,
    alpha: 0.05,
    beta: 0.05,
};

fn near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-4,
        "{found} instead of {expected}"
    );
}

/// The expected values solve the same two equations for both multipliers at once, by Newton's
/// method, in another language.
#[test]
fn ratios_agree_with_a_table() {
    let llr = |pairs: [u64; 5], elo0, elo1| {
        Sprt {
            elo0,
            elo1,
            ..USUAL
        }
        .llr(&pairs)
    };
    near(llr([5, 15, 40, 34, 6], 0.0, 5.0), 0.575_148);
    near(llr([10, 50, 200, 60, 12], 0.0, 2.0), 0.233_112);
    near(llr([100, 50, 30, 20, 10], -3.0, 1.0), -1.974_920);
    near(llr([0, 0, 10, 5, 0], 0.0, 10.0), 0.425_317);
    near(llr([500, 2000, 5000, 2100, 520], 0.0, 2.0), 1.164_304);
    near(USUAL.bounds().0, -2.944_439);
    near(USUAL.bounds().1, 2.944_439);
    assert_eq!(USUAL.llr(&[0; 5]), 0.0);
}

/// A game between players so far apart, a third of all games drawn: half points for the first.
fn game(rng: &mut Rng, elo: f64) -> u8 {
    const DRAWS: f64 = 1.0 / 3.0;
    let wins = score_of(elo) - DRAWS / 2.0;
    match rng.f64() {
        x if x < wins => 2,
        x if x < wins + DRAWS => 1,
        _ => 0,
    }
}

#[test]
fn elo_is_found_again_within_its_error() {
    for elo in [-80.0, 0.0, 35.0] {
        let mut rng = Rng::with_seed(3);
        let within = (0..200).filter(|_| {
            let mut stats = MatchStats::default();
            for _ in 0..500 {
                let (first, second) = (game(&mut rng, elo), game(&mut rng, elo));
                stats.add(first);
                stats.add(second);
                stats.add_pair(first, second);
            }
            let estimate = stats.elo().unwrap();
            (estimate.low..estimate.high).contains(&elo)
        });
        let within = within.count();
        assert!((180..=199).contains(&within), "{within} of 200 at {elo}");
    }
}

#[test]
fn wrong_decisions_are_as_rare_as_wanted() {
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 30.0,
        ..USUAL
    };
    let accepted = |elo: f64| {
        let mut rng = Rng::with_seed(11);
        let accepted = (0..300).filter(|_| {
            let mut pairs = [0; 5];
            loop {
                let points = game(&mut rng, elo) + game(&mut rng, elo);
                pairs[usize::from(points)] += 1;
                match sprt.decide(&pairs) {
                    Decision::GoOn => {}
                    decision => return decision == Decision::Accept,
                }
            }
        });
        accepted.count()
    };
    // 5 % of 300 are 15; the bounds leave room for chance.
    assert!(accepted(0.0) <= 27, "{}", accepted(0.0));
    assert!(accepted(30.0) >= 273, "{}", accepted(30.0));
    assert!(accepted(-50.0) <= 2 && accepted(80.0) >= 298);
}
