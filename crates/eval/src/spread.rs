//! The spread of an evaluation: how large its values are, measured on fixed positions.
//!
//! Two evaluations may agree about every position and yet speak in different units: one network calls
//! 300 what another one calls 400. Whoever compares values with margins has to know the unit.
//!
//! The spread is a robust scale (M-estimate, Huber 1964).

use crate::eval::Eval;
use tesuji_shogi::Position;

/// Quiet positions of games, from even to nearly won.
const POSITIONS: &str = include_str!("../positions/spread.sfen");

/// No evaluation is wider than this.
const WIDEST: i64 = 1 << 16;

/// How large the values of an evaluation are: a robust mean, in its own points, to which a position
/// that is won contributes no more than one that is nearly so (an M-estimate of scale, Huber 1964).
/// An evaluation whose values are twice as large has twice the spread; 0 if it says nothing at all.
///
/// ```
/// use tesuji_eval::{Material, spread};
/// assert!((400..1600).contains(&spread(&Material)));
/// ```
pub fn spread<E: Eval>(eval: &E) -> i32 {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    let values: Vec<i64> = lines
        .map(|line| {
            let pos = Position::from_sfen(line).expect("every position of the list is sound");
            i64::from(eval.value(&mut eval.stack(), &pos).points().abs())
        })
        .collect();
    spread_of(&values)
}

/// The least number that three quarters of the values' mean reach, each counted up to twice that
/// number.
fn spread_of(values: &[i64]) -> i32 {
    if values.iter().all(|&value| value == 0) {
        return 0;
    }
    let is_reached = |spread: i64| {
        let sum: i64 = values.iter().map(|&value| value.min(2 * spread)).sum();
        4 * sum <= 3 * values.len() as i64 * spread
    };
    let (mut low, mut high) = (1, WIDEST);
    while low < high {
        let middle = i64::midpoint(low, high);
        if is_reached(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyEval, EvalSettings, EvalSpec, Material, Relation};

    #[test]
    fn larger_values_have_a_larger_spread() {
        let values: Vec<i64> = (0..100).map(|n| n * n % 1013).collect();
        let scaled = |share: i64| values.iter().map(|value| value * share / 100).collect();
        let [usual, small, large]: [Vec<i64>; 3] = [scaled(100), scaled(70), scaled(140)];
        let [usual, small, large] = [usual, small, large].map(|values| spread_of(&values));
        assert!((small - usual * 70 / 100).abs() <= 2, "{small} {usual}");
        assert!((large - usual * 140 / 100).abs() <= 2, "{large} {usual}");
        assert_eq!(spread_of(&[0, 0]), 0);
        assert_eq!(spread_of(&[40_000; 5]), 53_334);
    }

    #[test]
    fn every_evaluation_of_the_program_has_one() {
        let builtin = AnyEval::choose(&EvalSpec::Builtin, &EvalSettings::default()).unwrap();
        for spread in [
            spread(&builtin),
            spread(&Material),
            spread(&Relation::new()),
        ] {
            assert!((300..2000).contains(&spread), "{spread}");
        }
    }
}
