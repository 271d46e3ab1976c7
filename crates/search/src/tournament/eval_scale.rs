//! The scale of an evaluation: its values brought to the unit of the search, and back.
//!
//! Margins, histories and windows are numbers of points, and what a point is worth differs from one
//! evaluation to another. The spread of an evaluation is measured when a search is made for it; inside
//! of the search all values have the unit in which the built-in evaluation was measured when the
//! margins were chosen, outside they have the evaluation's own.

use super::scores::{clamped, is_decided};
use tesuji_eval::{Eval, spread};
use tesuji_shogi::Value;

/// The spread that defines the unit of the search.
const UNIT_SPREAD: i64 = 689;
/// What a factor is counted in.
const ONE: i64 = 1024;
/// Beyond these a measurement is not believed: an evaluation may be made up.
const FACTORS: (i64, i64) = (ONE / 16, ONE * 16);

/// How values of an evaluation become values of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EvalScale {
    /// What values are multiplied with, in 1024ths.
    factor: i64,
}

impl EvalScale {
    /// Measures an evaluation.
    pub(super) fn of<E: Eval>(eval: &E) -> Self {
        Self::from_spread(i64::from(spread(eval)))
    }

    fn from_spread(spread: i64) -> Self {
        let factor = match spread {
            0 => ONE,
            _ => (ONE * UNIT_SPREAD + spread / 2) / spread,
        };
        Self {
            factor: factor.clamp(FACTORS.0, FACTORS.1),
        }
    }

    /// A value of the evaluation in the unit of the search.
    #[inline(always)]
    pub(super) fn to_search(self, value: Value) -> Value {
        let points = i64::from(value.points()) * self.factor / ONE;
        clamped(Value::new(points as i32))
    }

    /// A value of the search in the unit of the evaluation; what is decided stays as it is.
    pub(super) fn to_eval(self, value: Value) -> Value {
        if is_decided(value) {
            return value;
        }
        let points = i64::from(value.points()) * ONE;
        let rounding = points.signum() * self.factor / 2;
        clamped(Value::new(((points + rounding) / self.factor) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_come_back_as_they_were(spread in 1..60_000i64, points in -20_000..20_000i32) {
            let scale = EvalScale::from_spread(spread);
            let value = Value::new(points);
            let there = scale.to_search(value);
            prop_assert!(!is_decided(there));
            let back = scale.to_eval(there);
            prop_assert!(!is_decided(back));
            // Where the search has fewer points than the evaluation some are lost.
            let coarse = (ONE / scale.factor + 1) as i32;
            let is_cut = there.points().abs() >= 26_998;
            prop_assert!(is_cut || (back - value).points().abs() <= coarse, "{value:?} {back:?}");
        }

        #[test]
        fn decided_games_stay_decided(spread in 1..60_000i64, plies in 1..200) {
            let scale = EvalScale::from_spread(spread);
            for value in [Value::mate_in(plies), Value::mated_in(plies)] {
                prop_assert_eq!(scale.to_eval(value), value);
            }
        }
    }

    #[test]
    fn the_unit_changes_nothing_and_silence_neither() {
        for spread in [UNIT_SPREAD, 0] {
            let scale = EvalScale::from_spread(spread);
            for points in [-5000, -1, 0, 1, 77, 5000] {
                let value = Value::new(points);
                assert_eq!(scale.to_search(value), value);
                assert_eq!(scale.to_eval(value), value);
            }
        }
    }
}
